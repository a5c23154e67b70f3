"""When the engine takes a draw."""

import pytest

from nowchess_uci.console.opponent import Answer, EngineOpponent, answer_offer, wants_draw
from nowchess_uci.rules.board import Board
from nowchess_uci.rules.fen import START_FEN

LATE = "4k2r/8/8/8/8/8/8/4K2R w - - 0 40"
EARLY = START_FEN.replace("0 1", "0 20")


@pytest.mark.parametrize(("score", "wants"), [(-30_000, True), (0, True), (15, True), (16, False), (30_000, False)])
def test_a_draw_is_claimed_by_who_is_not_better(score: int, wants: bool) -> None:
    assert wants_draw(score) == wants


@pytest.mark.parametrize(
    ("score", "fen", "start_fen", "answer"),
    [
        (0, LATE, START_FEN, Answer.ACCEPTED),
        (15, LATE, START_FEN, Answer.ACCEPTED),
        (16, LATE, START_FEN, Answer.BETTER),
        (0, EARLY, START_FEN, Answer.EARLY),
        (0, START_FEN.replace("0 1", "0 21"), START_FEN, Answer.ACCEPTED),
        (-99, EARLY, START_FEN, Answer.EARLY),
        (-100, EARLY, START_FEN, Answer.ACCEPTED),  # glad to get away
        (0, EARLY, LATE, Answer.ACCEPTED),  # a game from a position is never early
    ],
)
def test_an_offer_is_accepted_by_who_is_not_better_and_not_too_early(
    score: int, fen: str, start_fen: str, answer: Answer
) -> None:
    assert answer_offer(score, Board(fen), start_fen) is answer


@pytest.mark.parametrize("elo", [None, 1000])
def test_the_engine_knows_who_is_better_however_weak_it_plays(elo: int | None) -> None:
    opponent = EngineOpponent(30, elo)
    assert opponent.score(Board("3qk3/8/8/8/8/8/8/4K3 w - - 0 40").position) < -300
    assert opponent.score(Board("3qk3/8/8/8/8/8/8/4K3 b - - 0 40").position) > 300


@pytest.mark.parametrize("clock", [0, 98, 99, 100, 140])
def test_a_draw_that_is_near_does_not_make_a_position_equal(clock: int) -> None:
    """With a rook more there is nothing to lose by playing on: the other side has to claim."""
    board = Board(f"4k2r/8/8/8/8/8/P7/4K3 w - - {clock} 120")
    board.play("Kd2")
    assert EngineOpponent(30, None).score(board.position) > 300


def test_a_repetition_does_not_make_a_position_equal() -> None:
    board = Board("4k2r/8/8/8/8/8/P7/4K3 w - - 0 60")
    board.play(*("Kd2", "Kd8", "Ke1", "Ke8") * 2, "Kd2")
    assert EngineOpponent(30, None).score(board.position) > 300
