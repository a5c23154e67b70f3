"""One cancellable piece of work on a thread of its own: a search, a count, a bench."""

import atexit
import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from nowchess_uci.search.pool import STACK_BYTES
from nowchess_uci.search.thinking import Thinking
from nowchess_uci.threads import Thread, start_threads, wait_for

Result = TypeVar("Result")


class Interrupted(Exception):  # noqa: N818
    """Work that was stopped before it had a result."""


class NoThreadError(RuntimeError):
    """The system gives no thread."""


def do_nothing() -> None:
    """How to cancel what cannot be cancelled, or is over."""


class Job(Generic[Result]):
    """Work that can be stopped and waited for, from any thread. The work is handed the job itself."""

    def __init__(self, work: "Callable[[Job[Any]], Result]", cancel: Callable[[], None] = do_nothing) -> None:
        self._works = [work]  # none once it has begun: who keeps a job keeps nothing of what its work needed
        self._cancel = cancel
        self._threads: list[Thread] = []  # none or one
        self._ident: int | None = None  # of the thread that does the work
        self._outcome: Result | None = None
        self._error: BaseException | None = None
        self.is_running = False
        """True until the answer is given, which may be a moment before the thread has ended."""
        self.is_stopped = False
        """True if it was asked to stop."""

    def start(self) -> None:
        """Begin, on a thread of its own; raises NoThreadError if the system gives none."""
        if self._threads:
            raise RuntimeError("a job is done once")
        self.is_running = True
        if not start_threads([self.run], stack_bytes=STACK_BYTES, started=self._threads):
            self.is_running = False
            raise NoThreadError("the system gives no thread")

    def run(self) -> None:
        """Do the work on this thread. What it raises is kept for `result`."""
        if not self._works:
            raise RuntimeError("a job is done once")
        self.is_running = True
        self._ident = threading.get_ident()
        _running.add(self)
        try:
            self._outcome = self._works.pop()(self)
        except BaseException as error:
            self._error = error
        finally:
            self.is_running = False
            self._cancel = do_nothing  # what it would cancel is over, and may be large
            _running.discard(self)

    def stop(self) -> None:
        """Ask it to end as soon as possible."""
        self.is_stopped = True
        if self.is_running:
            self._cancel()

    def raise_if_stopped(self) -> None:
        """For the work itself: end here if it was asked to."""
        if self.is_stopped:
            raise Interrupted

    def wait(self, seconds: float | None = None) -> bool:
        """Until it is over, or some seconds; True if it is over."""
        if self.is_own_thread():
            raise RuntimeError("what a search calls cannot wait for the end of this search")
        return all(thread.wait(seconds) for thread in self._threads)

    def end(self) -> None:
        """Stop it and wait, whatever happens: what it uses is given away afterwards. Its own thread cannot wait."""
        interrupt: KeyboardInterrupt | None = None
        while True:
            try:
                self.stop()
                break
            except KeyboardInterrupt as error:
                interrupt = error
        if not self.is_own_thread():
            wait_for(self._threads)
        if interrupt is not None:
            raise interrupt

    def is_own_thread(self) -> bool:
        """True if this thread is doing the work."""
        return self.is_running and self._ident == threading.get_ident()

    def result(self) -> Result:
        """Wait for the end; what the work returned, or what it raised is raised here."""
        self.wait()
        if self._error is not None:
            raise self._error
        return self._outcome  # type: ignore[return-value]


_running: set[Job[Any]] = set()


@atexit.register
def end_all() -> None:
    """End what still runs when the program ends: a thread must not outlive the interpreter it works for."""
    for job in list(_running):
        job.end()


class SearchJob(Job[Result]):
    """A search."""

    def __init__(self, work: Callable[[Job[Any]], Result], thinking: Thinking) -> None:
        super().__init__(work, thinking.stop)
        self._thinking = thinking

    @property
    def is_endless(self) -> bool:
        """True if it goes on until told to stop, or that the clock runs."""
        return bool(self._thinking.task.limits.is_endless)

    def ponderhit(self) -> None:
        """The opponent played the expected move: the clock counts from now."""
        self._thinking.ponderhit()
