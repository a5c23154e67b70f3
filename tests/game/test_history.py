"""The half-move clock and the record of moves."""

import dataclasses

import pytest

from nowchess_uci.game.history import CastleSide, GameHistory, HistoryMove, PromotionPiece


def test_the_clock_starts_at_0() -> None:
    assert GameHistory() == GameHistory((), 0)
    assert GameHistory.empty == GameHistory()


def test_the_clock_counts_a_move_that_is_neither_pawn_move_nor_capture() -> None:
    assert GameHistory().add_move(HistoryMove("g1", "f3")).half_move_clock == 1


@pytest.mark.parametrize(("was_pawn_move", "was_capture"), [(True, False), (False, True), (True, True)])
def test_a_pawn_move_a_capture_or_both_set_the_clock_to_0(was_pawn_move: bool, was_capture: bool) -> None:
    history = GameHistory(half_move_clock=42)
    after = history.add_move(HistoryMove("e5", "d6"), was_pawn_move=was_pawn_move, was_capture=was_capture)
    assert after.half_move_clock == 0
    assert history.half_move_clock == 42


def test_the_clock_carries_across_several_moves() -> None:
    clocks = []
    history = GameHistory()
    for origin, target, was_pawn_move in (
        ("g1", "f3", False),
        ("g8", "f6", False),
        ("e2", "e4", True),
        ("b1", "c3", False),
    ):
        history = history.add_move(HistoryMove(origin, target), was_pawn_move=was_pawn_move)
        clocks.append(history.half_move_clock)
    assert clocks == [1, 2, 0, 1]


def test_a_history_can_begin_at_any_clock() -> None:
    assert GameHistory(half_move_clock=42).half_move_clock == 42
    assert GameHistory(half_move_clock=42).add_move(HistoryMove("g1", "f3")).half_move_clock == 43


def test_a_move_records_castling_and_promotion_or_nothing() -> None:
    moves = (
        HistoryMove("e1", "g1", CastleSide.KING, None),
        HistoryMove("e7", "e8", None, PromotionPiece.KNIGHT),
        HistoryMove("g1", "h1", None, None),
    )
    history = GameHistory.empty.add_move(HistoryMove("e1", "g1", CastleSide.KING))
    history = history.add_move(HistoryMove("e7", "e8", promotion_piece=PromotionPiece.KNIGHT))
    history = history.add_move(HistoryMove("g1", "h1"))
    assert history.moves == moves
    assert GameHistory.empty.moves == ()


def test_a_history_cannot_be_changed() -> None:
    history = GameHistory()
    with pytest.raises(dataclasses.FrozenInstanceError):
        history.half_move_clock = 3  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        HistoryMove("e2", "e4").origin = "e3"  # type: ignore[misc]
