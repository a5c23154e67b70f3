"""PGN out: tags, true SAN, numbers, line lengths, and what python-chess makes of it."""

import io
import random
from pathlib import Path

import oracle
import pytest
from games import played, random_games, random_pgn

from nowchess_uci.game.game import Game
from nowchess_uci.pgn.read import read_pgn
from nowchess_uci.pgn.tree import PgnGame, PgnLine, PgnMove
from nowchess_uci.pgn.write import render_game, render_pgn, write_pgn
from nowchess_uci.rules.fen import render_fen


def move_text(pgn: str) -> str:
    return pgn.split("\n\n")[1]


def test_the_seven_tag_roster_comes_first_with_its_defaults() -> None:
    assert render_game(played("e2e4")) == (
        '[Event "?"]\n[Site "?"]\n[Date "????.??.??"]\n[Round "?"]\n[White "?"]\n[Black "?"]\n[Result "*"]\n'
        "\n1. e4 *\n\n"
    )


def test_tags_given_replace_the_defaults_and_others_follow() -> None:
    pgn = render_game(played(), {"Opening": "none", "White": "Ann", "Event": 'Club \\ "A"\nB'})
    assert pgn.splitlines()[0] == r'[Event "Club \\ \"A\" B"]'
    assert pgn.splitlines()[4] == '[White "Ann"]'
    assert pgn.splitlines()[7] == '[Opening "none"]'


@pytest.mark.parametrize("result", ["1-0", "0-1", "1/2-1/2", "*"])
def test_the_termination_marker_is_the_result_tag(result: str) -> None:
    pgn = render_game(played("e2e4"), {"Result": result})
    assert f'[Result "{result}"]' in pgn
    assert pgn.rstrip().endswith(f"e4 {result}")


def test_without_a_result_the_marker_is_a_star() -> None:
    assert move_text(render_game(played("e2e4"))) == "1. e4 *"


def test_a_game_without_moves_has_the_marker_alone() -> None:
    assert move_text(render_game(played())) == "*"


def test_moves_are_true_san() -> None:
    moves = ("e4", "d5", "exd5", "Nf6", "Nc3", "Nxd5", "Nge2", "e5", "d4", "exd4", "Qxd4", "Nxc3", "Qxd8+", "Kxd8")
    assert move_text(render_game(played(*moves))) == (
        "1. e4 d5 2. exd5 Nf6 3. Nc3 Nxd5 4. Nge2 e5 5. d4 exd4 6. Qxd4 Nxc3 7. Qxd8+\nKxd8 *"
    )


@pytest.mark.parametrize(("piece", "san"), [("q", "e8=Q+"), ("r", "e8=R+"), ("b", "e8=B"), ("n", "e8=N")])
def test_a_promotion_is_written_with_its_piece(piece: str, san: str) -> None:
    pgn = render_game(played(f"e7e8{piece}", fen="7k/4P3/8/8/8/8/P7/4K3 w - - 0 1"))
    assert move_text(pgn) == f"1. {san} *"


def test_castling_en_passant_and_mate_are_written_as_such() -> None:
    fen = "r3k3/8/8/3pP3/8/8/8/4K2R w Kq d6 0 1"
    assert move_text(render_game(played("exd6", "O-O-O", "O-O", fen=fen))) == "1. exd6 O-O-O 2. O-O *"
    assert move_text(render_game(played("f3", "e5", "g4", "Qh4"), {"Result": "0-1"})) == "1. f3 e5 2. g4 Qh4# 0-1"


def test_a_game_from_another_position_carries_it() -> None:
    fen = "4k2r/8/8/8/8/8/8/4K3 b - - 42 90"
    pgn = render_game(played("Rh1", fen=fen))
    assert f'[SetUp "1"]\n[FEN "{fen}"]\n\n90... Rh1+ *\n' in pgn


def test_a_chess960_game_carries_its_variant() -> None:
    fen = "4k3/8/8/8/8/8/8/5KR1 w G - 0 1"
    pgn = render_game(played("O-O", fen=fen, chess960=True))
    assert '[Variant "Chess960"]\n[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/8/5KR1 w K - 0 1"]\n' in pgn
    game = next(read_pgn(io.StringIO(pgn)))
    assert game.errors == []
    assert render_fen(game.end()) == "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"
    assert oracle.end_of(next(oracle.read_pgn(io.StringIO(pgn)))) == render_fen(game.end())


def test_lines_of_moves_stay_under_80_characters() -> None:
    source = random.Random(5)
    for game in random_games(source, 30, plies=200, rich=True):
        lines = render_pgn(game).split("\n\n", 1)[1].splitlines()
        assert max(map(len, lines)) < 80


def test_comments_marks_and_variations_are_written_in_their_places() -> None:
    start = Game.from_fen()
    e4, d4 = start.board.parse_move("e4"), start.board.parse_move("d4")
    e5 = start.after(e4).board.parse_move("e5")
    line = PgnLine("hello", [PgnMove(e4, (1,), "a } b", (PgnLine("or", [PgnMove(d4)]),)), PgnMove(e5)])
    assert move_text(render_pgn(PgnGame(line=line))) == "{hello} 1. e4 $1 {a ) b} ({or} 1. d4) 1... e5 *"


def test_a_variation_that_says_nothing_is_not_written() -> None:
    e4 = Game.from_fen().board.parse_move("e4")
    line = PgnLine(moves=[PgnMove(e4, variations=(PgnLine(), PgnLine("or not"), PgnLine()))])
    assert move_text(render_pgn(PgnGame(line=line))) == "1. e4 ({or not}) *"


def test_what_pgn_cannot_hold_is_refused() -> None:
    with pytest.raises(ValueError, match="is not a result"):
        render_game(played(), {"Result": "won"})
    with pytest.raises(ValueError, match="is not a tag name"):
        render_game(played(), {"My Tag": "x"})
    with pytest.raises(ValueError, match="variant 'Atomic' is not known"):
        render_pgn(PgnGame({"Variant": "Atomic"}))


def test_variations_nested_deeper_than_python_calls_are_written_and_read() -> None:
    depth = 5000
    start = Game.from_fen()
    e4, d4 = start.board.parse_move("e4"), start.board.parse_move("d4")
    line = PgnLine(moves=[PgnMove(e4)])
    for _ in range(depth):
        line = PgnLine(moves=[PgnMove(d4, variations=(line,))])
    pgn = render_pgn(PgnGame(line=line))
    assert pgn.count("(") == depth
    game = next(read_pgn(io.StringIO(pgn)))
    assert game.errors == []
    assert render_pgn(game) == pgn
    assert next(read_pgn(io.StringIO(pgn), keep_variations=False)).moves() == [d4]


def test_what_is_written_reads_back_the_same_and_python_chess_agrees() -> None:
    pgn = random_pgn(random.Random(11), 60, plies=120, rich=True)
    ours = list(read_pgn(io.StringIO(pgn)))
    assert "".join(map(render_pgn, ours)) == pgn
    theirs = list(oracle.read_pgn(io.StringIO(pgn)))
    assert len(ours) == len(theirs) == 60
    for our_game, their_game in zip(ours, theirs, strict=True):
        assert our_game.errors == []
        assert their_game.errors == []
        assert render_fen(our_game.end()) == oracle.end_of(their_game)
        # python-chess leaves the escapes in a tag's value as they are.
        assert our_game.tags | {"Black": r"O\"Hara \\ Son"} == dict(their_game.headers)


# Files.


def test_one_game_or_several_are_written_to_a_path_or_an_open_file(tmp_path: Path) -> None:
    game = played("e4", "e5")
    (tree,) = read_pgn(io.StringIO("1. d4 {good} 1-0"))
    path = tmp_path / "games.pgn"
    write_pgn(game, path)
    assert path.read_text() == render_game(game)
    write_pgn((each for each in (game, tree)), str(path))
    assert path.read_bytes().decode() == render_game(game) + render_pgn(tree)
    file = io.StringIO()
    write_pgn([tree], file)
    write_pgn(game, file)
    assert file.getvalue() == render_pgn(tree) + render_game(game)
    assert [len(found.moves()) for found in read_pgn(path)] == [2, 1]


def test_a_game_that_cannot_be_written_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    write_pgn(played("e4"), path)
    before = path.read_bytes()
    with pytest.raises(ValueError, match="is not a result"):
        write_pgn([played("d4"), PgnGame(result="won")], path)
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["games.pgn"]
