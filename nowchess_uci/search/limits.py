"""What a search is asked for, as it was said: both clocks, moves as text. The engine makes a task of it."""

from typing import NamedTuple

LARGEST = 1 << 62
BRIEF_NODES = 200_000
BRIEF_MS = 200


class Limits(NamedTuple):
    """The limits of one search; the first one reached ends it, and without any it ends only when it is stopped.

    None means that there is no such limit. Times are milliseconds.
    """

    depth: int | None = None
    """Half-moves to look ahead."""
    nodes: int | None = None
    """Positions to look at, by all threads together."""
    movetime_ms: int | None = None
    """Time for this move."""
    mate: int | None = None
    """Look for a mate in so many moves."""
    white_time_ms: int | None = None
    """What White's clock has left."""
    black_time_ms: int | None = None
    white_increment_ms: int = 0
    """What each move adds to White's clock."""
    black_increment_ms: int = 0
    moves_to_go: int | None = None
    """Moves until time is added; None means that the rest of the game has to be played in what is left."""
    infinite: bool = False
    """Answer only when stopped, whatever other limit is reached."""
    ponder: bool = False
    """The opponent's clock runs; ours begins with `ponderhit`."""
    search_moves: tuple[str, ...] = ()
    """Look at these moves only."""
    started: float = 0.0
    """When our clock began to run, by `time.monotonic()`; 0 means when the search begins."""

    def check(self) -> None:
        """Raise a ValueError that says what makes no sense."""
        for name in ("depth", "nodes", "movetime_ms", "mate", "moves_to_go"):
            value = getattr(self, name)
            if value is not None and not (is_whole(value) and 1 <= value <= LARGEST):
                raise ValueError(f"{name} is a whole number from 1 on, not {value!r:.40}")
        for name in ("white_time_ms", "black_time_ms"):
            value = getattr(self, name)
            if value is not None and not (is_whole(value) and abs(value) <= LARGEST):
                raise ValueError(f"{name} is a whole number of milliseconds, not {value!r:.40}")
        for name in ("white_increment_ms", "black_increment_ms"):
            value = getattr(self, name)
            if not (is_whole(value) and abs(value) <= LARGEST):
                raise ValueError(f"{name} is a whole number of milliseconds, not {value!r:.40}")
        for name in ("infinite", "ponder"):
            if not isinstance(getattr(self, name), bool):
                raise ValueError(f"{name} is True or False, not {getattr(self, name)!r:.40}")
        moves = self.search_moves
        if not isinstance(moves, tuple | list) or not all(isinstance(move, str) for move in moves):
            raise ValueError(f"search_moves are several texts, not {moves!r:.40}")
        if not isinstance(self.started, int | float) or not 0 <= self.started < LARGEST:
            raise ValueError(f"started is a time of time.monotonic(), not {self.started!r:.40}")

    @property
    def has_any(self) -> bool:
        """True if anything limits the search."""
        return self._replace(started=0.0, search_moves=()) != Limits()

    @property
    def is_endless(self) -> bool:
        """True if the search answers only when it is told to stop, or that its clock runs."""
        return self.infinite or self.ponder

    @property
    def is_brief(self) -> bool:
        """True if the search will surely be over in half a second or so."""
        nodes, milliseconds = self.nodes or BRIEF_NODES + 1, self.movetime_ms or BRIEF_MS + 1
        return nodes <= BRIEF_NODES or milliseconds <= BRIEF_MS


def is_whole(value: object) -> bool:
    """True for integers; True and False are none here."""
    return isinstance(value, int) and not isinstance(value, bool)
