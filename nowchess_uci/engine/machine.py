"""What the machine can give: memory, where the system reports how much is left, and processors."""

import os
from contextlib import suppress

MEMORY_FACTS = "/proc/meminfo"
GROUP_LIMIT = "/sys/fs/cgroup/memory.max"  # of the container, if we are in one; the word `max` if it has no limit
THREADS_PER_PROCESSOR = 4
GROUP_USE = "/sys/fs/cgroup/memory.current"


def available_mib() -> int | None:
    """Free memory in MiB by the system's own estimate; None where the system does not say."""
    found = []
    with suppress(OSError, StopIteration, ValueError, IndexError), open(MEMORY_FACTS, encoding="ascii") as file:
        found.append(next(int(line.split()[1]) // 1024 for line in file if line.startswith("MemAvailable:")))
    with suppress(OSError, ValueError), open(GROUP_LIMIT) as limit, open(GROUP_USE) as use:
        found.append(max(int(limit.read()) - int(use.read()), 0) >> 20)
    return min(found, default=None)


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def useful_threads(wanted: int) -> int:
    """So many threads, but no more than a few for each processor: the others would only keep it from answering."""
    return min(wanted, THREADS_PER_PROCESSOR * processors())
