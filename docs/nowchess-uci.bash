# Completes the arguments of nowchess-uci in bash; docs/manual.md says how to load it.

_nowchess_uci() {
    local word=${COMP_WORDS[COMP_CWORD]} words
    case ${COMP_WORDS[COMP_CWORD - 1]} in
        --side) words="white black random" ;;
        --pgn) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
        --movetime | --elo | --fen | --threads) return ;;
        *)
            case ${COMP_WORDS[1]} in
                play) words="--two-players --side --movetime --elo --fen --pgn --ascii --help" ;;
                perft) words="--fen --chess960 --threads --divide --help" ;;
                bench) words="--help" ;;
                *) words="play perft bench --version --help" ;;
            esac
            ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}

complete -F _nowchess_uci nowchess-uci
