"""The board as a picture in text."""

from nowchess_uci import Board
from nowchess_uci.rules.diagram import diagram_rows, render_diagram
from nowchess_uci.rules.fen import parse_fen
from nowchess_uci.rules.move import square_name

FEN = "r3k3/8/8/3pP3/8/8/8/4K2R w Kq d6 0 1"


def test_the_plain_diagram_is_what_a_board_prints() -> None:
    assert render_diagram(parse_fen(FEN)) == str(Board(FEN))
    assert render_diagram(parse_fen(FEN)).splitlines()[3] == ". . . p P . . ."


def test_coordinates_stand_before_and_below() -> None:
    rows = render_diagram(parse_fen(FEN), coordinates=True).splitlines()
    assert rows[0] == "8  r . . . k . . ."
    assert rows[7:] == ["1  . . . . K . . R", "   a b c d e f g h"]


def test_the_caller_chooses_the_look_of_a_square_and_the_side_at_the_bottom() -> None:
    def render_square(square: int, letter: str | None) -> str:
        return letter or square_name(square)

    rows = diagram_rows(parse_fen(FEN), render_square)
    assert rows[0] == ("8", ["r", "b8", "c8", "d8", "k", "f8", "g8", "h8"])
    assert rows[7] == ("1", ["a1", "b1", "c1", "d1", "K", "f1", "g1", "R"])
    flipped = diagram_rows(parse_fen(FEN), render_square, flipped=True)
    assert flipped == [(rank, cells[::-1]) for rank, cells in reversed(rows)]
