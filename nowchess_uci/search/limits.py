"""What a search is asked to do: the values of a `go` command, and the options that bear on it."""

from collections.abc import Callable
from typing import NamedTuple


class Limits(NamedTuple):
    """All limits of one search; the first one reached ends it. None means no such limit. Times in milliseconds."""

    time_ms: int | None = None
    increment_ms: int = 0
    moves_to_go: int | None = None
    movetime_ms: int | None = None
    depth: int | None = None
    nodes: int | None = None
    mate: int | None = None
    infinite: bool = False
    ponder: bool = False
    search_moves: tuple[int, ...] = ()
    multi_pv: int = 1
    shown_lines: int = 1
    """How many of those are reported; a weaker player considers more than it shows."""
    overhead_ms: int = 10
    analysing: bool = False
    may_ponder: bool = False
    choose: Callable[[list[int]], int] | None = None
    """Picks one of the best moves by their scores, for playing weaker; None plays the best."""
    started: float = 0.0
    """When the command was read, in seconds of the monotonic clock."""
