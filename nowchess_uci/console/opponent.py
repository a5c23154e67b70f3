"""The engine as a partner at the console: which move it plays, and whether it takes a draw."""

import enum
from typing import Protocol

from nowchess_uci.engine.engine import Engine
from nowchess_uci.rules.board import Board
from nowchess_uci.rules.fen import START_FEN, parse_fen, render_fen
from nowchess_uci.rules.position import Position
from nowchess_uci.search.limits import Limits

CONTENT = 15  # centipawns: an engine that is no further ahead takes a draw
IN_NEED = -100  # one that is so far behind takes it at any time
EARLY_MOVES = 20  # of a game from the start, in which nobody has tried to win yet
JUDGING_MS = 500  # at most, for the question whether to take a draw


class Opponent(Protocol):
    """Plays a side. Both take a position, with its past, that they may play on."""

    def choose(self, position: Position) -> str:
        """The move to play, as text (`e2e4`, `e7e8q` or SAN)."""

    def score(self, position: Position) -> int:
        """How good the position is for the side to move, in centipawns."""


class EngineOpponent:
    """Thinks `movetime_ms` for each move, or plays as strong as `elo` says."""

    def __init__(self, movetime_ms: int, elo: int | None) -> None:
        self.engine = Engine(elo=elo)
        self.engine.configure(move_overhead_ms=0)
        self.limits = Limits(movetime_ms=movetime_ms)
        self.judging = Limits(movetime_ms=min(movetime_ms, JUDGING_MS))

    def choose(self, position: Position) -> str:
        """The move of the engine, as strong as it is set."""
        return self.engine.play(position, self.limits)

    def score(self, position: Position) -> int:
        """The score at full strength: a weak player knows how the game stands, too."""
        return self.engine.analyse(without_past(position), self.judging).best.score.units


def without_past(position: Position) -> Position:
    """The position as if a game began with it: the question is who is better, not that a draw is near."""
    placement, side, castling, en_passant, _, number = render_fen(position).split()
    return parse_fen(f"{placement} {side} {castling} {en_passant} 0 {number}", position.chess960)


class Answer(enum.Enum):
    """What comes of an offer."""

    ACCEPTED = enum.auto()
    EARLY = enum.auto()
    BETTER = enum.auto()


def wants_draw(score: int) -> bool:
    """True if a side with this score claims a draw that it may claim."""
    return score <= CONTENT


def answer_offer(score: int, board: Board, start_fen: str) -> Answer:
    """What a side with this score says to the offer of a draw, in a game that began with `start_fen`."""
    if score <= IN_NEED:
        return Answer.ACCEPTED
    if start_fen == START_FEN and board.full_move_number <= EARLY_MOVES:
        return Answer.EARLY
    return Answer.ACCEPTED if wants_draw(score) else Answer.BETTER
