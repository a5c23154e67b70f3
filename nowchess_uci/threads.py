"""Starting threads on a system that may refuse them, and waiting for them whatever happens.

A limit on processes or memory is no reason to fail: whoever asks for threads gets those there are and does the rest
of the work itself. Belongs to no layer.

Why not `threading.Thread`: Ctrl-C may interrupt any line of Python, its locks and events included. A thread whose
start was interrupted may hang, and one whose `join` was interrupted counts as ended while it still runs (bpo-45274).
Here a thread is started by one call into C, its end is one lock, and this module is compiled, so that Ctrl-C is heard
only while waiting, and the threads are waited for all the same.
"""

import _thread
import threading
import time
from collections.abc import Callable, Iterable

from cython.cimports.cpython.exc import PyErr_CheckSignals

LOOK_SECONDS = 0.1  # between two looks for Ctrl-C
_stack_size = _thread.allocate_lock()  # the size for new threads is one number for the whole process


class Thread:
    """A thread that has a job to do; the program does not wait for it at its end."""

    def __init__(self, job: Callable[[], object]) -> None:
        self._jobs = [job]  # none once it has begun: who keeps a thread keeps nothing of what its job needed
        self._running = _thread.allocate_lock()
        self._running.acquire()

    def start(self) -> None:
        """Begin; raises RuntimeError if the system gives no thread, MemoryError if it has no memory for one."""
        _thread.start_new_thread(self._run, ())

    def _run(self) -> None:
        try:
            self._jobs.pop()()
        finally:
            self._running.release()

    def wait(self, seconds: float | None = None) -> bool:
        """Until the job is over, or some seconds; True if it is over."""
        end = None if seconds is None else time.monotonic() + seconds
        while True:
            PyErr_CheckSignals()  # one that came a moment ago does not wake who begins to wait now
            left = LOOK_SECONDS if end is None else min(LOOK_SECONDS, max(end - time.monotonic(), 0))
            if self._running.acquire(True, left):
                self._running.release()
                return True
            if end is not None and time.monotonic() >= end:
                return False


def start_threads(
    jobs: Iterable[Callable[[], object]], *, stack_bytes: int = 0, started: list[Thread] | None = None
) -> list[Thread]:
    """Start one thread for each job, in order, until the system refuses one; returns the threads that run.

    `stack_bytes` is the size of their stacks, 0 the system's own. A list handed in as `started` is filled on the way,
    so that a caller who is interrupted meanwhile knows which threads to wait for.
    """
    threads = [] if started is None else started
    with _stack_size:
        previous = threading.stack_size(stack_bytes) if stack_bytes else 0
        try:
            for job in jobs:
                thread = Thread(job)
                thread.start()
                threads.append(thread)
        except (RuntimeError, MemoryError):
            pass  # no more threads, or no memory for one
        finally:
            if stack_bytes:
                threading.stack_size(previous)
    return threads


def wait_for(threads: Iterable[Thread]) -> None:
    """Wait until all are over. Ctrl-C does not shorten it, but is raised afterwards: they may use what is ours."""
    interrupt: KeyboardInterrupt | None = None
    for thread in threads:
        while True:
            try:
                thread.wait()
                break
            except KeyboardInterrupt as error:
                interrupt = error
    if interrupt is not None:
        raise interrupt
