"""One run from input to output: units out to whoever does them, results in order to all outputs and to the journal."""

import contextlib
import signal
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

from nowchess_uci.analysis.journal import Journal
from nowchess_uci.analysis.model import PositionAnalysis
from nowchess_uci.analysis.outputs import Output
from nowchess_uci.analysis.sources import Item, Problem, Sources
from nowchess_uci.analysis.units import Failure, GameUnit, Result, Unit, positions_to_search


class Runner(Protocol):
    """Has units done, and gives their results in the order of the units."""

    def __call__(
        self, units: Iterable[Unit], on_steps: Callable[[int], None], on_wait: Callable[[], None]
    ) -> Generator[Result | Failure, None, None]: ...


class Progress(NamedTuple):
    """How far a run is."""

    units: int
    """Games and positions done."""
    searched: int
    """Positions searched since the run began or was resumed."""
    per_second: float
    seconds_left: float | None
    """None if it cannot be known."""


class Totals:
    """What came out of a run."""

    def __init__(self) -> None:
        self.games = 0
        self.positions = 0
        self.moves = 0
        self.judgements: Counter[str] = Counter()
        self.unsolved = 0
        self.problems = 0

    def add(self, result: Result) -> None:
        """Count a result in."""
        if isinstance(result, PositionAnalysis):
            self.positions += 1
            self.unsolved += result.solved is False
        else:
            self.games += 1
            for ply in result.plies:
                self.moves += ply.loss is not None
                if ply.judgement:
                    self.judgements[ply.judgement] += 1


class Uninterrupted:
    """A block that Ctrl-C does not tear apart: it is heard at its end."""

    def __enter__(self) -> None:
        self.is_interrupted = False
        # Python hears it on the main thread only.
        self.is_main = threading.current_thread() is threading.main_thread()
        if self.is_main:
            self.handler = signal.signal(signal.SIGINT, self.note)

    def note(self, *_: object) -> None:
        self.is_interrupted = True

    def __exit__(self, kind: object, *_: object) -> None:
        if self.is_main:
            signal.signal(signal.SIGINT, self.handler)
        if self.is_interrupted and kind is None:
            raise KeyboardInterrupt


class Run:
    """A run and how far it is."""

    def __init__(
        self,
        sources: Sources,
        outputs: Sequence[Output],
        journal: Journal | None,
        *,
        on_problem: Callable[[Problem], None],
        on_progress: Callable[[Progress], None],
    ) -> None:
        self.sources = sources
        self.outputs = outputs
        self.journal = journal
        self.on_problem = on_problem
        self.on_progress = on_progress
        self.totals = Totals()
        self.has_results = False
        self.started = time.monotonic()
        self.searched = 0
        self.to_search = 0  # of the units handed out
        self.positions_read = 0  # the same, without what the journal knows
        self.bytes_read = 0
        self.waiting: deque[tuple[Item, Unit]] = deque()  # handed out and not back yet

    def execute(self, runner: Runner) -> Totals:
        """Do everything. Whatever ends it early, what is done is complete in the outputs unless they fail."""
        try:
            with contextlib.closing(runner(self.units(), self.on_steps, self.tell)) as results:
                for result in results:
                    with Uninterrupted():
                        self.take(result)
        except KeyboardInterrupt:
            self.finish()
            raise
        except BaseException:
            for output in self.outputs:
                output.discard()
            raise
        self.finish()
        return self.totals

    def finish(self) -> None:
        """Complete all outputs; if nothing was analysed, what was there before stays."""
        with Uninterrupted():
            for output in self.outputs:
                if self.has_results:
                    output.finish()
                else:
                    output.discard()

    def units(self) -> Iterator[Unit]:
        """What is to be done, as it is asked for."""
        for found in self.sources.items():
            if isinstance(found, Problem):
                self.report(found)
                continue
            unit = found.unit if self.journal is None else self.journal.with_known(found.unit)
            self.waiting.append((found, unit))
            self.positions_read += searches_of(found.unit)
            self.to_search += searches_of(unit)
            self.bytes_read = found.offset
            yield unit

    def take(self, outcome: Result | Failure) -> None:
        """The result of the oldest unit that is outstanding."""
        item, unit = self.waiting.popleft()
        self.has_results = True
        result: Result | None = None
        if isinstance(outcome, Failure):
            place = f"{'game' if isinstance(unit, GameUnit) else 'line'} {unit.number}"
            self.report(Problem(unit.source, place, f"could not be analysed: {outcome.reason}"))
        else:
            result = outcome
            self.totals.add(result)
        for output in self.outputs:
            output.add(item, result)
        if self.journal is not None:
            self.journal.add(item.unit, result)
        self.tell()

    def report(self, problem: Problem) -> None:
        """Something is wrong in the input, or with a unit."""
        self.totals.problems += 1
        self.on_problem(problem)

    def on_steps(self, count: int) -> None:
        """So many positions have been searched."""
        self.searched += count
        self.tell()

    def tell(self) -> None:
        """Say how far it is."""
        seconds = time.monotonic() - self.started
        done = self.totals.games + self.totals.positions
        rate = self.searched / seconds if seconds > 0 else 0.0
        left: float | None = None
        total = self.sources.total_bytes
        if total and self.bytes_read and rate > 0:
            unread = self.positions_read * (total - self.bytes_read) / self.bytes_read
            left = max(self.to_search - self.searched + unread, 0) / rate
        self.on_progress(Progress(done, self.searched, rate, left))


def searches_of(unit: Unit) -> int:
    """Positions of a unit that have to be searched."""
    if isinstance(unit, GameUnit):
        return len(positions_to_search(unit))
    return int(unit.known is None)


def in_order(numbered: Iterable[tuple[int, Result | Failure]]) -> Iterator[Result | Failure]:
    """Results that come with their numbers, from 0 on, in the order of these."""
    early: dict[int, Result | Failure] = {}
    given = 0
    for number, result in numbered:
        early[number] = result
        while given in early:
            yield early.pop(given)
            given += 1
