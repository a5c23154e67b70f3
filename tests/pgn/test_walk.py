"""One walk for reading, writing and skipping: what a visitor is told, from a text and from a tree."""

import io
import random
from collections.abc import Mapping

import pytest
from games import played, random_pgn

from nowchess_uci.pgn import PgnError, PgnGame, Visitor, read_pgn, render_pgn, visit_games, walk_game
from nowchess_uci.pgn.build import TreeBuilder
from nowchess_uci.pgn.write import TextBuilder
from nowchess_uci.rules.fen import render_fen
from nowchess_uci.rules.notation import render_san
from nowchess_uci.rules.position import Position

PGN = '[White "Ann"]\n\n{hi} 1. e4 $1 {king} (1. d4 {queen} d5 (1... Nf6)) (1. c4) 1... e5 {end} 1-0\n'


class Listener(Visitor[list[str]]):
    """Notes everything as it comes."""

    def __init__(self, *, wants_moves: bool = True, keeps_variations: bool = True) -> None:
        self.wants_moves = wants_moves
        self.keeps_variations = keeps_variations
        self.heard: list[str] = []

    def begin(self, tags: Mapping[str, str], position: Position) -> bool:
        self.heard.append(f"begin {dict(tags)}")
        return self.wants_moves

    def move(self, position: Position, move: int) -> None:
        self.heard.append(render_san(position, move))

    def mark(self, nag: int) -> None:
        self.heard.append(f"${nag}")

    def comment(self, text: str) -> None:
        self.heard.append(f"{{{text}}}")

    def open_variation(self) -> None:
        self.heard.append("(")

    def close_variation(self) -> None:
        self.heard.append(")")

    def error(self, error: PgnError) -> None:
        self.heard.append(f"error {error}")

    def end(self, result: str) -> list[str]:
        heard = [*self.heard, result]
        self.heard = []
        return heard


def heard_from(text: str, listener: Listener | None = None) -> list[list[str]]:
    return list(visit_games(io.StringIO(text), listener or Listener()))


def test_a_visitor_is_told_the_same_by_a_text_and_by_its_tree() -> None:
    (from_text,) = heard_from(PGN)
    assert from_text[0] == "begin {'White': 'Ann'}"
    assert " ".join(from_text[1:]) == "{hi} e4 $1 {king} ( d4 {queen} d5 ( Nf6 ) ) ( c4 ) e5 {end} 1-0"
    (tree,) = read_pgn(io.StringIO(PGN))
    assert walk_game(tree, Listener()) == from_text


def test_variations_may_be_skipped_by_both() -> None:
    (from_text,) = heard_from(PGN, Listener(keeps_variations=False))
    assert " ".join(from_text[1:]) == "{hi} e4 $1 {king} e5 {end} 1-0"
    (tree,) = read_pgn(io.StringIO(PGN))
    assert walk_game(tree, Listener(keeps_variations=False)) == from_text


def test_the_moves_of_a_game_may_be_skipped_by_both_and_the_next_game_is_read() -> None:
    games = heard_from(f"{PGN}\n1. d4 (1. Zz) Ke4 {{never told}} 0-1 1. e4 e5", Listener(wants_moves=False))
    assert games == [["begin {'White': 'Ann'}", "1-0"], ["begin {}", "0-1"], ["begin {}", "*"]]
    (tree,) = read_pgn(io.StringIO(PGN))
    assert walk_game(tree, Listener(wants_moves=False)) == games[0]


@pytest.mark.parametrize("seed", range(5))
def test_skipped_games_end_where_read_ones_do(seed: int) -> None:
    source = random.Random(seed)
    text = random_pgn(source, 20, plies=40, rich=True)
    for old, new in (
        (" 1. ", " 1.e4 <1-0 (> 1. "),
        ("best", "best; 1-0 {"),
        ("sure}", "\n1-0 } ;1-0 (\n"),
        ("\n\n1", "\n1"),
    ):
        text = text.replace(old, new, 3)
    text += "1. e4* 1. d4 $1-0 x1-0 1-0= 12.1-0 1. c4!1/2 1. f4 e5 1/2-1/2 1. g4 (1. h4 1-0) ) 0-1"
    read, skipped = heard_from(text), heard_from(text, Listener(wants_moves=False))
    assert len(read) > 15
    assert [game[-1] for game in skipped] == [game[-1] for game in read]


def test_errors_are_told_where_they_stand() -> None:
    ((*heard, result),) = heard_from("1. e4 (1. d5 {no}) e5 2. Ke4")
    assert " ".join(heard[1:5]) == "e4 ( error line 1, column 11: 'd5' is not a legal move here )"
    assert heard[5:] == ["e5", "error line 1, column 26: 'Ke4' is not a legal move here"]
    assert result == "*"


@pytest.mark.parametrize("preface", ["{about all}", "; about all", "{about\nall}", "{about} $1 12 {all}"])
def test_a_comment_before_the_tags_is_told_with_the_game_that_follows(preface: str) -> None:
    assert heard_from(f'{preface}\n[White "Ann"]\n\n1. e4 *') == [
        ["begin {'White': 'Ann'}", *(["{about}", "{all}"] if "$" in preface else ["{about all}"]), "e4", "*"]
    ]


def test_a_broken_tag_after_a_comment_is_a_game_of_its_own() -> None:
    assert heard_from('{alone}\n[A "b\n[White "Ann"]\n\n1. e4 *') == [
        ["error line 2, column 1: '[A \"b' is not a tag", "begin {}", "{alone}", "*"],
        ["begin {'White': 'Ann'}", "e4", "*"],
    ]


def test_a_tree_is_built_from_a_tree_and_a_text_from_a_text() -> None:
    (tree,) = read_pgn(io.StringIO(PGN))
    again = walk_game(tree, TreeBuilder())
    assert again is not tree
    assert render_pgn(again) == render_pgn(tree)
    assert list(visit_games(io.StringIO(PGN * 2), TextBuilder())) == [render_pgn(tree)] * 2
    empty = "1. e4 () ( ( ) ) e5 *"
    assert next(visit_games(io.StringIO(empty), TextBuilder())).endswith("\n\n1. e4 1... e5 *\n\n")


def test_the_errors_of_a_tree_are_told_too() -> None:
    tree = PgnGame(errors=[PgnError(3, 4, "wrong")])
    assert walk_game(tree, Listener()) == ["begin {}", "error line 3, column 4: wrong", "*"]


def test_deep_nesting_is_walked_without_recursion() -> None:
    depth = 20_000
    text = "1. e4 " + "(1. d4 " * depth + ")" * depth + " e5 *"
    (heard,) = heard_from(text)
    assert heard.count("(") == heard.count(")") == depth
    (tree,) = read_pgn(io.StringIO(text))
    assert walk_game(tree, Listener()) == heard


# To a game and back.


def test_the_main_line_becomes_a_game_with_its_history() -> None:
    (tree,) = read_pgn(io.StringIO(PGN))
    game = tree.game()
    assert game.history == played("e4", "e5").history
    assert game.moves() == tree.moves()
    assert game.board.fen() == render_fen(tree.end())


@pytest.mark.parametrize(
    ("fen", "moves", "chess960"),
    [
        ("4k2r/8/8/8/8/8/8/4K3 b - - 42 90", ("Rh1", "Kd2"), False),
        ("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", ("O-O",), True),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 5 9", ("a8=N",), False),
    ],
)
def test_a_game_survives_the_way_to_pgn_and_back(fen: str, moves: tuple[str, ...], chess960: bool) -> None:
    game = played(*moves, fen=fen, chess960=chess960)
    (tree,) = read_pgn(io.StringIO(render_pgn(PgnGame.of(game))))
    again = tree.game()
    assert again.history == game.history
    assert again.start_fen == game.start_fen
    assert again.board.fen() == game.board.fen()
    assert again.board.chess960 == chess960


def test_a_game_that_cannot_be_played_is_refused() -> None:
    with pytest.raises(ValueError, match="variant 'Atomic' is not known"):
        PgnGame({"Variant": "Atomic"}).game()
    with pytest.raises(ValueError, match="bad FEN"):
        PgnGame({"FEN": "8/8/8/8/8/8/8/8 w - - 0 1"}).game()
