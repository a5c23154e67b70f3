"""How long the machine stood still: a shared one is taken away from all its programs at times, and none can help it.

A crowd of busy processes on one processor looks the same from here; so it proves something only on a machine that does
nothing else.
"""

import subprocess
import sys
import threading
import time

LEAST_MS = 10  # shorter ones are the usual turns of processes

# Sleeps on one processor, and says when it was woken much too late, and by how much.
SLEEPER = f"""
import os, sys, time
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {{int(sys.argv[1])}})
parent = os.getppid()
last = time.monotonic()
while os.getppid() == parent:
    time.sleep(0.002)
    now = time.monotonic()
    if now - last > {LEAST_MS / 1000}:
        print(now, now - last, flush=True)
    last = now
"""


class StallWatch:
    """One sleeper for each processor, and what they noticed."""

    def __init__(self, processors: list[int]) -> None:
        self.stalls: list[tuple[float, float]] = []  # when it ended, and its length in milliseconds
        self.sleepers = [
            subprocess.Popen([sys.executable, "-S", "-c", SLEEPER, str(number)], stdout=subprocess.PIPE, text=True)
            for number in processors
        ]
        for sleeper in self.sleepers:
            threading.Thread(target=self._listen, args=(sleeper,), daemon=True).start()

    def _listen(self, sleeper: "subprocess.Popen[str]") -> None:
        assert sleeper.stdout is not None
        for line in sleeper.stdout:
            end, seconds = map(float, line.split())
            self.stalls.append((end, 1000 * seconds))

    def longest_ms(self, since: float) -> float:
        """The longest standstill that ended after a moment of the monotonic clock."""
        time.sleep(0.05)  # until the sleepers have said it
        return max((length for end, length in self.stalls if end >= since), default=0.0)

    def close(self) -> None:
        for sleeper in self.sleepers:
            sleeper.kill()
            sleeper.wait()
