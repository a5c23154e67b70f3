"""Static exchange evaluation; test_oracle.py compares it with a plain recursion on every move."""

import pytest

from nowchess_uci.rules.exchange import exchange_wins
from nowchess_uci.rules.fen import parse_fen
from nowchess_uci.rules.notation import parse_move


@pytest.mark.parametrize(
    ("fen", "move", "value"),
    [
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "exd5", 100),
        ("4k3/2p5/3p4/8/8/8/8/3RK3 w - - 0 1", "Rxd6", -400),
        ("3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "Rxd5", 100),  # the second rook stands behind
        ("3rk3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "Rxd5", -400),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", 100),
        ("7k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e8=Q", 800),
        ("4r2k/3P4/8/8/8/8/8/K7 w - - 0 1", "d8=Q", -100),
        ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "O-O-O", 0),
        ("4k3/8/2n5/8/8/8/8/3QK3 w - - 0 1", "Qd4", -900),
        ("4k3/8/8/3q4/4K3/8/8/8 w - - 0 1", "Kxd5", 900),
    ],
)
def test_value_of_an_exchange(fen: str, move: str, value: int) -> None:
    position = parse_fen(fen)
    number = parse_move(position, move)
    assert exchange_wins(position, number, value)
    assert not exchange_wins(position, number, value + 1)
