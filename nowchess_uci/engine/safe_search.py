"""A search that ends with exactly one best move, come what may: a client that hears none waits forever."""

from collections.abc import Callable

from nowchess_uci.engine.job import Job
from nowchess_uci.engine.notes import Note, SearchFailed
from nowchess_uci.rules.movegen import legal_moves
from nowchess_uci.rules.position import Position
from nowchess_uci.search.pool import Pool
from nowchess_uci.search.reports import BestMove, Progress, Report
from nowchess_uci.search.task import Task
from nowchess_uci.search.thinking import Thinking


class SafeSearch:
    """Remembers the best move reported, to play it if the search fails."""

    def __init__(
        self,
        pool: Pool,
        position: Position,
        task: Task,
        report: Callable[[Report], None],
        note: Callable[[Note], None],
    ) -> None:
        self.thinking = Thinking(pool, position.copy(), task, self._tell)
        self._report = report
        self._note = note
        self._best = some_move(position, task)
        self._job: Job[BestMove] | None = None
        self._is_answered = False

    def run(self, job: Job[BestMove]) -> BestMove:
        """Search, and answer."""
        self._job = job
        try:
            return self.thinking.run()
        except Exception as error:
            failure = error
        try:
            self._note(SearchFailed(failure))
            self.thinking.wait_if_asked()
        finally:
            if not self._is_answered:
                self._tell(self._best)
        return self._best

    def _tell(self, report: Report) -> None:
        if isinstance(report, Progress) and report.rank == 1 and report.line:
            self._best = BestMove(report.line[0], 0, report.chess960)
        if isinstance(report, BestMove) and self._job is not None:
            # Whoever reads the best move may ask for the next one at once: the search is over before it is reported.
            self._job.is_running = False
        self._report(report)
        self._is_answered = isinstance(report, BestMove)


def some_move(position: Position, task: Task) -> BestMove:
    """A move that may be played when nothing is known; 0 if there is none."""
    return BestMove(next(iter(task.search_moves or legal_moves(position)), 0), 0, position.chess960)
