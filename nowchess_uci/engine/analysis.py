"""What a search has found, for Python programs: lines with scores, moves as text."""

from collections.abc import Iterable

from nowchess_uci.rules.move import render_move
from nowchess_uci.rules.movegen import play
from nowchess_uci.rules.notation import render_san
from nowchess_uci.rules.position import Position
from nowchess_uci.search.reports import BestMove, Progress, Report
from nowchess_uci.search.score import Score


class Line:
    """One line of thought: a score, and the moves that lead to it."""

    __slots__ = ("_position", "_report")

    def __init__(self, report: Progress, position: Position) -> None:
        self._report = report
        self._position = position

    @property
    def rank(self) -> int:
        """1 for the best line, 2 for the second best."""
        return self._report.rank

    @property
    def score(self) -> Score:
        """How good it is for the side to move; `score.white` is White's view."""
        return self._report.score

    @property
    def bound(self) -> str:
        """`lowerbound` or `upperbound` if the score is only that; empty if it is exact."""
        return self._report.bound

    @property
    def wdl(self) -> tuple[int, int, int]:
        """The chances of win, draw and loss for the side to move, in thousandths."""
        return self._report.score.wdl

    @property
    def pv(self) -> tuple[str, ...]:
        """The moves as UCI text."""
        return tuple(render_move(move, self._position.chess960) for move in self._report.line)

    @property
    def san(self) -> tuple[str, ...]:
        """The moves as standard algebraic notation."""
        position = self._position.copy()
        texts = []
        for move in self._report.line:
            texts.append(render_san(position, move))
            play(position, move)
        return tuple(texts)

    @property
    def move(self) -> str:
        """The first move as UCI text; empty if the game is over."""
        return self.pv[0] if self._report.line else ""

    @property
    def depth(self) -> int:
        """Half-moves looked ahead."""
        return self._report.depth

    @property
    def selective_depth(self) -> int:
        """The longest line looked at."""
        return self._report.selective_depth

    @property
    def nodes(self) -> int:
        """Positions looked at when this was found."""
        return self._report.nodes

    @property
    def seconds(self) -> float:
        """Time spent when this was found."""
        return self._report.seconds

    def __repr__(self) -> str:
        return f"<Line {self.rank}: {self.score} depth {self.depth}, {' '.join(self.pv)}>"


class Analysis:
    """The end of a search."""

    __slots__ = ("_end", "_position", "lines", "nodes", "seconds")

    def __init__(self, lines: Iterable[Line], end: BestMove, position: Position, nodes: int, seconds: float) -> None:
        self.lines = tuple(lines)
        """The best lines, best first; at least one."""
        self._end = end
        self._position = position
        self.nodes = nodes
        """Positions looked at."""
        self.seconds = seconds

    @property
    def best(self) -> Line:
        """The best line."""
        return self.lines[0]

    @property
    def move(self) -> str:
        """The move to play as UCI text; empty if the game is over."""
        return render_move(self._end.move, self._position.chess960) if self._end.move else ""

    @property
    def ponder(self) -> str:
        """The expected answer as UCI text; empty if none is known."""
        return render_move(self._end.ponder, self._position.chess960) if self._end.ponder else ""

    @property
    def depth(self) -> int:
        """Half-moves looked ahead in the best line."""
        return self.best.depth

    def __repr__(self) -> str:
        return f"<Analysis {self.best.score} {self.move}, {self.nodes} nodes>"


class Gatherer:
    """Keeps the latest exact line of each rank while a search reports."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.latest: dict[int, Progress] = {}

    def add(self, report: Report) -> None:
        """Take a report; a bound counts only as long as nothing better is known."""
        if isinstance(report, Progress) and (not report.bound or report.rank not in self.latest):
            self.latest[report.rank] = report

    def finished(self, end: BestMove, nodes: int) -> Analysis:
        """The analysis as a whole."""
        reports = [self.latest[rank] for rank in sorted(self.latest)]
        lines = [Line(report, self.position) for report in reports]
        return Analysis(lines, end, self.position, nodes, max(report.seconds for report in reports))
