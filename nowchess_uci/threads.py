"""Starting threads on a system that may refuse them.

A limit on processes or memory is no reason to fail: whoever asks for threads gets those there are and does the rest
of the work itself. Belongs to no layer; `threading` is all it knows.
"""

import threading
from collections.abc import Callable, Iterable

_stack_size = threading.Lock()  # the size for new threads is one number for the whole process


def start_threads(
    jobs: Iterable[Callable[[], object]],
    *,
    stack_bytes: int = 0,
    name: str | None = None,
    daemon: bool | None = None,
    started: list[threading.Thread] | None = None,
) -> list[threading.Thread]:
    """Start one thread for each job, in order, until the system refuses one; returns the threads that run.

    `stack_bytes` is the size of their stacks, 0 the system's own. A list handed in as `started` is filled on the way,
    so that a caller who is interrupted meanwhile knows which threads to wait for.
    """
    threads = [] if started is None else started
    with _stack_size:
        previous = threading.stack_size(stack_bytes) if stack_bytes else 0
        try:
            for job in jobs:
                thread = threading.Thread(target=job, name=name, daemon=daemon)
                thread.start()
                threads.append(thread)
        except RuntimeError:
            pass  # no more threads
        finally:
            if stack_bytes:
                threading.stack_size(previous)
    return threads
