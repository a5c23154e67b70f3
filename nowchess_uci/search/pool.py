"""The search as a whole: its threads, its clock, its end.

`think` runs on the caller's thread and returns when the search is over; `stop` and `ponderhit` come from another
thread. Every thread searches the same root (Lazy SMP): they help each other through the shared table.
"""
# mypy: disable-error-code="attr-defined"

import threading
import time
from collections.abc import Callable

import cython
from cython.cimports.nowchess_uci.rules.bits import U64
from cython.cimports.nowchess_uci.rules.position import Position
from cython.cimports.nowchess_uci.search.deepening import list_root_moves, run_iteration
from cython.cimports.nowchess_uci.search.scores import INFINITE, MATE, MATE_BOUND, MAX_PLY
from cython.cimports.nowchess_uci.search.shared import load_int, load_u64, store_double, store_int, store_u64
from cython.cimports.nowchess_uci.search.table import Table
from cython.cimports.nowchess_uci.search.worker import Signals, Worker

from nowchess_uci.evaluation.evaluate import score_of
from nowchess_uci.rules.draws import can_claim_fifty_moves, can_claim_threefold, status
from nowchess_uci.rules.movegen import is_legal_move, play, undo
from nowchess_uci.search.clock import FOREVER_MS, budget_for, scaled_soft_ms
from nowchess_uci.search.deepening import MAX_DEPTH, best_line, best_share, keep_root_moves
from nowchess_uci.search.limits import Limits
from nowchess_uci.search.reports import BestMove, CurrentMove, Progress, Report

NO_LIMIT = (1 << 64) - 1
QUIET_SECONDS = 3.0  # before that, neither the current move nor bounds are told
STACK_BYTES = 16 << 20  # a thread's own default may be too small for the deepest line


class Pool:
    """The engine's thinking part between `ucinewgame` and `quit`."""

    def __init__(self, hash_mib: int = 16, threads: int = 1) -> None:
        self.table = Table(hash_mib)
        self.workers: list[Worker] = []
        self.wake = threading.Event()
        store_int(cython.address(self.signals.stop), 1)
        self.set_threads(threads)

    def set_threads(self, threads: int) -> None:
        """Use so many threads from the next search on."""
        workers = [Worker(self.table, number) for number in range(len(self.workers), threads)]
        self.workers = [*self.workers[:threads], *workers]

    def set_hash(self, hash_mib: int) -> None:
        """Take another table size; raises MemoryError, the old table kept, if the system does not give it."""
        self.table.resize(hash_mib)

    def forget(self) -> None:
        """A new game: empty table, empty histories."""
        self.table.clear(len(self.workers))
        for worker in self.workers:
            worker.forget()

    def nodes(self) -> int:
        """What all threads have searched so far."""
        main: Worker = self.workers[0]
        total: U64 = main.nodes
        for worker in self.workers[1:]:
            total += load_u64(cython.address(cython.cast(Worker, worker).told_nodes))
        return total

    # From another thread, while `think` runs.

    def prepare(self, limits: Limits) -> None:
        """Get the signals ready; called before `think`, on the thread that may call `stop`."""
        self.wake.clear()
        self.told_to_stop = False
        self.limits = limits
        self.budget = budget_for(limits)
        self.clock_start = limits.started or time.monotonic()
        store_int(cython.address(self.signals.stop), 0)
        store_int(cython.address(self.signals.pondering), limits.ponder)
        store_double(cython.address(self.signals.deadline), self.clock_start + self.budget.hard_ms / 1000)
        self.signals.node_limit = NO_LIMIT if limits.nodes is None else max(limits.nodes, 1)

    def stop(self) -> None:
        """End the search as soon as possible."""
        self.told_to_stop = True
        store_int(cython.address(self.signals.stop), 1)
        store_int(cython.address(self.signals.pondering), 0)
        self.wake.set()

    def ponderhit(self) -> None:
        """The expected move was played: the clock counts from now. Means nothing to a search whose clock counts."""
        if not self.is_pondering():
            return
        self.clock_start = time.monotonic()
        store_double(cython.address(self.signals.deadline), self.clock_start + self.budget.hard_ms / 1000)
        store_int(cython.address(self.signals.pondering), 0)
        self.wake.set()

    def is_pondering(self) -> bool:
        """True while the opponent's clock runs."""
        return load_int(cython.address(self.signals.pondering)) != 0

    # The search.

    def think(self, position: Position, report: Callable[[Report], None]) -> BestMove:
        """Search a position until a limit is reached, reporting on the way; returns and reports the best move."""
        started: float = time.monotonic()
        limits: Limits = self.limits
        self.table.new_search()
        for worker in self.workers:
            ready(worker, position, cython.address(self.signals), limits)
        main: Worker = self.workers[0]
        if main.root_count == 0:
            report(Progress(0, 0, 1, -MATE if position.in_check else 0, "", 0, 0.0, 0, ()))
            self.wait_if_asked()
            return finish(report, BestMove(0, 0))
        main.chatty_from = started + QUIET_SECONDS
        main.on_root_move = lambda depth, move, number: report(CurrentMove(depth, move, number))
        main.on_bound = lambda number, bound: self._report_line(main, number, number + 1, bound, started, report)
        helpers = start_helpers(self.workers[1:])
        try:
            self._deepen(main, started, report)
            self.wait_if_asked()
            store_int(cython.address(self.signals.stop), 1)
            line = self._chosen_line(main, started, report)
            return finish(report, BestMove(line[0], ponder_move(position, line)))
        finally:
            # The best move is told already: on a busy machine it takes the helpers a while to notice.
            store_int(cython.address(self.signals.stop), 1)
            for helper in helpers:
                helper.join()
            main.on_root_move = main.on_bound = None

    def _chosen_line(self, worker: Worker, started: float, report: Callable[[Report], None]) -> tuple[int, ...]:
        """The best line, or the one that `limits.choose` picks among the best ones."""
        lines = [best_line(worker, number) for number in range(min(self.limits.multi_pv, worker.root_count))]
        known = [number for number, line in enumerate(lines) if line[0] != -INFINITE]
        if self.limits.choose is None or not known:
            return lines[0][2]
        number = known[self.limits.choose([lines[number][0] for number in known])]
        if number > 0:
            self._report_line(worker, number, 1, "", started, report)
        return lines[number][2]

    def _deepen(self, worker: Worker, started: float, report: Callable[[Report], None]) -> None:
        """The main thread's iterations, with the decisions when to stop."""
        limits: Limits = self.limits
        last_best = 0
        stable = 0
        last_score = 0

        multi_pv: cython.int = limits.multi_pv
        complete: cython.bint
        depth: cython.int
        for depth in range(1, deepest(limits) + 1):
            with cython.nogil:
                complete = run_iteration(worker, depth, multi_pv)
            self._report(worker, started, report)
            if not complete:
                return
            score, _, line = best_line(worker, 0)
            stable = stable + 1 if line[0] == last_best else 0
            drop = last_score - score if depth > 1 else 0
            last_best, last_score = line[0], score
            if self._mate_is_settled(depth, score):
                return
            if limits.mate is not None and MATE - abs(score) <= 2 * limits.mate:
                return
            if self._time_is_up(worker, stable, drop):
                return

    def _mate_is_settled(self, depth: int, score: int) -> bool:
        """True if a mate was found that no deeper search will shorten, and nobody wants to see more."""
        limits: Limits = self.limits
        if limits.infinite or limits.analysing or limits.depth or limits.nodes or self.is_pondering():
            return False
        return abs(score) > MATE_BOUND and depth > MATE - abs(score) + 2

    def _time_is_up(self, worker: Worker, stable: int, drop: int) -> bool:
        """True if another iteration should not be started."""
        if self.is_pondering() or self.budget.soft_ms >= FOREVER_MS:
            return False
        if worker.root_count == 1 and self.limits.movetime_ms is None and not self.limits.analysing:
            return True  # nothing to decide
        spent = 1000 * (time.monotonic() - self.clock_start)
        if self.limits.time_ms is None:
            return spent >= self.budget.soft_ms
        return spent >= scaled_soft_ms(self.budget, best_share(worker), stable, drop)

    def _report(self, worker: Worker, started: float, report: Callable[[Report], None]) -> None:
        """Tell the lines of one iteration."""
        for number in range(min(self.limits.shown_lines, self.limits.multi_pv, worker.root_count)):
            self._report_line(worker, number, number + 1, "", started, report)

    def _report_line(
        self, worker: Worker, number: int, rank: int, bound: str, started: float, report: Callable[[Report], None]
    ) -> None:
        """Tell one line as the rank-th best, unless nothing is known of it yet."""
        score, selective, line = best_line(worker, number)
        if score == -INFINITE:
            if number > 0:
                return
            score = score_of(worker.position)  # stopped before anything was known
        depth: cython.int = worker.root_depth
        seconds = time.monotonic() - started
        fullness: cython.int = self.table.fullness()
        report(Progress(depth, max(selective, depth), rank, score, bound, self.nodes(), seconds, fullness, line))

    def wait_if_asked(self) -> None:
        """`go infinite` and `go ponder` answer only after `stop` or `ponderhit`, whatever limit was reached before."""
        while (self.limits.infinite or self.is_pondering()) and not self.told_to_stop:
            self.wake.wait()
            self.wake.clear()


def ready(worker: Worker, position: Position, signals: cython.pointer[Signals], limits: Limits) -> cython.int:
    """Give a worker the position and empty its line.

    A clock already at 100 means that nobody enforces the 50-move rule: then search as if it were 0.
    """
    worker.position = position.copy()
    worker.position.reserve(MAX_PLY + 8)
    if worker.position.state.half_move_clock >= 100:
        worker.position.state.half_move_clock = 0
    worker.signals = signals
    worker.start()
    list_root_moves(worker)
    if limits.search_moves:
        keep_root_moves(worker, limits.search_moves)
    return 0


def deepest(limits: Limits) -> int:
    """The last iteration. A search for a mate alone ends where a mate of that length would have been seen."""
    if limits.depth is not None:
        return min(limits.depth, MAX_DEPTH)
    others = (limits.nodes, limits.movetime_ms, limits.time_ms)
    if limits.mate is not None and not limits.infinite and not any(limit is not None for limit in others):
        return min(4 * limits.mate + 12, MAX_DEPTH)
    return int(MAX_DEPTH)


def finish(report: Callable[[Report], None], best: BestMove) -> BestMove:
    """Report the end and return it."""
    report(best)
    return best


def start_helpers(workers: list[Worker]) -> list[threading.Thread]:
    """The threads that search beside the main one; fewer than wanted if the system gives no more."""
    helpers: list[threading.Thread] = []
    previous_size = threading.stack_size(STACK_BYTES)
    try:
        for worker in workers:
            helper = threading.Thread(target=deepen_alone, args=(worker,))
            helper.start()
            helpers.append(helper)
    except RuntimeError:
        pass  # no more threads: the search goes on with those there are
    finally:
        threading.stack_size(previous_size)
    return helpers


def deepen_alone(worker: Worker) -> None:
    """A helper's iterations: it reports nothing and goes on until told to stop."""
    depth: cython.int
    with cython.nogil:
        for depth in range(1 + worker.number % 2, MAX_PLY):
            if not run_iteration(worker, depth, 1):
                break
    store_u64(cython.address(worker.told_nodes), worker.nodes)


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
