"""The board as text."""

import pytest
from games import played

from nowchess_uci.console.board import render_board


def test_the_board_in_ascii_shows_the_last_move() -> None:
    assert render_board(played("e4", "Nf6"), unicode=False) == (
        "     a  b  c  d  e  f  g  h\n"
        "  8  r  n  b  q  k  b [.] r  8\n"
        "  7  p  p  p  p  p  p  p  p  7\n"
        "  6  .  .  .  .  . [n] .  .  6\n"
        "  5  .  .  .  .  .  .  .  .  5\n"
        "  4  .  .  .  .  P  .  .  .  4\n"
        "  3  .  .  .  .  .  .  .  .  3\n"
        "  2  P  P  P  P  .  P  P  P  2\n"
        "  1  R  N  B  Q  K  B  N  R  1\n"
        "     a  b  c  d  e  f  g  h\n"
    )


def test_the_board_turned_round() -> None:
    rows = render_board(played("e4"), unicode=False, flipped=True).splitlines()
    assert rows[0] == rows[-1] == "     h  g  f  e  d  c  b  a"
    assert rows[1] == "  1  R  N  B  K  Q  B  N  R  1"
    assert rows[4] == "  4  .  .  . [P] .  .  .  .  4"


def test_the_board_with_figures() -> None:
    rows = render_board(played()).splitlines()
    assert rows[1] == "  8  ♜  ♞  ♝  ♛  ♚  ♝  ♞  ♜  8"
    assert rows[7] == "  2  ♙  ♙  ♙  ♙  ♙  ♙  ♙  ♙  2"


@pytest.mark.parametrize(
    ("fen", "move", "row"),
    [
        ("7k/8/8/8/8/2K5/8/R7 w - - 7 9", "Ra8", "  8 [R] .  .  .  .  .  . !k! 8"),
        ("7K/8/8/8/8/2k5/8/r7 b - - 7 9", "Ra8", "  8 [r] .  .  .  .  .  . !K! 8"),
    ],
)
def test_a_king_in_check_is_marked(fen: str, move: str, row: str) -> None:
    assert render_board(played(move, fen=fen), unicode=False).splitlines()[1] == row


def test_colours_show_the_same_without_signs() -> None:
    text = render_board(played("Ra8", fen="7k/8/8/8/8/2K5/8/R7 w - - 7 9"), unicode=False, colors=True)
    row = text.splitlines()[1]
    assert "\x1b[48;5;143;38;5;231;1m R \x1b[0m" in row  # the square of the last move, a white piece
    assert "\x1b[48;5;167;38;5;16m k \x1b[0m" in row  # the king in check
    assert "\x1b[48;5;137m   \x1b[0m" in row  # b8 is dark
    assert "\x1b[48;5;180m   \x1b[0m" in row  # c8 is light
    assert "[R]" not in text
    figures = render_board(played(), colors=True)
    assert "♟" in figures
    assert "♙" not in figures
