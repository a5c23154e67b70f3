"""What a `GameEngine` tells its observers: one value per thing that happened.

Every event carries the game it is about. At an end that is the game as it ended, although the engine itself stands
at the start of the next one by then.
"""

from collections.abc import Callable
from dataclasses import dataclass

from nowchess_uci.game.game import Game
from nowchess_uci.game.history import HistoryMove
from nowchess_uci.game.results import Claim
from nowchess_uci.rules.draws import Status


@dataclass(frozen=True, slots=True)
class GameEvent:
    """Something happened in this game."""

    game: Game


@dataclass(frozen=True, slots=True)
class MoveExecuted(GameEvent):
    """A move was made, or made again; `captured` is the FEN letter of the piece it took, if any."""

    move: HistoryMove
    san: str
    captured: str | None


@dataclass(frozen=True, slots=True)
class CheckDetected(GameEvent):
    """The side to move is in check."""


@dataclass(frozen=True, slots=True)
class InvalidMove(GameEvent):
    """An input that changed nothing, and why, in words for the player."""

    reason: str


@dataclass(frozen=True, slots=True)
class BoardReset(GameEvent):
    """The board shows another position without a move: a new game, or a move taken back."""


@dataclass(frozen=True, slots=True)
class PromotionRequired(GameEvent):
    """A pawn move waits for the choice of its piece; nothing has moved yet."""

    origin: str
    target: str


@dataclass(frozen=True, slots=True)
class FiftyMoveRuleAvailable(GameEvent):
    """The last move left the clock at 100 or more: the side to move may claim (FIDE 9.3)."""


@dataclass(frozen=True, slots=True)
class ThreefoldAvailable(GameEvent):
    """The position stands for the third time or more: the side to move may claim (FIDE 9.2)."""


@dataclass(frozen=True, slots=True)
class DrawClaimed(GameEvent):
    """The game ended by a claim."""

    claim: Claim


@dataclass(frozen=True, slots=True)
class Checkmate(GameEvent):
    """The game ended by checkmate."""

    winner: str


@dataclass(frozen=True, slots=True)
class Stalemate(GameEvent):
    """The game ended by stalemate."""


@dataclass(frozen=True, slots=True)
class AutomaticDraw(GameEvent):
    """The game ended drawn without a claim: dead position, 75 moves or fivefold repetition."""

    reason: Status


@dataclass(frozen=True, slots=True)
class QuitRequested(GameEvent):
    """The player wants to leave; the game stays as it is."""


Observer = Callable[[GameEvent], None]
