"""What can be set on an engine, typed, each with its range; `Engine.configure` changes it."""

from typing import NamedTuple

from nowchess_uci.engine import strength


class Range(NamedTuple):
    """The whole numbers from low to high."""

    low: int
    high: int

    def holds(self, value: object) -> bool:
        """True for a whole number inside."""
        return isinstance(value, int) and not isinstance(value, bool) and self.low <= value <= self.high

    def nearest(self, value: int) -> int:
        """The number in the range that is nearest to another."""
        return min(max(value, self.low), self.high)

    def __str__(self) -> str:
        return f"{self.low} to {self.high}"


THREADS = Range(1, 512)
HASH_MIB = Range(1, 65536)
MOVE_OVERHEAD_MS = Range(0, 5000)
ELO = Range(strength.LEAST_ELO, strength.FULL_ELO)
LINES = Range(1, 256)
PROBE_DEPTH = Range(1, 100)
PROBE_LIMIT = Range(0, 7)


class Settings(NamedTuple):
    """How an engine thinks."""

    threads: int = 1
    """Threads that search side by side."""
    hash_mib: int = 16
    """Size of the transposition table."""
    move_overhead_ms: int = 10
    """Kept back from each move for the way between client and engine."""
    ponder: bool = False
    """The client lets the engine think on the opponent's time, so it may spend a little more on its own."""
    elo: int | None = None
    """Play as weak as this; None plays as well as it can."""
    analyse_mode: bool = False
    """Full strength whatever `elo` says, and no early end."""
    eval_file: str = ""
    """A file with the network to evaluate with; empty for the one that comes with the engine."""

    syzygy_path: str = ""
    """Folders with Syzygy tablebases, `;` between them; empty for none."""
    syzygy_probe_depth: int = 1
    """Depth from which positions with as many men as the largest tables are looked up."""
    syzygy_50_move_rule: bool = True
    """A win that the 50-move rule prevents counts as a draw."""
    syzygy_probe_limit: int = 7
    """Men of the largest positions that are looked up."""

    def check(self) -> None:
        """Raise a ValueError that says what is out of range."""
        for name, allowed in RANGES.items():
            value = getattr(self, name)
            if not allowed.holds(value) and not (name == "elo" and value is None):
                raise ValueError(f"{name} takes a whole number from {allowed}, not {value!r:.40}")
        if not isinstance(self.syzygy_path, str):
            raise ValueError(f"syzygy_path takes a text, not {self.syzygy_path!r:.40}")
        for name in ("ponder", "analyse_mode", "syzygy_50_move_rule"):
            if not isinstance(getattr(self, name), bool):
                raise ValueError(f"{name} takes True or False, not {getattr(self, name)!r:.40}")
        if not isinstance(self.eval_file, str):
            raise ValueError(f"eval_file takes the name of a file, not {self.eval_file!r:.40}")


RANGES = {
    "threads": THREADS,
    "hash_mib": HASH_MIB,
    "move_overhead_ms": MOVE_OVERHEAD_MS,
    "elo": ELO,
    "syzygy_probe_depth": PROBE_DEPTH,
    "syzygy_probe_limit": PROBE_LIMIT,
}
