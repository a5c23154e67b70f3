# Completes the arguments of nowchess-uci in bash; docs/manual.md says how to load it.

_nowchess_uci() {
    local word=${COMP_WORDS[COMP_CWORD]} words
    case ${COMP_WORDS[COMP_CWORD - 1]} in
        --side) words="white black random" ;;
        --colour) words="white black" ;;
        --scale) words="engine lichess" ;;
        --pgn | --out | --json | --csv | --html) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
        --movetime | --elo | --fen | --nodes | --depth | --lines | --workers | --player | --games | --from-move | --to-move | --skip-opening | --cluster | --threads) return ;;
        *)
            case ${COMP_WORDS[1]} in
                play) words="--two-players --side --movetime --elo --fen --pgn --ascii --help" ;;
                analyse) words="--nodes --depth --movetime --lines --workers --player --colour --games --from-move --to-move --skip-opening --out --json --csv --html --resume --reuse-evals --strip-comments --scale --cluster --help" ;;
                perft) words="--fen --chess960 --threads --divide --help" ;;
                bench) words="--help" ;;
                *) words="play analyse perft bench --version --help" ;;
            esac
            ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}

complete -o default -F _nowchess_uci nowchess-uci
