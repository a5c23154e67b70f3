"""Every outcome and every reason in the words that a player reads."""

import typing

import pytest
from games import played

from nowchess_uci import Status
from nowchess_uci.console.messages import render_failure, render_outcome, render_reason
from nowchess_uci.game import outcomes
from nowchess_uci.game.game import Game
from nowchess_uci.game.history import HistoryMove
from nowchess_uci.game.outcomes import GameEvent, Reason

REASONS: list[tuple[Reason, str]] = [
    (outcomes.InvalidFormat("xyz"), "Invalid move format 'xyz'. Use coordinate notation, e.g. e2e4, or SAN, e.g. Nf3."),
    (
        outcomes.InvalidFormat("\x1b[2J"),
        "Invalid move format '\\x1b[2J'. Use coordinate notation, e.g. e2e4, or SAN, e.g. Nf3.",
    ),
    (outcomes.NoPiece("e3"), "No piece on e3."),
    (outcomes.WrongColor("e7"), "That is not your piece."),
    (outcomes.IllegalMove("e2e5"), "Illegal move. Type moves to see the legal ones."),
    (outcomes.AmbiguousMove("Rd1", ("Rad1", "Rhd1")), "'Rd1' fits several moves: Rad1, Rhd1."),
    (outcomes.DrawRefused("draw"), "Draw cannot be claimed: the 50-move rule has not been triggered."),
    (
        outcomes.DrawRefused("draw e4"),
        "Draw cannot be claimed with 'e4': no 50 moves, no threefold repetition.",
    ),
    (
        outcomes.DrawRefused("draw a3", stands_without_move=True),
        "Draw cannot be claimed with 'a3', only before it: type draw alone.",
    ),
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
        (outcomes.DrawAgreed(BLACK_TO_MOVE), "Draw agreed."),
        (outcomes.Resigned(BLACK_TO_MOVE, "white"), "Black resigns. White wins."),
    ],
)
def test_outcomes(outcome: GameEvent, message: str) -> None:
    assert render_outcome(outcome) == message


def test_a_file_that_fails_is_called_by_the_name_that_the_player_gave_it() -> None:
    error = FileNotFoundError(2, "No such file or directory", "/home/x/.g.pgn.123.part")
    assert render_failure("g.pgn", error) == "The game could not be saved to 'g.pgn' (No such file or directory)."
    assert render_failure("\0", ValueError("embedded null byte")) == (
        "The game could not be saved to '\\x00' (embedded null byte)."
    )
    assert render_failure("g.pgn", KeyboardInterrupt()) == "The game could not be saved to 'g.pgn' (interrupted)."
