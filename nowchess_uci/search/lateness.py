"""Why a move came late: what the machine really gave to the thread that searched.

A move that used more time than planned, but not more of the processor, was kept waiting by the machine; one that used
more of the processor is the engine's own fault.
"""

import time
from pathlib import Path
from typing import NamedTuple

try:
    from resource import RUSAGE_THREAD, getrusage
except ImportError:  # not on every system
    getrusage = None  # type: ignore[assignment]

LATE_MS = 10  # over the plan; less is nothing to ask about


class Usage(NamedTuple):
    """What the calling thread has used since it began."""

    processor_ms: float
    switches: int
    """How often the system took the processor away from it."""
    faults: int
    """Pages of memory that had to be brought first."""


class Late(NamedTuple):
    """A move that came later than planned. Times in milliseconds."""

    planned_ms: float
    """The latest moment for the end of the search, counted from `go`."""
    spent_ms: float
    start_ms: float
    """Of this, from `go` to the first line of the search."""
    used: Usage
    """By the thread of the search, from that first line on."""
    waited_ms: float | None
    """How long that thread stood ready to run and had no processor, since it began; None where nobody counts it."""


def usage_of_thread() -> Usage:
    """What the calling thread has used so far; zeros where the system does not say."""
    switches = faults = 0
    if getrusage is not None:
        found = getrusage(RUSAGE_THREAD)
        switches, faults = found.ru_nivcsw, found.ru_minflt + found.ru_majflt
    return Usage(1000 * time.thread_time(), switches, faults)


def used_since(before: Usage) -> Usage:
    """What the calling thread has used since then."""
    now = usage_of_thread()
    return Usage(now.processor_ms - before.processor_ms, now.switches - before.switches, now.faults - before.faults)


def waited_ms() -> float | None:
    """How long the calling thread stood in the queue for a processor since it began; None where nobody counts it."""
    try:
        return int(Path("/proc/thread-self/schedstat").read_text().split()[1]) / 1e6
    except (OSError, ValueError, IndexError):
        return None
