"""The engine: asked about positions, it answers with moves and lines. It keeps none of them, only what it has learnt.

`analyse`, `play`, `stream` and `start` are for Python programs; `go` and `begin` are for clients that want every
report, such as the protocol. An engine does one thing at a time: calls that block wait for each other, and
while a job runs everything else is refused.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any, NamedTuple, TypeVar

from nowchess_uci.engine import notes
from nowchess_uci.engine.analysis import Analysis, Gatherer, Line
from nowchess_uci.engine.boards import BoardLike, position_of
from nowchess_uci.engine.job import Job, NoThreadError, SearchJob
from nowchess_uci.engine.resources import Resources
from nowchess_uci.engine.safe_search import SafeSearch, some_move
from nowchess_uci.engine.settings import Settings
from nowchess_uci.engine.tasks import check_request, task_for
from nowchess_uci.evaluation.network import Network, default_network, load_network
from nowchess_uci.rules.move import render_move
from nowchess_uci.rules.position import Position
from nowchess_uci.search.limits import Limits
from nowchess_uci.search.reports import BestMove, Progress, Report
from nowchess_uci.search.thinking import Thinking
from nowchess_uci.tablebases.probe import dtz_of, wdl_of

UNHEARD_NODES = 20_000  # of a search that cannot have a thread of its own, during which no `stop` is heard
AnyJob = TypeVar("AnyJob", bound=Job[Any])


class EngineError(Exception):
    """An engine that cannot do now what it is asked for."""


class EngineBusyError(EngineError):
    """Something that was started before is still running."""


class EngineClosedError(EngineError):
    """The engine was closed."""


class Engine:
    """A chess engine in this process.

    >>> with Engine() as engine:
    ...     engine.analyse("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", Limits(depth=5)).best.san
    ('Ra8#',)
    """

    def __init__(
        self,
        *,
        threads: int = 1,
        hash_mib: int = 16,
        elo: int | None = None,
        syzygy_path: str | os.PathLike[str] = "",
        on_note: Callable[[notes.Note], None] | None = None,
    ) -> None:
        """Raises ValueError for what is out of range, MemoryError for what does not fit, OSError for what is no folder.

        With `on_note` the engine makes do with less instead of raising, says so, and takes memory only when needed.
        """
        self._settings = Settings(threads, hash_mib, elo=elo, syzygy_path=path_text(syzygy_path))
        self._settings.check()
        self._resources = Resources(self._settings, on_note)
        self._on_note = on_note
        self._job: Job[Any] | None = None
        self._thinking: Thinking | None = None  # of a call that blocks
        self._turn = threading.Lock()  # held by who searches, or changes what a search uses
        self._owner: int | None = None  # the thread that holds it
        self._is_closed = False
        self._resources.use_tables(self._resources.find_tables(self._settings.syzygy_path))
        if on_note is None:
            self.prepare()

    @property
    def settings(self) -> Settings:
        """How the engine thinks; `configure` changes it."""
        return self._settings._replace(hash_mib=self._resources.hash_mib, threads=self._resources.threads)

    @property
    def network(self) -> Network:
        """What it evaluates with; its `name` is the beginning of its `digest`, a sha256."""
        return self._resources.network

    # For Python programs.

    def analyse(self, board: BoardLike, limits: Limits, *, lines: int = 1) -> Analysis:
        """Search a position until a limit is reached and return the best lines; the GIL is released meanwhile."""
        return self._analyse(position_of(board), limits, lines, Cancellation())

    def play(self, board: BoardLike, limits: Limits) -> str:
        """The move to play as UCI text, weaker if `elo` is set; empty if the game is over."""
        position = position_of(board)
        end, _ = self._search(position, Request(limits, 1, self.settings), lambda _: None, Cancellation())
        return render_move(end.move, position.chess960) if end.move else ""

    def start(
        self,
        board: BoardLike,
        limits: Limits,
        on_report: Callable[[Line], None] = lambda _: None,
        *,
        lines: int = 1,
    ) -> SearchJob[Analysis]:
        """Search on a thread of its own, where `on_report` hears of every line; raises EngineBusyError."""
        position = position_of(board)
        if not callable(on_report):
            raise ValueError(f"on_report is called with each line, which {type(on_report).__name__} cannot be")

        def tell(report: Report) -> None:
            if isinstance(report, Progress):
                on_report(Line(report, position))

        return self._start(position, limits, lines, tell)

    def stream(self, board: BoardLike, limits: Limits, *, lines: int = 1) -> Iterator[Line]:
        """The lines of a search as they are found. It begins with the first one; leaving the loop stops it."""
        position = position_of(board)
        check_request(limits, lines)
        return self._stream(position, limits, lines)

    def _stream(self, position: Position, limits: Limits, lines: int) -> Iterator[Line]:
        import queue  # only here: who plays by the protocol does not wait for it

        found: queue.SimpleQueue[Report | None] = queue.SimpleQueue()
        job = self._start(position, limits, lines, found.put, lambda: found.put(None))
        try:
            while (report := found.get()) is not None:
                if isinstance(report, Progress):
                    yield Line(report, position)
            job.result()  # raises what the search may have raised
        finally:
            job.end()

    async def analyse_async(self, board: BoardLike, limits: Limits, *, lines: int = 1) -> Analysis:
        """`analyse` for asyncio: the event loop goes on meanwhile. A search that is cancelled is stopped."""
        import asyncio  # only here: it takes long to import

        position = position_of(board)  # now: the board may change meanwhile
        cancellation = Cancellation()
        try:
            return await asyncio.to_thread(self._analyse, position, limits, lines, cancellation)
        except asyncio.CancelledError:
            cancellation.cancel()
            raise

    def configure(self, **changes: object) -> None:
        """Change settings (`threads`, `hash_mib`, `elo`, ...).

        Raises ValueError, MemoryError or, if a file or folder cannot be read, OSError; then nothing has changed.
        """
        for name in ("syzygy_path", "eval_file"):
            if name in changes:
                changes[name] = path_text(changes[name])
        unknown = [name for name in changes if name not in Settings._fields]
        if unknown:
            raise ValueError(f"no setting is called {unknown[0]}; there are {', '.join(Settings._fields)}")
        with self._having_turn():
            wanted = self.settings._replace(**changes)  # type: ignore[arg-type]
            wanted.check()
            tables, network = self._resources.tables, self._resources.network
            if "syzygy_path" in changes:  # even the same one: its files may be others now
                tables = self._resources.find_tables(wanted.syzygy_path)
            if "eval_file" in changes:  # likewise
                network = load_network(wanted.eval_file) if wanted.eval_file else default_network()
            self._resources.resize(wanted.hash_mib, wanted.threads)
            self._resources.set_network(network)
            if any(name.startswith("syzygy") for name in changes):
                self._resources.use_tables(tables)
            self._settings = wanted

    def look_up(self, board: BoardLike) -> tuple[int | None, int | None]:
        """WDL and DTZ of a position by the engine's tablebases, each None if they do not know it. Does not wait."""
        tables = self._resources.tables
        if tables is None:
            return None, None
        position = position_of(board)
        found = wdl_of(tables, position), dtz_of(tables, position)
        tables.tell_problems()
        return found

    def forget(self) -> None:
        """Begin a new game: table and histories are emptied."""
        with self._having_turn():
            self._resources.pool().forget()

    def stop(self) -> None:
        """Stop what is running; its result is what was found so far. Calls that wait for their turn go on."""
        thinking, job = self._thinking, self._job
        if thinking is not None:
            thinking.stop()
        if job is not None:
            job.stop()

    def close(self) -> None:
        """Stop what runs and give the memory back. Nothing can be asked of the engine after that."""
        self._is_closed = True
        self.stop()
        if self._is_within_call():
            return  # its end releases the memory
        with self._turn:
            if self._job is not None:
                self._job.end()
            self._job = None
            self._resources.release()

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __reduce__(self) -> str:
        raise TypeError("an engine cannot be copied or pickled: it is threads and memory of this process")

    def __repr__(self) -> str:
        state = "closed" if self._is_closed else f"threads={self.settings.threads}, hash_mib={self.settings.hash_mib}"
        return f"<Engine {state}>"

    # For clients that want every report.

    def prepare(self) -> None:
        """Take the memory that a search needs, now rather than when its clock runs."""
        with self._having_turn():
            self._resources.pool()

    def go(
        self, position: Position, limits: Limits, report: Callable[[Report], None], *, lines: int = 1
    ) -> Job[BestMove]:
        """Start a search of a position; it reports exactly one best move, come what may."""
        with self._having_turn():
            position = position.copy()
            task = task_for(position, limits, self.settings, lines, self._note)
            try:
                pool = self._resources.pool()
            except MemoryError as error:
                self._note(notes.SearchRefused(str(error)))
                report(some_move(position, task))
                return Job(lambda _: some_move(position, task))
            search = SafeSearch(pool, position, task, report, self._note)
            try:
                return self._started(SearchJob(search.run, search.thinking))
            except NoThreadError:
                self._note(notes.NoThread())
            # On this thread, and short, because nothing is heard meanwhile.
            nodes = min(limits.nodes or UNHEARD_NODES, UNHEARD_NODES)
            brief = task.limits._replace(nodes=nodes, infinite=False, ponder=False)
            search = SafeSearch(pool, position, task._replace(limits=brief), report, self._note)
            job = SearchJob(search.run, search.thinking)
            job.run()
            return job

    def begin(self, job: Job[None]) -> None:
        """Start work that is no search; without a thread it is left undone, and noted."""
        with self._having_turn():
            try:
                self._started(job)
            except NoThreadError:
                self._note(notes.NoThread())

    # One thing at a time.

    @contextlib.contextmanager
    def _having_turn(self) -> Iterator[None]:
        """Wait for calls that block; refuse while a job runs, after `close`, and from within another call."""
        if self._is_within_call():
            raise EngineBusyError("the engine is busy with the call that this one was made from")
        with self._turn:
            self._owner = threading.get_ident()
            try:
                self._take_turn()
                yield
            finally:
                self._owner = None
                if self._is_closed:
                    self._resources.release()

    def _is_within_call(self) -> bool:
        """True if what holds the turn is waiting for this thread: it is the same one, or searches for it."""
        job = self._job  # which another thread may put away meanwhile
        is_searching = job is not None and job.is_own_thread()
        return self._turn.locked() and (self._owner == threading.get_ident() or is_searching)

    def _take_turn(self) -> None:
        """Raise what stands in the way of another call."""
        if self._is_closed:
            raise EngineClosedError("the engine was closed")
        if self._job is not None:
            if self._job.is_running:
                raise EngineBusyError("the engine is busy with what was started before: stop it, or wait for it")
            self._job.wait()
            self._job = None

    def _started(self, job: AnyJob) -> AnyJob:
        """Begin a job; raises NoThreadError if the system gives no thread."""
        self._job = job  # before it starts: Ctrl-C may come in between
        try:
            job.start()
        except BaseException:
            job.end()
            self._job = None
            raise
        return job

    def _start(
        self,
        position: Position,
        limits: Limits,
        lines: int,
        tell: Callable[[Report], None],
        on_end: Callable[[], None] = lambda: None,
    ) -> SearchJob[Analysis]:
        """Search on a thread of its own, handing on every report, and the end even if it is a bad one."""
        check_request(limits, lines)
        gatherer = Gatherer(position)

        def gather_and_tell(report: Report) -> None:
            gatherer.add(report)
            tell(report)

        def work(_: object) -> Analysis:
            try:
                return gatherer.finished(thinking.run(), thinking.nodes)
            finally:
                on_end()

        with self._having_turn():
            task = task_for(position, limits, self._analysing(), lines, None)
            thinking = Thinking(self._resources.pool(), position.copy(), task, gather_and_tell)
            return self._started(SearchJob(work, thinking))

    def _analyse(self, position: Position, limits: Limits, lines: int, cancellation: Cancellation) -> Analysis:
        gatherer = Gatherer(position)
        request = Request(limits, lines, self._analysing())
        end, nodes = self._search(position, request, gatherer.add, cancellation)
        return gatherer.finished(end, nodes)

    def _search(
        self,
        position: Position,
        request: Request,
        report: Callable[[Report], None],
        cancellation: Cancellation,
    ) -> tuple[BestMove, int]:
        """Search while the caller waits; the best move and the nodes."""
        limits = request.limits
        check_request(limits, request.lines)
        with self._having_turn():
            task = task_for(position, limits, request.settings, request.lines, None)
            if not task.ends:
                raise ValueError("a limit is needed that ends the search: depth, nodes, movetime_ms, mate or a clock")
            # The pool gets no name here: the traceback of an error would keep it.
            self._thinking = thinking = Thinking(self._resources.pool(), position.copy(), task, report)
            try:
                cancellation.reach(thinking)
                if self._is_closed:
                    raise EngineClosedError("the engine was closed")
                if limits.is_brief and has_deep_stack():
                    return thinking.run(), thinking.nodes
                # On another thread, so that Ctrl-C is heard on this one.
                job = SearchJob(lambda _: thinking.run(), thinking)
                try:
                    return self._started(job).result(), thinking.nodes
                finally:
                    job.end()
            finally:
                self._thinking = None

    def _analysing(self) -> Settings:
        """The settings for who wants to know rather than to play."""
        return self.settings._replace(analyse_mode=True)

    def _note(self, note: notes.Note) -> None:
        if self._on_note is not None:
            self._on_note(note)


class Request(NamedTuple):
    """What a search is asked for, and the settings to search with."""

    limits: Limits
    lines: int
    settings: Settings


class Cancellation:
    """Ends a search that may not have begun yet, from another thread."""

    def __init__(self) -> None:
        self._is_cancelled = False
        self._thinking: Thinking | None = None

    def cancel(self) -> None:
        """Stop the search, now or as soon as it begins."""
        self._is_cancelled = True
        if self._thinking is not None:
            self._thinking.stop()

    def reach(self, thinking: Thinking) -> None:
        """The search has begun."""
        self._thinking = thinking
        if self._is_cancelled:
            thinking.stop()


def path_text(path: Any) -> Any:
    """A path as text; what is neither is left for the settings to refuse."""
    return os.fspath(path) if isinstance(path, os.PathLike) else path


def has_deep_stack() -> bool:
    """True if this thread's stack is taken for deep enough for a search.

    GNU's C library gives every thread as much as the main one, which is 8 MiB nearly everywhere.
    """
    return "CS_GNU_LIBC_VERSION" in getattr(os, "confstr_names", {}) and threading.stack_size() == 0
