"""What can come of one line of input: the values that `process_move` returns.

A result that carries a `game` carries the game after the move; without one, nothing has moved.
"""

import enum
from dataclasses import dataclass

from nowchess_uci.game.game import Game
from nowchess_uci.rules.draws import Status


class Claim(enum.StrEnum):
    """Why a player may claim a draw."""

    FIFTY_MOVES = "50-move rule"
    THREEFOLD = "threefold repetition"


@dataclass(frozen=True, slots=True)
class Quit:
    """The player wants to leave."""


@dataclass(frozen=True, slots=True)
class InvalidFormat:
    """A text that is no move and no command; also a draw claim that no rule supports."""

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
    """A move that the rules do not allow here, or a text that fits several legal moves."""

    text: str
    is_ambiguous: bool = False


@dataclass(frozen=True, slots=True)
class PromotionRequired:
    """A legal pawn move to the last rank that does not say what the pawn becomes; it still stands on its origin."""

    origin: str
    target: str
    captured: str | None


@dataclass(frozen=True, slots=True)
class DrawClaimed:
    """A draw that was claimed rightly (FIDE 9.2, 9.3); an intended move is not played any more."""

    claim: Claim


@dataclass(frozen=True, slots=True)
class Played:
    """A move that was made; `captured` is the FEN letter of the piece it took, if any."""

    game: Game
    captured: str | None


class Moved(Played):
    """The game goes on."""

    __slots__ = ()


class MovedInCheck(Played):
    """The game goes on and the side to move is in check."""

    __slots__ = ()


class Stalemate(Played):
    """The side to move has no move and is not in check (FIDE 5.2.1)."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Checkmate(Played):
    """The side to move is mated (FIDE 5.1.1)."""

    winner: str


@dataclass(frozen=True, slots=True)
class AutomaticDraw(Played):
    """A draw that nobody has to claim: dead position, 75 moves or fivefold repetition (FIDE 5.2.2, 9.6)."""

    reason: Status


MoveResult = Quit | InvalidFormat | NoPiece | WrongColor | IllegalMove | PromotionRequired | DrawClaimed | Played
