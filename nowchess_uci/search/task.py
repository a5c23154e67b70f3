"""What one search has to do, with everything decided: the engine works it out of limits and settings."""

from collections.abc import Callable
from typing import NamedTuple

from nowchess_uci.search.limits import Limits


class Probing(NamedTuple):
    """How a search uses the tablebases, if there are any."""

    men: int = 7
    """Look up positions of at most so many men."""
    depth: int = 1
    """Those of exactly so many men only where this depth is left."""
    fifty_moves: bool = True
    """The 50-move rule counts: a win that takes longer is a draw."""


class Task(NamedTuple):
    """Limits, and what they mean for the side to move. Times in milliseconds."""

    limits: Limits = Limits()
    time_ms: int | None = None
    """What the clock of the side to move has left; None if there is no clock."""
    increment_ms: int = 0
    search_moves: tuple[int, ...] = ()
    """The only root moves to look at; all if empty."""
    lines: int = 1
    """How many of the best moves get a line of their own."""
    shown_lines: int = 1
    """How many of those are reported; a weaker player considers more than it shows."""
    overhead_ms: int = 10
    analysing: bool = False
    """Nobody plays the move: no early end."""
    may_ponder: bool = False
    probing: Probing = Probing()
    choose: Callable[[list[int]], int] | None = None
    """Picks one of the best moves by their scores, for playing weaker; None plays the best."""

    @property
    def ends(self) -> bool:
        """True if the search will end by itself."""
        limits = self.limits
        found = (limits.depth, limits.nodes, limits.movetime_ms, limits.mate, self.time_ms)
        return any(limit is not None for limit in found) and not limits.is_endless
