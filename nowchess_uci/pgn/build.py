"""Makes a tree of a game that is walked through."""

from collections.abc import Mapping

from nowchess_uci.pgn.tree import PgnError, PgnGame, PgnLine, PgnMove
from nowchess_uci.pgn.walk import Visitor
from nowchess_uci.rules.position import Position


class Waiting:
    """What stands after a move and belongs to it: gathered in lists, because there may be very much of it."""

    __slots__ = ("comments", "nags", "variations")

    def __init__(self) -> None:
        self.nags: list[int] = []
        self.comments: list[str] = []
        self.variations: list[PgnLine] = []


class TreeBuilder(Visitor[PgnGame]):
    """Keeps everything, or all but the variations."""

    def __init__(self, keep_variations: bool = True) -> None:
        self.keeps_variations = keep_variations
        self.reset()

    def reset(self) -> None:
        """Expect another game."""
        self.game = PgnGame()
        self.line = self.game.line
        self.moves = self.line.moves
        self.waiting: Waiting | None = None
        self.interrupted: list[tuple[PgnLine, Waiting | None]] = []

    def begin(self, tags: Mapping[str, str], position: Position) -> bool:
        self.game.tags = dict(tags)
        return True

    def move(self, position: Position, move: int) -> None:
        if self.waiting is not None:
            self.settle()
        self.moves.append(PgnMove(move))

    def mark(self, nag: int) -> None:
        self.gather().nags.append(nag)

    def comment(self, text: str) -> None:
        self.gather().comments.append(text)

    def gather(self) -> Waiting:
        """Where what is said now has to wait."""
        if self.waiting is None:
            self.waiting = Waiting()
        return self.waiting

    def settle(self) -> None:
        """What was said after the last move of the line belongs to it, or to the line if it has no move."""
        if self.waiting is None:
            return
        place = self.moves[-1] if self.moves else self.line
        place.comment = " ".join(self.waiting.comments)
        if isinstance(place, PgnMove):
            place.nags = tuple(self.waiting.nags)
            place.variations = tuple(self.waiting.variations)
        self.waiting = None

    def open_variation(self) -> None:
        self.interrupted.append((self.line, self.waiting))
        self.line = PgnLine()
        self.moves = self.line.moves
        self.waiting = None

    def close_variation(self) -> None:
        self.settle()
        variation = self.line
        self.line, self.waiting = self.interrupted.pop()
        self.moves = self.line.moves
        if variation.moves or variation.comment:
            self.gather().variations.append(variation)

    def error(self, error: PgnError) -> None:
        self.game.errors.append(error)

    def end(self, result: str) -> PgnGame:
        self.settle()
        game = self.game
        game.result = result
        self.reset()
        return game
