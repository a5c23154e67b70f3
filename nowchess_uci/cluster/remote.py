"""What runs on a worker: its introduction, and units of work with an eye on whether anybody still wants the result.

A worker introduces itself once to each kind of run: it is given the network, if there is one, and says which engine it
is. Knows nothing of schedulers or clients except the worker that it runs on.
"""

import contextlib
import ctypes
import threading
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeVar

from nowchess_uci.engine.bench import Bench
from nowchess_uci.evaluation.network import Network, default_network
from nowchess_uci.search.pool import STACK_BYTES
from nowchess_uci.threads import start_threads, wait_for
from nowchess_uci.version import VERSION

Unit = TypeVar("Unit")
Result = TypeVar("Result")

LOOK_SECONDS = 0.5  # between two looks at whether a result is still wanted
CHECK_DEPTH = 7  # of the bench that tells engines apart: a tenth of a second


class Passport(NamedTuple):
    """Which engine somebody has: the same passport, the same results."""

    version: str
    """Empty if it has none."""
    bench: int
    """The node count of a short bench; 0 if it was not asked for that."""
    network: str
    """The sha256 of the network that evaluates; empty if there is no engine."""

    def render(self) -> str:
        """In words."""
        bench = f", bench {self.bench} at depth {CHECK_DEPTH}" if self.bench else ""
        network = f", network {self.network[:8]}" if self.network else ""
        return f"NowChess UCI {self.version}{bench}{network}" if self.version else "no NowChess UCI"


class Stranger(NamedTuple):
    """The answer of a worker that was given a unit without having been introduced: a new process at an old address."""

    worker: str


class Unwanted(BaseException):
    """Raised in a unit of work whose result nobody wants any more."""


_passports: dict[str, Passport] = {}
_networks: dict[str, Network] = {}


def introduce(network: bytes) -> Passport:
    """Keep the network, or the engine's own if there is none, under its hash, and say which engine this is."""
    read = Network("the network", network) if network else default_network()
    if read.digest not in _passports:
        bench = Bench(CHECK_DEPTH, network=read)
        passport = Passport(VERSION, on_deep_stack(bench.run, bench.stop)[0], read.digest)
        _networks[read.digest] = read
        _passports[read.digest] = passport
    return _passports[read.digest]


def sent_network(digest: str) -> Network | None:
    """The network of that hash, which came with the introduction; None if it may be any."""
    return _networks[digest] if digest else None


def work(function: Callable[[Unit], Result], unit: Unit, network: str, topic: str) -> Result | Stranger:
    """One unit on a Dask worker. That it has begun is announced, so that it is known what a lost worker was doing."""
    from distributed import get_worker

    worker = get_worker()
    if network not in _passports:
        return Stranger(worker.address)
    key = worker.get_current_task()
    worker.log_event(topic, {"key": key, "worker": worker.address})
    try:
        with ending_when_unwanted(worker, key):
            return function(unit)
    except Unwanted:
        return Stranger(worker.address)  # nobody will see it


@contextlib.contextmanager
def ending_when_unwanted(worker: Any, key: object) -> Iterator[None]:
    """Raise Unwanted on this thread if the task is cancelled meanwhile.

    Dask takes back what has not begun, but lets a running task go on to its end.
    """
    ident = threading.get_ident()
    is_over = threading.Event()

    def watch() -> None:
        while not is_over.wait(LOOK_SECONDS):
            task = worker.state.tasks.get(key)
            if task is None or task.state == "cancelled":
                raise_in_thread(ident, Unwanted)
                return

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        is_over.set()
        watcher.join()
        raise_in_thread(ident, None)  # what has not been raised by now is not to be


def raise_in_thread(ident: int, error: type[BaseException] | None) -> None:
    """Have an exception raised in another thread, when next it executes Python; None takes it back."""
    argument = ctypes.py_object(error) if error else None
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(ident), argument)


def on_deep_stack(job: Callable[[], Result], stop: Callable[[], object]) -> Result:
    """The result of a job on a thread whose stack is deep enough for any search; `stop` ends it if we are ended."""
    results: list[Result] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(job())
        except BaseException as error:  # raised below
            errors.append(error)

    threads = start_threads([run], stack_bytes=STACK_BYTES)
    if not threads:
        raise MemoryError("the system gives no thread to search on")
    try:
        while not threads[0].wait(LOOK_SECONDS):
            pass
    except BaseException:
        stop()
        wait_for(threads)
        raise
    if errors:
        raise errors[0]
    return results[0]
