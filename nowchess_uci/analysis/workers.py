"""Units on the processes of one machine: results in the order of the units, and a killed worker costs one unit.

Each worker process has a thread here that hands it units and waits for answers. If the process dies, the thread starts
another one and repeats the unit. Nothing is left running, whichever way the run ends.
"""

import contextlib
import os
import pickle
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Generator, Iterable
from typing import IO, Any

from nowchess_uci.analysis.units import Failure, Result, Unit
from nowchess_uci.analysis.worker import DONE, STEPS
from nowchess_uci.threads import start_threads, wait_for

TRIES = 3  # workers that a unit may cost before it is given up
WINDOW = 8  # units per worker that may wait for an earlier one to be done
LOOK_SECONDS = 0.2
START = "import sys; sys.path[:] = {path!r}; from nowchess_uci.analysis.worker import main; main()"


class NoWorkersError(Exception):
    """The system does not let us start what we need."""


def run_units(
    units: Iterable[Unit],
    workers: int,
    *,
    on_steps: Callable[[int], None] = lambda _: None,
    on_wait: Callable[[], None] = lambda: None,
) -> Generator[Result | Failure, None, None]:
    """The result of each unit, in order. `on_steps` hears of searches done, `on_wait` is called now and then."""
    crew = Crew(workers)
    try:
        source = iter(units)
        results: dict[int, Result | Failure] = {}  # that wait for an earlier one
        sent = finished = given = 0
        while True:
            while source is not None and sent - finished <= workers and sent - given < WINDOW * workers:
                unit = next(source, None)
                if unit is None:
                    source = None  # type: ignore[assignment]
                else:
                    crew.jobs.put((sent, unit))
                    sent += 1
            if given == sent:
                return
            try:
                event = crew.events.get(timeout=LOOK_SECONDS)
            except queue.Empty:
                on_wait()
                continue
            if isinstance(event, int):
                on_steps(event)
            elif isinstance(event, BaseException):
                raise event
            else:
                results[event[0]] = event[1]
                finished += 1
                while given in results:
                    yield results.pop(given)
                    given += 1
            on_wait()
    finally:
        crew.end()


class Crew:
    """The worker processes and the threads that look after them."""

    def __init__(self, count: int) -> None:
        self.jobs: queue.SimpleQueue[tuple[int, Unit] | None] = queue.SimpleQueue()
        self.events: queue.SimpleQueue[int | tuple[int, Result | Failure] | BaseException] = queue.SimpleQueue()
        self.lock = threading.Lock()
        self.processes: set[subprocess.Popen[bytes]] = set()
        self.is_ending = False
        self.threads = start_threads([self.tend] * count)
        if not self.threads:
            raise NoWorkersError("the system gives no thread to look after a worker")

    def tend(self) -> None:
        """One thread: unit after unit, with one process after another."""
        worker: Worker | None = None
        try:
            while (job := self.jobs.get()) is not None:
                index, unit = job
                outcome: Result | Failure | None = None
                for _ in range(TRIES):
                    if worker is None:
                        worker = Worker(self.start())
                    outcome = worker.ask(unit, self.events.put)
                    if outcome is not None:
                        break
                    self.finish(worker.process)  # it died, or was killed
                    worker = None
                failure = Failure(f"the process that analysed it died {TRIES} times")
                self.events.put((index, failure if outcome is None else outcome))
        except BaseException as error:  # the main thread has to hear of it
            if not self.is_ending:
                self.events.put(error)
        finally:
            if worker is not None:
                self.finish(worker.process)

    def start(self) -> "subprocess.Popen[bytes]":
        """Another worker process, out of reach of the terminal's Ctrl-C, which is meant for us."""
        command = [sys.executable, "-c", START.format(path=sys.path)]
        if getattr(sys, "frozen", False):
            command = [sys.executable, "analysis-worker"]
        apart: dict[str, Any] = {"start_new_session": True}
        if os.name == "nt":
            apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}  # type: ignore[attr-defined]
        with self.lock:
            if self.is_ending:
                raise NoWorkersError("the run is ending")
            try:
                process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, **apart)
            except OSError as error:
                raise NoWorkersError(f"a worker process cannot be started: {error}") from error
            self.processes.add(process)
            return process

    def finish(self, process: "subprocess.Popen[bytes]") -> None:
        """Make sure that a process is over."""
        process.kill()
        process.wait()
        with self.lock:
            self.processes.discard(process)
        for pipe in (process.stdin, process.stdout):
            with contextlib.suppress(OSError):  # what was not sent yet has nobody to go to
                pipe.close()  # type: ignore[union-attr]

    def end(self) -> None:
        """End all processes and wait for the threads."""
        with self.lock:
            self.is_ending = True
            for process in self.processes:
                process.kill()
        for _ in self.threads:
            self.jobs.put(None)
        wait_for(self.threads)


class Worker:
    """A worker process and its two pipes."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.process = process
        self.units: IO[bytes] = process.stdin
        self.answers: IO[bytes] = process.stdout

    def ask(self, unit: Unit, on_steps: Callable[[int], None]) -> Result | Failure | None:
        """Have one unit done; None if the process died over it."""
        try:
            pickle.dump(unit, self.units)
            self.units.flush()
            while True:
                kind, value = pickle.load(self.answers)
                if kind == STEPS:
                    on_steps(value)
                elif kind == DONE:
                    return value
        except (OSError, EOFError, pickle.UnpicklingError):
            return None
