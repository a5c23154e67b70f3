"""A lone king is driven where it can be mated, and what cannot mate it is a draw."""

import pytest
from tasks import task

from nowchess_uci.evaluation.evaluate import Evaluator
from nowchess_uci.rules.draws import Status, can_claim_fifty_moves, status
from nowchess_uci.rules.fen import parse_fen
from nowchess_uci.rules.movegen import play
from nowchess_uci.search.pool import Pool
from nowchess_uci.search.thinking import Thinking


@pytest.mark.parametrize("fen", ["8/8/4k3/8/8/2NK4/8/8 w - - 0 1", "8/8/4k3/8/8/2NKN3/8/8 w - - 0 1"])
def test_material_that_cannot_force_mate_is_a_draw(fen: str) -> None:
    assert Evaluator().score(parse_fen(fen)) == 0


def test_three_knights_win() -> None:
    assert Evaluator().score(parse_fen("8/8/4k3/8/8/2NKN3/3N4/8 w - - 0 1")) > 500


def test_bishop_and_knight_want_the_corner_of_the_bishops_colour() -> None:
    dark_corner = Evaluator().score(parse_fen("8/8/8/8/8/2K5/3BN3/k7 w - - 0 1"))
    light_corner = Evaluator().score(parse_fen("k7/8/2K5/8/8/8/3BN3/8 w - - 0 1"))
    assert dark_corner > light_corner + 500


@pytest.mark.parametrize(
    "fen",
    [
        "8/8/3k4/8/8/8/8/K6Q w - - 0 1",
        "8/8/3k4/8/8/8/8/K6R w - - 0 1",
        "8/8/3k4/8/8/8/8/K3BB2 w - - 0 1",
        "k7/8/2K5/8/8/8/3BN3/8 w - - 0 1",  # in the wrong corner
    ],
)
def test_a_lone_king_is_mated_in_time(fen: str) -> None:
    position = parse_fen(fen)
    players = (Pool(16), Pool(16))
    while not status(position).is_over:
        assert not can_claim_fifty_moves(position)
        player = players[position.side]
        play(position, Thinking(player, position, task(nodes=30000)).run().move)
    assert status(position) is Status.CHECKMATE
