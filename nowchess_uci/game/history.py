"""What has been played: the moves in order and the half-move clock of the 50-move rule.

Values only, never changed: adding a move gives a new history. Knows no position; whether a move was a pawn move or a
capture is told by the caller.
"""

import enum
from dataclasses import dataclass
from typing import ClassVar


class CastleSide(enum.StrEnum):
    """Which rook a castling king goes to."""

    KING = "king side"
    QUEEN = "queen side"


class PromotionPiece(enum.StrEnum):
    """What a pawn may become (FIDE 3.7.3.3), by the letter that is typed."""

    QUEEN = "q"
    ROOK = "r"
    BISHOP = "b"
    KNIGHT = "n"


@dataclass(frozen=True, slots=True)
class HistoryMove:
    """One move that was played. The target of a castling is the square where the king ends."""

    origin: str
    target: str
    castle_side: CastleSide | None = None
    promotion_piece: PromotionPiece | None = None


@dataclass(frozen=True, slots=True)
class GameHistory:
    """The moves so far, oldest first, and how many half-moves ago a pawn was moved or a piece captured."""

    moves: tuple[HistoryMove, ...] = ()
    half_move_clock: int = 0

    empty: ClassVar["GameHistory"]
    """No move yet, and the clock at 0."""

    def add_move(self, move: HistoryMove, *, was_pawn_move: bool = False, was_capture: bool = False) -> "GameHistory":
        """The history with one more move; a pawn move or a capture sets the clock to 0 (FIDE 9.3)."""
        clock = 0 if was_pawn_move or was_capture else self.half_move_clock + 1
        return GameHistory((*self.moves, move), clock)


GameHistory.empty = GameHistory()
