"""How much memory the machine can still give, where it tells."""

from pathlib import Path


def available_mib() -> int | None:
    """Free memory in MiB by the system's own estimate; None where the system does not say."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        return next(int(line.split()[1]) // 1024 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, StopIteration, ValueError, IndexError):
        return None
