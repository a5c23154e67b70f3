"""One search from its start to its best move: when to go deeper, when to stop, what to report.

`run` works on the caller's thread and returns when the search is over; `stop` and `ponderhit` may come from another
one at any time, even before `run`. What outlives the search is in the `Pool`.
"""
# mypy: disable-error-code="attr-defined"

import _thread
import time
from collections.abc import Callable
from contextlib import suppress

import cython
from cython.cimports.nowchess_uci.evaluation.evaluate import evaluate
from cython.cimports.nowchess_uci.rules.bits import popcount
from cython.cimports.nowchess_uci.rules.position import Position
from cython.cimports.nowchess_uci.search.deepening import list_root_moves, run_iteration, sort_root_moves
from cython.cimports.nowchess_uci.search.lookup import rank_root_moves
from cython.cimports.nowchess_uci.search.pool import Pool
from cython.cimports.nowchess_uci.search.scores import INFINITE, MATE, MAX_PLY, is_mate, plies_to_end
from cython.cimports.nowchess_uci.search.shared import load_int, store_double, store_int
from cython.cimports.nowchess_uci.search.worker import RootMove, Worker

from nowchess_uci.rules.draws import can_claim_fifty_moves, can_claim_threefold, status
from nowchess_uci.rules.fen import COLOR_NAMES
from nowchess_uci.rules.movegen import is_legal_move, play, undo
from nowchess_uci.search.clock import FOREVER_MS, budget_for, scaled_soft_ms
from nowchess_uci.search.deepening import (
    MAX_DEPTH,
    FoundLine,
    best_share,
    count_choices,
    is_best_exact,
    keep_root_moves,
    line_of,
)
from nowchess_uci.search.lateness import LATE_MS, Late, usage_of_thread, used_since, waited_ms
from nowchess_uci.search.limits import Limits
from nowchess_uci.search.reports import BestMove, CurrentMove, Progress, Report
from nowchess_uci.search.score import Score
from nowchess_uci.search.task import Probing, Task
from nowchess_uci.threads import Thread, wait_for

NO_LIMIT = (1 << 64) - 1
QUIET_SECONDS = 3.0  # before that, neither the current move nor bounds are reported


class Thinking:
    """The search of one position."""

    def __init__(
        self, pool: Pool, position: Position, task: Task, report: Callable[[Report], None] = lambda _: None
    ) -> None:
        self.pool = pool
        self.position = position
        self.task = task
        self.report = report
        self.has_begun = False
        self.wake = _thread.allocate_lock()  # a lock, since Ctrl-C may come inside an event and leave it locked
        self.wake.acquire()
        self.budget = budget_for(task)
        self.clock_start = task.limits.started or time.monotonic()
        store_int(cython.address(self.signals.stop), 0)
        store_int(cython.address(self.signals.pondering), task.limits.ponder)
        store_double(cython.address(self.signals.deadline), self.clock_start + self.budget.hard_ms / 1000)
        self.signals.node_limit = NO_LIMIT if task.limits.nodes is None else max(task.limits.nodes, 1)

    # From any thread.

    def stop(self) -> None:
        """End the search as soon as possible."""
        self.told_to_stop = True
        store_int(cython.address(self.signals.stop), 1)
        store_int(cython.address(self.signals.pondering), 0)
        self._wake_up()

    def ponderhit(self) -> None:
        """The expected move was played: the clock counts from now. Means nothing to a search whose clock counts."""
        if not self.is_pondering():
            return
        self.clock_start = time.monotonic()
        store_double(cython.address(self.signals.deadline), self.clock_start + self.budget.hard_ms / 1000)
        store_int(cython.address(self.signals.pondering), 0)
        self._wake_up()

    def _wake_up(self) -> None:
        with suppress(RuntimeError):  # it is awake already
            self.wake.release()

    def is_pondering(self) -> bool:
        """True while the opponent's clock runs."""
        return load_int(cython.address(self.signals.pondering)) != 0

    # The search.

    def run(self) -> BestMove:
        """Search until a limit is reached, reporting on the way; returns and reports the best move. Once."""
        if self.has_begun:
            raise RuntimeError("a search is run once")
        self.has_begun = True
        try:
            return self._run()
        finally:
            self.nodes = self.pool.nodes()
            self.pool = None  # who keeps a search that is over does not keep its memory

    def _run(self) -> BestMove:
        self.started = time.monotonic()
        self.usage = usage_of_thread()
        self.settled: list[FoundLine] = []
        self.pool.table.new_search()
        for worker in self.pool.workers:
            self.make_ready(worker)
        main: Worker = self.pool.workers[0]
        self.use_tablebases(main)
        if main.root_count == 0:
            score = self._score(-MATE if self.position.in_check else 0)
            self._tell(Progress(0, 0, 1, score, "", 0, 0.0, 0, 0, (), self.position.chess960))
            self.wait_if_asked()
            return self._finish(0, 0)
        main.chatty_from = self.started + QUIET_SECONDS
        main.on_root_move = self._report_root_move
        main.on_bound = self._report_bound
        helpers: list[Thread] = []
        try:
            self.pool.start_helpers(helpers)
            self._deepen(main)
            self.wait_if_asked()
            store_int(cython.address(self.signals.stop), 1)
            line = self._chosen_line()
            return self._finish(line[0], ponder_move(self.position, line))
        finally:
            # The best move has been reported: on a busy machine it takes the helpers a while to notice.
            store_int(cython.address(self.signals.stop), 1)
            wait_for(helpers)
            main.on_root_move = main.on_bound = None

    def make_ready(self, worker: Worker) -> cython.int:
        """Give a worker the position and empty its line.

        A clock already at 100 means that nobody enforces the 50-move rule: then search as if it were 0.
        """
        worker.position = self.position.copy()
        worker.position.reserve(MAX_PLY + 8)
        if worker.position.state.half_move_clock >= 100:
            worker.position.state.half_move_clock = 0
        worker.signals = cython.address(self.signals)
        worker.start()
        list_root_moves(worker)
        if self.task.search_moves:
            keep_root_moves(worker, self.task.search_moves)
        return 0

    def use_tablebases(self, main: Worker) -> cython.int:
        """Let the tablebases, if there are any, rank the root moves: once, since all workers have the same.

        Who looks for a mate wants the shortest, whatever the tables think of its moves.
        """
        probing: Probing = self.task.probing
        tables = self.pool.tablebases
        has_use: cython.bint = tables is not None and self.task.limits.mate is None
        men: cython.int = min(probing.men, tables.largest) if has_use else 0
        for worker in self.pool.workers:
            one: Worker = worker
            one.tablebases = tables
            one.probe_men = men
            one.probe_depth = probing.depth
            one.counts_fifty_moves = probing.fifty_moves
        if men == 0 or popcount(main.position.occupied()) > men:
            return 0
        with cython.nogil:
            rank_root_moves(main)
        index: cython.int
        for worker in self.pool.workers[1:]:
            one = worker
            one.probe_men = main.probe_men
            for index in range(main.root_count):
                move: cython.pointer[RootMove] = cython.address(one.root_moves[index])
                move.rank = main.root_moves[index].rank
                move.table_score = main.root_moves[index].table_score
            sort_root_moves(one, 0)
        sort_root_moves(main, 0)
        return 0

    def wait_if_asked(self) -> None:
        """`go infinite` and `go ponder` answer only after `stop` or `ponderhit`, whatever limit was reached before."""
        while (self.task.limits.infinite or self.is_pondering()) and not self.told_to_stop:
            self.wake.acquire()

    # When to stop.

    def _deepen(self, worker: Worker) -> None:
        """The main thread's iterations, with the decisions when to stop."""
        task: Task = self.task
        last_best = 0
        stable = 0
        last_score = 0
        lines: cython.int = task.lines
        mate = task.limits.mate
        complete: cython.bint
        depth: cython.int
        for depth in range(1, deepest(task) + 1):
            with cython.nogil:
                complete = run_iteration(worker, depth, lines)
            if self.error is not None:
                raise self.error
            self._settle(worker, complete)
            for rank, found in enumerate(self.settled[: task.shown_lines], 1):
                self._report_line(found, rank, "")
            if not complete:
                return
            score, best = self.settled[0].score, self.settled[0].moves[0]
            stable = stable + 1 if best == last_best else 0
            drop = last_score - score if depth > 1 else 0
            last_best, last_score = best, score
            if self._mate_is_settled(depth, score):
                return
            if mate is not None and is_mate(score) and plies_to_end(score) <= 2 * mate:
                return
            if self._time_is_up(worker, stable, drop):
                return

    def _settle(self, worker: Worker, complete: bool) -> None:
        """Take over what an iteration has found, as far as it is exact.

        One that was stopped on the way may know a better move exactly; a bound, or some of several lines, does not
        count, and what was found before stands.
        """
        if complete or not self.settled:
            lines = [line_of(worker, number) for number in range(min(self.task.lines, worker.root_count))]
            # Stopped before anything was known, the static score has to do.
            nothing = [lines[0]._replace(score=evaluate(worker.position, cython.address(worker.memory)))]
            # A mate in a line that the tablebases put behind comes to the front.
            known = sorted((found for found in lines if found.score != -INFINITE), key=lambda found: -found.score)
            self.settled = known or nothing
        elif self.task.lines == 1 and is_best_exact(worker):
            self.settled = [line_of(worker, 0)]

    def _mate_is_settled(self, depth: int, score: int) -> bool:
        """True if a mate was found that no deeper search will shorten, and nobody wants to see more."""
        limits: Limits = self.task.limits
        if limits.infinite or self.task.analysing or limits.depth or limits.nodes or self.is_pondering():
            return False
        units: cython.int = score
        return is_mate(units) and depth > plies_to_end(units) + 2

    def _time_is_up(self, worker: Worker, stable: int, drop: int) -> bool:
        """True if another iteration should not be started."""
        if self.is_pondering() or self.budget.soft_ms >= FOREVER_MS:
            return False
        if count_choices(worker) == 1 and self.task.limits.movetime_ms is None and not self.task.analysing:
            return True  # nothing to decide
        spent = 1000 * (time.monotonic() - self.clock_start)
        if self.task.time_ms is None:
            return spent >= self.budget.soft_ms
        return spent >= scaled_soft_ms(self.budget, best_share(worker), stable, drop)

    # What to report.

    def _tell(self, report: Report) -> None:
        """Report something, and before it what is wrong with the tablebases."""
        if self.pool.tablebases is not None:
            self.pool.tablebases.tell_problems()
        self.report(report)

    def _score(self, units: int) -> Score:
        return Score(units, COLOR_NAMES[self.position.side])

    def _finish(self, move: int, ponder: int) -> BestMove:
        """Report the end and return it; before it, what kept a move that is late."""
        spent = 1000 * (time.monotonic() - self.clock_start)
        if spent > self.budget.hard_ms + LATE_MS and not self.told_to_stop and not self.task.limits.ponder:
            start = 1000 * (self.started - self.clock_start)
            self._tell(Late(self.budget.hard_ms, spent, max(start, 0), used_since(self.usage), waited_ms()))
        best = BestMove(move, ponder, self.position.chess960)
        self._tell(best)
        return best

    def _chosen_line(self) -> tuple[int, ...]:
        """The best line, or the one that `task.choose` picks among the best ones."""
        if self.task.choose is None:
            return self.settled[0].moves
        number = self.task.choose([found.score for found in self.settled])
        if number > 0:
            self._report_line(self.settled[number], 1, "")
        return self.settled[number].moves

    # From inside an iteration, where nothing can be raised: what a report raises ends the search and is raised then.

    def _report_root_move(self, depth: int, move: int, number: int) -> None:
        try:
            self._tell(CurrentMove(depth, move, number, self.position.chess960))
        except BaseException as error:
            self._fail(error)

    def _report_bound(self, number: int, bound: str) -> None:
        try:
            self._report_line(line_of(self.pool.workers[0], number), number + 1, bound)
        except BaseException as error:
            self._fail(error)

    def _fail(self, error: BaseException) -> None:
        self.error = error
        store_int(cython.address(self.signals.stop), 1)

    def _report_line(self, found: FoundLine, rank: int, bound: str) -> None:
        """Report one line as the rank-th best."""
        fullness: cython.int = self.pool.table.fullness()
        self._tell(
            Progress(
                found.depth,
                max(found.selective_depth, found.depth),
                rank,
                self._score(found.score),
                bound,
                self.pool.nodes(),
                time.monotonic() - self.started,
                fullness,
                self.pool.table_hits(),
                found.moves,
                self.position.chess960,
            )
        )


def deepest(task: Task) -> int:
    """The last iteration. A search for a mate alone ends where a mate of that length would have been seen."""
    limits = task.limits
    if limits.depth is not None:
        return min(limits.depth, MAX_DEPTH)
    others = (limits.nodes, limits.movetime_ms, task.time_ms)
    if limits.mate is not None and not limits.infinite and not any(limit is not None for limit in others):
        return min(4 * limits.mate + 12, MAX_DEPTH)
    return int(MAX_DEPTH)


def ponder_move(position: Position, line: tuple[int, ...]) -> int:
    """The expected answer, if it is known and neither it nor the best move ends the game."""
    played = 0
    try:
        for move in line[:2]:
            if not is_legal_move(position, move):
                return 0
            play(position, move)
            played += 1
            if status(position).is_over or can_claim_fifty_moves(position) or can_claim_threefold(position):
                return 0
    finally:
        for _ in range(played):
            undo(position)
    return line[1] if len(line) > 1 else 0
