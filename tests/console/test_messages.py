"""Every outcome and every reason in the words that a player reads."""

import typing

import pytest
from games import played

from nowchess_uci import Status
from nowchess_uci.console.messages import render_outcome, render_reason
from nowchess_uci.game import outcomes
from nowchess_uci.game.game import Game
from nowchess_uci.game.history import HistoryMove
from nowchess_uci.game.outcomes import GameEvent, Reason

REASONS: list[tuple[Reason, str]] = [
    (outcomes.InvalidFormat("xyz"), "Invalid move format 'xyz'. Use coordinate notation, e.g. e2e4."),
    (outcomes.InvalidFormat("\x1b[2J"), "Invalid move format '\\x1b[2J'. Use coordinate notation, e.g. e2e4."),
    (outcomes.NoPiece("e3"), "No piece on e3."),
    (outcomes.WrongColor("e7"), "That is not your piece."),
    (outcomes.IllegalMove("e2e5"), "Illegal move."),
    (outcomes.IllegalMove("Rd1", is_ambiguous=True), "Illegal move: 'Rd1' fits several pieces."),
    (outcomes.DrawRefused("draw"), "Draw cannot be claimed: the 50-move rule has not been triggered."),
    (outcomes.InvalidPiece("k"), "Invalid piece. Choose (q/r/b/n)."),
    (outcomes.Missing.UNDO, "Nothing to undo."),
    (outcomes.Missing.REDO, "Nothing to redo."),
    (outcomes.Missing.PROMOTION, "No promotion is pending."),
]


@pytest.mark.parametrize(("reason", "message"), REASONS)
def test_reasons(reason: Reason, message: str) -> None:
    assert render_reason(reason) == message
    assert render_outcome(outcomes.InvalidMove(Game.from_fen(), reason)) == message


def test_no_reason_is_without_words() -> None:
    told = [reason for reason, _ in REASONS]
    assert {type(reason) for reason in told} == set(typing.get_args(Reason))
    assert set(outcomes.Missing) <= {reason for reason in told if isinstance(reason, outcomes.Missing)}


BLACK_TO_MOVE = played("e4")


@pytest.mark.parametrize(
    ("outcome", "message"),
    [
        (
            outcomes.MoveExecuted(BLACK_TO_MOVE, HistoryMove("e4", "d5"), "exd5", "p"),
            "White captures Black Pawn on d5",
        ),
        (
            outcomes.MoveExecuted(Game.from_fen(), HistoryMove("d8", "d5"), "Qxd5", "N"),
            "Black captures White Knight on d5",
        ),
        (outcomes.MoveExecuted(BLACK_TO_MOVE, HistoryMove("e2", "e4"), "e4", None), ""),
        (outcomes.CheckDetected(BLACK_TO_MOVE), "Black is in check!"),
        (
            outcomes.ThreefoldAvailable(BLACK_TO_MOVE),
            "[Threefold repetition] Black may claim a draw by typing draw.",
        ),
        (outcomes.FiftyMoveRuleAvailable(BLACK_TO_MOVE), ""),
        (outcomes.BoardReset(BLACK_TO_MOVE), ""),
        (outcomes.QuitRequested(BLACK_TO_MOVE), ""),
        (outcomes.PromotionRequired(BLACK_TO_MOVE, "e7", "e8", None), ""),
        (outcomes.Checkmate(BLACK_TO_MOVE, "white"), "Checkmate! White wins."),
        (outcomes.Stalemate(BLACK_TO_MOVE), "Stalemate! The game is a draw."),
        (outcomes.AutomaticDraw(BLACK_TO_MOVE, Status.DEAD_POSITION), "Draw by dead position."),
        (outcomes.DrawClaimed(BLACK_TO_MOVE, outcomes.Claim.THREEFOLD), "Draw claimed by threefold repetition."),
    ],
)
def test_outcomes(outcome: GameEvent, message: str) -> None:
    assert render_outcome(outcome) == message
