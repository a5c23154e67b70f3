"""How much memory the machine can still give, where it tells."""

MEMORY_FACTS = "/proc/meminfo"


def available_mib() -> int | None:
    """Free memory in MiB by the system's own estimate; None where the system does not say."""
    try:
        with open(MEMORY_FACTS, encoding="ascii") as file:
            return next(int(line.split()[1]) // 1024 for line in file if line.startswith("MemAvailable:"))
    except (OSError, StopIteration, ValueError, IndexError):
        return None
