"""A lone king is driven where it can be mated, and what cannot mate it is a draw."""

import pytest
from tasks import task

from nowchess_uci.evaluation.evaluate import Evaluator
from nowchess_uci.rules.draws import Status, can_claim_fifty_moves, status
from nowchess_uci.rules.fen import parse_fen
from nowchess_uci.rules.movegen import play
from nowchess_uci.search.pool import Pool
from nowchess_uci.search.thinking import Thinking


@pytest.mark.parametrize("pieces", ["2NK4/8", "2NKN3/8", "2BK4/3B4"])  # the two bishops are both on dark squares
def test_material_that_cannot_force_mate_is_a_draw(pieces: str) -> None:
    assert Evaluator().score(parse_fen(f"8/8/4k3/8/8/{pieces}/8 w - - 0 1")) == 0


def test_three_knights_win() -> None:
    assert Evaluator().score(parse_fen("8/8/4k3/8/8/2NKN3/3N4/8 w - - 0 1")) > 500


@pytest.mark.parametrize(("pieces", "right"), [("3BN3", "a1"), ("2B1N3", "a8")])  # a dark bishop, a light one
def test_bishop_and_knight_want_the_corner_of_the_bishops_colour(pieces: str, right: str) -> None:
    scores = {
        "a1": Evaluator().score(parse_fen(f"8/8/8/8/8/2K5/{pieces}/k7 w - - 0 1")),
        "a8": Evaluator().score(parse_fen(f"k7/8/2K5/8/8/8/{pieces}/8 w - - 0 1")),
    }
    assert scores[right] > scores["a8" if right == "a1" else "a1"] + 500


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
