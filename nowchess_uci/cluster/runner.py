"""A cluster as its user sees it: a pure function and units of work in, numbered results out, in any order.

Workers may come, go and die as they like: units that were lost are repeated, and how much work that cost is counted.
Only workers with this very engine get any. Knows nothing of what a unit is, and keeps no results.
"""

import contextlib
import queue
import time
from collections.abc import Callable, Coroutine, Generator, Iterable, Iterator
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, NamedTuple, TypeVar

from nowchess_uci.cluster.connection import ClusterError, connect
from nowchess_uci.cluster.remote import Passport, Result, Stranger, Unit, introduce, work
from nowchess_uci.version import VERSION

PACKAGE = "nowchess-uci"
IN_FLIGHT = 4  # units per thread of a worker: one is worked on, the others are at hand
WINDOW = 16  # units per thread between the first that is not done and the last that is sent: callers put them in order
MOST_LOSSES = 10  # of one unit: more are no accident
LOOK_SECONDS = 0.5  # between two looks at who is there
PATIENCE_SECONDS = 30  # with a scheduler that does not answer

Answer = TypeVar("Answer")


class GivenUp(NamedTuple):
    """Instead of the result of a unit that was lost with its worker too often."""

    reason: str


class Status(NamedTuple):
    """How a run on a cluster stands."""

    workers: int
    threads: int
    lost: int
    """Units that had begun when their worker was lost; they were repeated."""
    lost_seconds: float
    """The time that was spent on them in vain."""


@dataclass(slots=True, eq=False)
class Flight(Generic[Unit]):
    """A unit whose result has not come yet."""

    number: int
    unit: Unit
    task: Any = None
    """None while there is nobody to send it to once more."""
    allowed: frozenset[str] = frozenset()
    losses: int = 0
    worker: str = ""
    """Where it has begun; empty if it has not."""
    begun: float = 0.0
    missed: float | None = None
    """When that worker was found to be gone."""


class Begun(NamedTuple):
    """A worker has begun with a unit."""

    key: str
    worker: str


class Done(NamedTuple):
    """The result of a unit is there, or what went wrong with it."""

    key: str
    outcome: "Future[Any]"


class Introduced(NamedTuple):
    """A worker has said which engine it has, or has failed to."""

    worker: str
    outcome: "Future[Passport]"


class Cluster:
    """A connection to a scheduler, or a scheduler and workers of our own. To be closed, or used with `with`."""

    def __init__(
        self,
        address: str,
        *,
        workers: int | None = None,
        network: bytes = b"",
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        """`workers` is for `local` only. `network` is the content of its file; empty for the engine's own.

        `tell` is given a line of text when something happens to the cluster. Raises ClusterError.
        """
        self.address = address
        self._network = network
        self._tell = tell
        self._resources = contextlib.ExitStack()
        self._inbox: queue.SimpleQueue[Begun | Done | Introduced] = queue.SimpleQueue()
        self._introductions: dict[str, Future[Passport]] = {}
        self._accepted: dict[str, int] = {}
        self._refused: set[str] = set()
        self._flights: list[Flight[Any]] = []
        self._next_look = 0.0
        self._is_waiting = False
        self._lost = 0
        self._lost_seconds = 0.0
        try:
            self._client = connect(address, workers, self._resources)
            versions = self._ask(self._client.scheduler.versions(packages=[PACKAGE]))
            if versions["packages"][PACKAGE] != VERSION:
                raise ClusterError(f"the scheduler at {address} needs NowChess UCI {VERSION} as well as its workers")
            self._passport = introduce(network)
        except BaseException:
            self._resources.close()
            raise
        self._topic = f"nowchess-{self._client.id}"
        self._client.subscribe_topic(self._topic, self._on_event)

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End what was started here; units that are outstanding are cancelled by the end of `run`."""
        self._resources.close()

    def status(self) -> Status:
        """How it stands now."""
        return Status(len(self._accepted), sum(self._accepted.values()), self._lost, self._lost_seconds)

    def run(
        self,
        function: Callable[[Unit], Result],
        units: Iterable[Unit],
        report: Callable[[Status], None] = lambda _: None,
    ) -> Generator[tuple[int, Result | GivenUp]]:
        """The results of all units as they come, each with its unit's number, counted from 0.

        The function is one of a module, known to the workers by its name. Units are taken from the iterable as they
        are needed. `report` is called now and then. Leaving the loop cancels what is outstanding, also what workers
        have begun. Raises ClusterError, or what the function has raised.
        """
        try:
            coming = enumerate(units)
            ahead = next(coming, None)
            while ahead is not None or self._flights:
                self._look()
                report(self.status())
                while ahead is not None and self._has_room(ahead[0]):
                    self._flights.append(Flight(*ahead))
                    ahead = next(coming, None)
                self._send(function)
                yield from self._take_results()
        finally:
            self._cancel_flights()
        if self._lost:
            units_lost = f"{self._lost} unit{'s' * (self._lost != 1)}"
            self._tell(f"repeated because workers were lost: {units_lost}, {self._lost_seconds:.1f} s of work")

    # Who is there.

    def _look(self) -> None:
        """Note who has come and who has gone, if the last look was long enough ago."""
        now = time.monotonic()
        if now < self._next_look:
            return
        self._next_look = now + LOOK_SECONDS
        there: dict[str, int] = self._ask(self._client.scheduler.ncores())
        for worker in [worker for worker in self._accepted if worker not in there]:
            del self._accepted[worker]
            self._tell(f"worker {worker} is gone, {self._count()} left")
            for flight in self._flights:
                if flight.worker == worker and flight.missed is None:
                    flight.missed = now
        for worker in [worker for worker in self._introductions if worker not in there]:
            self._introductions.pop(worker).cancel()
        self._refused &= there.keys()
        for worker in there.keys() - self._accepted.keys() - self._introductions.keys() - self._refused:
            self._introductions[worker] = self._collect(self._introduce(worker), partial(Introduced, worker))
        for worker in self._accepted:
            self._accepted[worker] = there[worker]
        if not self._accepted and not self._introductions and not self._is_waiting:
            self._tell(f"waiting for workers at {self._client.scheduler.address}")
        self._is_waiting = not self._accepted and not self._introductions

    async def _introduce(self, worker: str) -> Passport:
        """Ask a worker which engine it has. On Dask's thread."""
        question = {"op": "versions", "packages": [PACKAGE]}
        answers = await self._client.scheduler.broadcast(msg=question, workers=[worker])
        version = answers[worker]["packages"][PACKAGE]
        if version != VERSION:  # it would not understand us, and Dask ends workers that do not
            return Passport(version or "", 0, "")
        task = self._client.submit(introduce, self._network, workers=[worker], pure=False, priority=1)
        return await self._client.gather(task, asynchronous=True)

    def _on_introduced(self, news: Introduced) -> None:
        if self._introductions.pop(news.worker, None) is None:
            return  # it has gone meanwhile
        try:
            passport = news.outcome.result()
        except Exception as error:
            if is_loss(error) or isinstance(error, OSError):
                return  # the next look will find it gone, or there once more
            self._refuse(news.worker, f"{type(error).__name__}: {error}")
            return
        if passport != self._passport:
            self._refuse(news.worker, f"it has {passport.render()}; here is {self._passport.render()}")
            return
        self._accepted[news.worker] = 1  # until the next look
        self._next_look = 0.0
        self._tell(f"worker {news.worker} has come, {self._count()} now")

    def _refuse(self, worker: str, reason: str) -> None:
        self._refused.add(worker)
        self._tell(f"worker {worker} is not used: {reason}")

    def _count(self) -> str:
        return f"{len(self._accepted)} worker{'s' * (len(self._accepted) != 1)}"

    # Units.

    def _has_room(self, number: int) -> bool:
        """True if the unit of that number, the next one, may be sent out."""
        threads = sum(self._accepted.values())
        is_near = not self._flights or number - self._flights[0].number < WINDOW * threads
        return is_near and len(self._flights) < IN_FLIGHT * threads

    def _send(self, function: Callable[[Unit], Result]) -> None:
        """Send out what is new, and once more what only those could do who have gone."""
        there = frozenset(self._accepted)
        for flight in self._flights:
            if there and not flight.allowed & there:
                self._cancel([flight.task])
                arguments = (work, function, flight.unit, self._passport.network, self._topic)
                order = -flight.number  # what was lost is repeated first: others may wait for it
                flight.task = self._client.submit(*arguments, workers=list(there), priority=order, pure=False)
                flight.allowed = there
                self._collect(self._client.gather(flight.task, asynchronous=True), partial(Done, flight.task.key))

    def _cancel_flights(self) -> None:
        """Take back all units that are outstanding, also those that workers have begun."""
        tasks = [flight.task for flight in self._flights]
        self._flights.clear()
        with contextlib.suppress(ClusterError):  # without its scheduler a worker ends by itself
            self._cancel(tasks)

    def _flight_of(self, key: str) -> Flight[Any] | None:
        """What was sent out under that name; None if it was taken back."""
        return next((flight for flight in self._flights if flight.task is not None and flight.task.key == key), None)

    def _take_results(self) -> Iterator[tuple[int, Any]]:
        """Whatever has come; waits a moment for it."""
        with contextlib.suppress(queue.Empty):
            news = self._inbox.get(timeout=LOOK_SECONDS)
            while True:
                if isinstance(news, Introduced):
                    self._on_introduced(news)
                elif (flight := self._flight_of(news.key)) is None:
                    pass  # it was taken back
                elif isinstance(news, Begun):
                    self._on_begun(flight, news.worker)
                    if flight.losses >= MOST_LOSSES:
                        self._flights.remove(flight)
                        self._cancel([flight.task])
                        yield flight.number, GivenUp(f"{flight.losses} workers were lost while they worked on it")
                elif self._is_complete(flight, news.outcome):
                    self._flights.remove(flight)
                    yield flight.number, news.outcome.result()
                news = self._inbox.get_nowait()

    def _on_begun(self, flight: Flight[Any], worker: str) -> None:
        now = time.monotonic()
        if flight.worker:  # it has begun before, and that is lost
            flight.losses += 1
            self._lost += 1
            self._lost_seconds += (flight.missed or now) - flight.begun
        flight.worker, flight.begun, flight.missed = worker, now, None

    def _is_complete(self, flight: Flight[Any], outcome: "Future[Any]") -> bool:
        """True if the result is there; otherwise the unit is to be sent out once more. Raises what the unit raised."""
        try:
            result = outcome.result()
            if not isinstance(result, Stranger):
                return True
            self._accepted.pop(result.worker, None)  # it is another process than it was
        except Exception as error:
            if not is_loss(error):
                raise
        flight.task, flight.allowed = None, frozenset()
        self._next_look = 0.0  # is the scheduler still there, and who else?
        return False

    # Talking to Dask, whose event loop runs on a thread of its own.

    def _ask(self, question: Coroutine[Any, Any, Answer]) -> Answer:
        """The scheduler's answer; raises ClusterError."""
        if self._client.status != "running":
            question.close()
            raise ClusterError(f"the scheduler at {self.address} is gone")
        try:
            return self._begin(question).result(PATIENCE_SECONDS)
        except TimeoutError:
            raise ClusterError(f"the scheduler at {self.address} has not answered for {PATIENCE_SECONDS} s") from None
        except (OSError, CancelledError, RuntimeError) as error:
            raise ClusterError(f"the scheduler at {self.address} is gone") from error

    def _begin(self, coroutine: Coroutine[Any, Any, Answer]) -> "Future[Answer]":
        import asyncio  # not at the top: an executable has none, and says so elsewhere

        return asyncio.run_coroutine_threadsafe(coroutine, self._client.loop.asyncio_loop)

    def _collect(
        self, waiting: Coroutine[Any, Any, Answer], as_news: Callable[["Future[Any]"], Done | Introduced]
    ) -> "Future[Answer]":
        """Have the result put into the inbox as soon as there is one."""
        outcome = self._begin(waiting)
        outcome.add_done_callback(lambda outcome: self._inbox.put(as_news(outcome)))
        return outcome

    def _on_event(self, event: tuple[float, dict[str, Any]]) -> None:
        """A worker has said something; on Dask's thread."""
        _, message = event
        self._inbox.put(Begun(message["key"], message["worker"]))

    def _cancel(self, tasks: Iterable[Any]) -> None:
        tasks = [task for task in tasks if task is not None]
        if tasks and self._client.status == "running":
            self._ask(self._client.cancel(tasks, asynchronous=True, force=True))


def is_loss(error: BaseException) -> bool:
    """True if a task was lost on the way, with a worker or with the scheduler, and not by its own fault."""
    from distributed import KilledWorker

    return isinstance(error, KilledWorker | CancelledError)
