"""Starting threads on a system that may refuse them, and waiting for them whatever happens.

A limit on processes or memory is no reason to fail: whoever asks for threads gets those there are and does the rest
of the work itself. Belongs to no layer; `threading` is all it knows.
"""

import threading
from collections.abc import Callable, Iterable

_stack_size = threading.Lock()  # the size for new threads is one number for the whole process


class Thread(threading.Thread):
    """A thread whose end can be waited for safely.

    `join` cannot: if Ctrl-C interrupts it, Python 3.11 and 3.12 take the thread for ended (bpo-45274), and memory that
    it still uses is given away.
    """

    def __init__(self, job: Callable[[], object], name: str | None, daemon: bool | None) -> None:
        super().__init__(name=name, daemon=daemon)
        self._job = job
        self._over = threading.Event()

    def run(self) -> None:
        try:
            self._job()
        finally:
            self._over.set()

    def wait(self, seconds: float | None = None) -> bool:
        """Until the job is over, or some seconds; True if it is over."""
        return self._over.wait(seconds)


def start_threads(
    jobs: Iterable[Callable[[], object]],
    *,
    stack_bytes: int = 0,
    name: str | None = None,
    daemon: bool | None = None,
    started: list[Thread] | None = None,
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
                thread = Thread(job, name, daemon)
                threads.append(thread)  # before it runs: Ctrl-C may come in between
                try:
                    thread.start()
                except RuntimeError:
                    threads.remove(thread)
                    break  # no more threads
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
