"""What can come of a player's input: the values that `process_move` returns and that observers receive.

Every outcome carries the game it is about: after a move the game with that move, else the game as it stands. At an
end that is the game as it ended, although a `GameEngine` itself stands at the start of the next one by then. Nothing
here is a text for people; whoever writes an outcome out finds the words.
"""

import enum
from collections.abc import Callable
from dataclasses import dataclass

from nowchess_uci.game.game import Game
from nowchess_uci.game.history import HistoryMove
from nowchess_uci.rules.draws import Status


@dataclass(frozen=True, slots=True)
class GameEvent:
    """Something happened in this game."""

    game: Game


# Moves, and what they lead to.


@dataclass(frozen=True, slots=True)
class MoveExecuted(GameEvent):
    """A move was made, or made again; `captured` is the FEN letter of the piece it took, if any."""

    move: HistoryMove
    san: str
    captured: str | None


@dataclass(frozen=True, slots=True)
class PromotionRequired(GameEvent):
    """A legal pawn move to the last rank that does not say what the pawn becomes; it still stands on its origin."""

    origin: str
    target: str
    captured: str | None


@dataclass(frozen=True, slots=True)
class CheckDetected(GameEvent):
    """The side to move is in check."""


@dataclass(frozen=True, slots=True)
class FiftyMoveRuleAvailable(GameEvent):
    """The last move left the clock at 100 or more: the side to move may claim (FIDE 9.3)."""


@dataclass(frozen=True, slots=True)
class ThreefoldAvailable(GameEvent):
    """The position stands for the third time or more: the side to move may claim (FIDE 9.2)."""


# Ends.


class Claim(enum.StrEnum):
    """Why a player may claim a draw."""

    FIFTY_MOVES = "50-move rule"
    THREEFOLD = "threefold repetition"


@dataclass(frozen=True, slots=True)
class GameEnded(GameEvent):
    """The game is over, in one of the ways below."""


@dataclass(frozen=True, slots=True)
class Checkmate(GameEnded):
    """The side to move is mated (FIDE 5.1.1)."""

    winner: str


@dataclass(frozen=True, slots=True)
class Stalemate(GameEnded):
    """The side to move has no move and is not in check (FIDE 5.2.1)."""


@dataclass(frozen=True, slots=True)
class AutomaticDraw(GameEnded):
    """A draw that nobody has to claim: dead position, 75 moves or fivefold repetition (FIDE 5.2.2, 9.6)."""

    reason: Status


@dataclass(frozen=True, slots=True)
class DrawClaimed(GameEnded):
    """A draw that was claimed rightly (FIDE 9.2, 9.3); an intended move is not played any more."""

    claim: Claim


@dataclass(frozen=True, slots=True)
class DrawAgreed(GameEnded):
    """The players have agreed upon a draw (FIDE 5.2.3)."""


@dataclass(frozen=True, slots=True)
class Resigned(GameEnded):
    """The side to move has given the game up (FIDE 5.1.2)."""

    winner: str


# What is no move.


@dataclass(frozen=True, slots=True)
class BoardReset(GameEvent):
    """The board shows another position without a move: a new game, or a move taken back."""


@dataclass(frozen=True, slots=True)
class QuitRequested(GameEvent):
    """The player wants to leave; the game stays as it is."""


@dataclass(frozen=True, slots=True)
class InvalidFormat:
    """A text that is no move and no command."""

    text: str


@dataclass(frozen=True, slots=True)
class NoPiece:
    """A move from an empty square."""

    square: str


@dataclass(frozen=True, slots=True)
class WrongColor:
    """A move of the other side's piece."""

    square: str


@dataclass(frozen=True, slots=True)
class IllegalMove:
    """A move that the rules do not allow here."""

    text: str


@dataclass(frozen=True, slots=True)
class AmbiguousMove:
    """A text that fits several legal moves, which are given as SAN."""

    text: str
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DrawRefused:
    """A claim that no rule supports, now or with the intended move it names."""

    text: str
    stands_without_move: bool = False
    """True if only the intended move stands in the way: `draw` alone would be right."""


@dataclass(frozen=True, slots=True)
class InvalidPiece:
    """An answer that names no piece a pawn may become."""

    text: str


class Missing(enum.Enum):
    """There is nothing that the request could be about."""

    UNDO = enum.auto()
    REDO = enum.auto()
    PROMOTION = enum.auto()


Reason = InvalidFormat | NoPiece | WrongColor | IllegalMove | AmbiguousMove | DrawRefused | InvalidPiece | Missing


@dataclass(frozen=True, slots=True)
class InvalidMove(GameEvent):
    """An input that changed nothing, and why."""

    reason: Reason


Outcomes = tuple[GameEvent, ...]
"""All that one input leads to, in order: the move first, then what it means for the game."""

Observer = Callable[[GameEvent], None]
