"""Solves the positions of an EPD file: best moves (bm), moves to avoid (am), mates in so many moves (dm).

Shows a progress line, then a table of what was played, and when the right move was last found.
Example: `.venv/bin/python scripts/strength/suite.py tests/data/mates.epd --movetime 1000`.
"""

import argparse
import sys
import time
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from shared.command_line import ProgressLine, render_bar, run, whole_number

from nowchess_uci.rules.epd import EpdError, parse_epd
from nowchess_uci.rules.notation import MoveTextError, parse_move, render_san
from nowchess_uci.rules.position import Position
from nowchess_uci.search.deepening import LEAST_MATE_SCORE, MATE_SCORE
from nowchess_uci.search.limits import Limits
from nowchess_uci.search.pool import Pool
from nowchess_uci.search.reports import Progress, Report


class Task(NamedTuple):
    """One position and what solves it."""

    name: str
    position: Position
    best: tuple[int, ...]
    avoid: tuple[int, ...]
    mate: int  # 0 if any solution will do

    def is_solved(self, move: int, score: int) -> bool:
        """True if this move with this score is what the file wants."""
        if self.best and move not in self.best:
            return False
        if move in self.avoid:
            return False
        return not self.mate or (score >= LEAST_MATE_SCORE and (MATE_SCORE - score + 1) // 2 <= self.mate)

    def wanted(self) -> str:
        """The solution as text."""
        parts = [f"{render_san(self.position, move)}" for move in self.best]
        parts += [f"not {render_san(self.position, move)}" for move in self.avoid]
        return " ".join([*parts, *([f"mate in {self.mate}"] if self.mate else [])])


class Outcome(NamedTuple):
    """What the engine did with a task."""

    move: int
    solved: bool
    depth: int  # from which it stayed with a solution
    seconds: float


def read_tasks(path: Path) -> list[Task]:
    """Every line of the file; one that has nothing to solve, or is wrong, is an error with its number."""
    tasks: list[Task] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            position, operations = parse_epd(line)
            best = tuple(parse_move(position, text) for text in operations.get("bm", []))
            avoid = tuple(parse_move(position, text) for text in operations.get("am", []))
            mate = int((operations.get("dm") or ["0"])[0])
        except (EpdError, MoveTextError, ValueError) as error:
            raise SystemExit(f"{path}, line {number}: {error}") from error
        if not best and not avoid and not mate:
            raise SystemExit(f"{path}, line {number}: neither bm, am nor dm")
        name = " ".join(operations.get("id", [str(number)]))
        tasks.append(Task(name, position, best, avoid, mate))
    return tasks


def solve(pool: Pool, task: Task, limits: Limits) -> Outcome:
    """Search one position with an empty table."""
    found: list[tuple[int, float]] = []
    last = [0]

    def note(report: Report) -> None:
        if isinstance(report, Progress) and report.multipv == 1 and not report.bound and report.line:
            last[0] = report.score
            if not task.is_solved(report.line[0], report.score):
                found.clear()
            elif not found:
                found.append((report.depth, report.seconds))

    pool.forget()
    pool.prepare(limits)
    move = pool.think(task.position, note).move
    solved = task.is_solved(move, last[0])
    depth, seconds = found[0] if solved and found else (0, 0.0)
    return Outcome(move, solved, depth, seconds)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, help="EPD file with bm, am or dm in every line")
    parser.add_argument(
        "--movetime", type=whole_number(1), default=1000, help="milliseconds a position (default: 1000)"
    )
    parser.add_argument("--nodes", type=whole_number(1), help="nodes a position, instead of time")
    parser.add_argument("--depth", type=whole_number(1), help="depth, instead of time")
    parser.add_argument("--threads", type=whole_number(1), default=1, help="default: 1")
    parser.add_argument("--hash", type=whole_number(1), default=64, help="table size in MiB (default: 64)")
    arguments = parser.parse_args()
    by_time = arguments.nodes is None and arguments.depth is None
    limits = Limits(
        movetime_ms=arguments.movetime if by_time else None, nodes=arguments.nodes, depth=arguments.depth, overhead_ms=0
    )
    tasks = read_tasks(arguments.file)
    pool = Pool(arguments.hash, arguments.threads)
    start = time.monotonic()
    outcomes: list[Outcome] = []
    line = ProgressLine()
    for number, task in enumerate(tasks, 1):
        outcomes.append(solve(pool, task, limits))
        solved = sum(outcome.solved for outcome in outcomes)
        line.show(f"{render_bar(number, len(tasks))} {number} of {len(tasks)}, {solved} solved")
    line.end()
    width = max(len(task.name) for task in tasks) + 2
    print(f"{'position':<{width}}{'wanted':<22}{'played':<10}{'depth':>6}{'seconds':>9}")
    for task, outcome in zip(tasks, outcomes, strict=True):
        played = render_san(task.position, outcome.move) if outcome.move else "none"
        when = f"{outcome.depth:>6}{outcome.seconds:>9.2f}" if outcome.solved else f"{'-':>6}{'-':>9}"
        print(f"{task.name:<{width}}{task.wanted():<22}{played:<10}{when}")
    solved = sum(outcome.solved for outcome in outcomes)
    print(f"{solved} of {len(tasks)} solved in {time.monotonic() - start:.1f} s")
    return 0 if solved == len(tasks) else 1


if __name__ == "__main__":
    run(main)
