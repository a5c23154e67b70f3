"""Solves the positions of an EPD file: best moves (bm), moves to avoid (am), mates in so many moves (dm).

Shows a progress line, then a table of the moves played and of when the right one was last found.
Example: `.venv/bin/python scripts/strength/suite.py tests/data/mates.epd --movetime 1000`.
"""

import argparse
import sys
import time
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from shared.command_line import ProgressLine, render_bar, run, whole_number

from nowchess_uci import Engine, Limits, Line, Score
from nowchess_uci.rules.epd import EpdError, parse_epd
from nowchess_uci.rules.move import render_move
from nowchess_uci.rules.notation import MoveTextError, parse_move, render_san
from nowchess_uci.rules.position import Position


class Problem(NamedTuple):
    """One position and what solves it."""

    name: str
    position: Position
    best: tuple[str, ...]
    avoid: tuple[str, ...]
    mate: int  # 0 if any solution will do

    def is_solved(self, move: str, score: Score) -> bool:
        """True if this move with this score is what the file wants."""
        if self.best and move not in self.best:
            return False
        if move in self.avoid:
            return False
        return not self.mate or (score.mate is not None and 0 < score.mate <= self.mate)

    def wanted(self) -> str:
        """The solution as text."""
        parts = [self.san(move) for move in self.best]
        parts += [f"not {self.san(move)}" for move in self.avoid]
        return " ".join([*parts, *([f"mate in {self.mate}"] if self.mate else [])])

    def san(self, move: str) -> str:
        """A move of this position in standard algebraic notation."""
        return str(render_san(self.position, parse_move(self.position, move)))


class Outcome(NamedTuple):
    """What the engine did with a problem."""

    move: str
    solved: bool
    depth: int  # from which it stayed with a solution
    seconds: float


def read_problems(path: Path) -> list[Problem]:
    """Every line of the file; one that has nothing to solve, or is wrong, is an error with its number."""
    problems: list[Problem] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            position, operations = parse_epd(line)
            best, avoid = (
                tuple(render_move(parse_move(position, text), position.chess960) for text in operations.get(code, []))
                for code in ("bm", "am")
            )
            mate = int((operations.get("dm") or ["0"])[0])
        except (EpdError, MoveTextError, ValueError) as error:
            raise SystemExit(f"{path}, line {number}: {error}") from error
        if not best and not avoid and not mate:
            raise SystemExit(f"{path}, line {number}: neither bm, am nor dm")
        name = " ".join(operations.get("id", [str(number)]))
        problems.append(Problem(name, position, best, avoid, mate))
    return problems


def solve(engine: Engine, problem: Problem, limits: Limits) -> Outcome:
    """Search one position with an empty table."""
    first: Line | None = None
    engine.forget()
    for line in engine.stream(problem.position, limits):
        if line.bound or not line.pv:
            continue
        last = line
        if not problem.is_solved(line.move, line.score):
            first = None
        elif first is None:
            first = line
    if first is None:
        return Outcome(last.move, False, 0, 0.0)
    return Outcome(last.move, True, first.depth, first.seconds)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, help="EPD file with bm, am or dm in every line")
    parser.add_argument(
        "--movetime", type=whole_number(1), default=1000, help="milliseconds per position (default: 1000)"
    )
    parser.add_argument("--nodes", type=whole_number(1), help="nodes per position, instead of time")
    parser.add_argument("--depth", type=whole_number(1), help="depth, instead of time")
    parser.add_argument("--threads", type=whole_number(1), default=1, help="default: 1")
    parser.add_argument("--hash", type=whole_number(1), default=64, help="table size in MiB (default: 64)")
    arguments = parser.parse_args()
    by_time = arguments.nodes is None and arguments.depth is None
    limits = Limits(movetime_ms=arguments.movetime if by_time else None, nodes=arguments.nodes, depth=arguments.depth)
    problems = read_problems(arguments.file)
    engine = Engine(threads=arguments.threads, hash_mib=arguments.hash)
    engine.configure(move_overhead_ms=0)
    start = time.monotonic()
    outcomes: list[Outcome] = []
    line = ProgressLine()
    for number, problem in enumerate(problems, 1):
        outcomes.append(solve(engine, problem, limits))
        solved = sum(outcome.solved for outcome in outcomes)
        line.show(f"{render_bar(number, len(problems))} {number} of {len(problems)}, {solved} solved")
    line.end()
    width = max(len(problem.name) for problem in problems) + 2
    print(f"{'position':<{width}}{'wanted':<22}{'played':<10}{'depth':>6}{'seconds':>9}")
    for problem, outcome in zip(problems, outcomes, strict=True):
        played = problem.san(outcome.move) if outcome.move else "none"
        when = f"{outcome.depth:>6}{outcome.seconds:>9.2f}" if outcome.solved else f"{'-':>6}{'-':>9}"
        print(f"{problem.name:<{width}}{problem.wanted():<22}{played:<10}{when}")
    solved = sum(outcome.solved for outcome in outcomes)
    print(f"{solved} of {len(problems)} solved in {time.monotonic() - start:.1f} s")
    return 0 if solved == len(problems) else 1


if __name__ == "__main__":
    run(main)
