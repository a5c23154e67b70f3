"""What runs for the GUI, and what waits for its end."""

from collections.abc import Callable
from typing import Any

from nowchess_uci.engine.job import Job, SearchJob


class Work:
    """At most one job, and the actions that may only be done when none runs."""

    def __init__(self) -> None:
        self._job: Job[Any] | None = None
        self._waiting: list[Callable[[], None]] = []

    @property
    def is_running(self) -> bool:
        """True between the start of a search, count or bench and its answer."""
        return self._job is not None and self._job.is_running

    @property
    def is_endless(self) -> bool:
        """True if the search goes on until told to stop."""
        return self.is_running and isinstance(self._job, SearchJob) and self._job.is_endless

    def replace(self, start: Callable[[], Job[Any]]) -> None:
        """Stop what runs, which answers first, and start something else."""
        self.stop()
        self.settle()
        self._job = start()

    def stop(self) -> None:
        """End what runs, if anything does."""
        if self._job is not None:
            self._job.stop()

    def ponderhit(self) -> None:
        """The opponent played the expected move."""
        if self.is_running and isinstance(self._job, SearchJob):
            self._job.ponderhit()

    def wait(self, seconds: float | None = None) -> bool:
        """Until nothing runs, or some seconds; True if nothing runs."""
        return self._job is None or self._job.wait(seconds)

    def when_idle(self, action: Callable[[], None]) -> None:
        """Do this now, or after the end of what runs."""
        self._waiting.append(action)
        if not self.is_running:
            self.settle()

    def settle(self) -> None:
        """Wait for the end of what runs, then do what waited for it."""
        self.wait()
        while self._waiting:
            self._waiting.pop(0)()
