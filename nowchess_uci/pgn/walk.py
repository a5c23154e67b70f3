"""The one walk through a game and its variations, whether it comes from a text, from a tree, or is skipped.

Whoever knows a game takes the steps of a `Walk`: the reader as it reads them, `walk_game` from a tree. The walk keeps
the position and reports to a `Visitor`, which makes of it what it likes: a tree, a text, a count. Nothing here calls
itself, because variations may be nested deeper than Python calls may.
"""

from collections.abc import Iterator, Mapping
from typing import Generic, TypeVar

from nowchess_uci.pgn.tree import PgnError, PgnGame, PgnLine, PgnMove
from nowchess_uci.rules import movegen
from nowchess_uci.rules.position import Position

T = TypeVar("T")


class Visitor(Generic[T]):
    """Is told about one game after another, in the order in which a file has it.

    Each method does nothing unless a subclass says otherwise, except `end`, which every one has to define. What stands
    after a move (marks, comments, variations) belongs to that move, and before the first move of a line to the line.
    The position is the walk's own: it may be looked at but not changed.
    """

    keeps_variations = True
    """False skips all variations."""

    def begin(self, tags: Mapping[str, str], position: Position) -> bool:
        """A game with these tags, and its position before the first move; False skips its moves."""
        return True

    def move(self, position: Position, move: int) -> None:
        """A legal move, which is made on the position after this call."""

    def mark(self, nag: int) -> None:
        """A mark such as `$1`."""

    def comment(self, text: str) -> None:
        """A comment."""

    def open_variation(self) -> None:
        """Moves instead of the last one follow."""

    def close_variation(self) -> None:
        """The line that the variation interrupted goes on."""

    def error(self, error: PgnError) -> None:
        """Something could not be read; may come before `begin`, if it stands among the tags."""

    def end(self, result: str) -> T:
        """The game is over; returns what was made of it, and is ready for the next one."""
        raise NotImplementedError


class Walk(Generic[T]):
    """Where in a game one is: the position, and the lines that have been interrupted on the way."""

    def __init__(self, visitor: Visitor[T]) -> None:
        self.visitor = visitor
        self.start(Position())

    def start(self, position: Position) -> None:
        """Stand before the first move of a game; the position is played on."""
        self.position = position
        self.played = 0
        """How many moves of the current line have been made."""
        self._interrupted: list[tuple[int, int]] = []  # for each line how many moves, and the last of them

    def play(self, move: int) -> None:
        """Take the next move of the current line."""
        self.visitor.move(self.position, move)
        movegen.play(self.position, move)
        self.played += 1

    def open_variation(self) -> None:
        """Go back by one move and begin a variation."""
        self.visitor.open_variation()
        self._interrupted.append((self.played, self.position.last_move))
        movegen.undo(self.position)
        self.played = 0

    def close_variation(self) -> None:
        """Return to the line that the variation interrupted."""
        self.visitor.close_variation()
        for _ in range(self.played):
            movegen.undo(self.position)
        self.played, move = self._interrupted.pop()
        movegen.play(self.position, move)


def walk_game(game: PgnGame, visitor: Visitor[T]) -> T:
    """Tell a visitor about a game; raises ValueError if its tags name no position that can be played."""
    walk = Walk(visitor)
    walk.start(game.start())
    if visitor.begin(game.tags, walk.position):
        walk_lines(game.line, walk)
    for error in game.errors:
        visitor.error(error)
    return visitor.end(game.result)


def walk_lines(line: PgnLine, walk: Walk[T]) -> None:
    """Take all steps of the main line and of the variations that say something."""
    if line.comment:
        walk.visitor.comment(line.comment)
    unfinished = [steps_of(line)]
    while unfinished:
        step = next(unfinished[-1], None)
        if step is None:
            unfinished.pop()
            if unfinished:
                walk.close_variation()
        elif isinstance(step, PgnMove):
            walk.play(step.move)
            for nag in step.nags:
                walk.visitor.mark(nag)
            if step.comment:
                walk.visitor.comment(step.comment)
        elif walk.visitor.keeps_variations and (step.moves or step.comment):
            walk.open_variation()
            if step.comment:
                walk.visitor.comment(step.comment)
            unfinished.append(steps_of(step))


def steps_of(line: PgnLine) -> Iterator[PgnMove | PgnLine]:
    """The moves of a line, each followed by the variations to it."""
    for node in line.moves:
        yield node
        yield from node.variations
