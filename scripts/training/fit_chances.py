"""Fits the curve from scores to chances of win, draw and loss to folders that selfplay.py has made.

Prints the two constants of nowchess_uci/evaluation/chances.py, and how well they predict.
Example: `.venv/bin/python scripts/training/fit_chances.py build/games`.
"""

import argparse
import sys
from math import exp, log
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from shared.command_line import run

from nowchess_uci.training.manifest import RunError
from nowchess_uci.training.reader import read_samples
from nowchess_uci.training.shards import GAMES

WIDTH = 10  # centipawns that are counted together
BUCKETS = 400
ROW = 100  # centipawns in a row of the table
MOST = 2000  # that either constant may come to


class Count(NamedTuple):
    """Positions of about one score, and how their games ended for the side to move."""

    score: float
    lost: int
    drawn: int
    won: int

    @property
    def positions(self) -> int:
        return self.lost + self.drawn + self.won


def read(folders: list[Path]) -> list[Count]:
    """The positions of some runs, counted by score."""
    samples = read_samples(folders, GAMES, on_bad=lambda text: print(f"fit_chances: {text}", file=sys.stderr))
    tally = enumerate(samples.tally(WIDTH, BUCKETS))
    return [Count((number - BUCKETS // 2 + 0.5) * WIDTH, *counts) for number, counts in tally]


def predicted(score: float, even: float, spread: float) -> tuple[float, float, float]:
    """Chances of loss, draw and win."""
    win = 1 / (1 + exp((even - score) / spread))
    loss = 1 / (1 + exp((even + score) / spread))
    return loss, max(1 - win - loss, 1e-6), win


def surprise(counts: list[Count], even: float, spread: float) -> float:
    """Mean surprise at the results; the smaller, the better the curve."""
    total = 0.0
    for count in counts:
        loss, draw, win = predicted(count.score, even, spread)
        total -= count.lost * log(loss) + count.drawn * log(draw) + count.won * log(win)
    return total / sum(count.positions for count in counts)


def fit(counts: list[Count]) -> tuple[float, float]:
    """The best pair by a search that halves its steps; it moves only where it gains, and not without end."""
    even, spread, step = 150.0, 80.0, 64.0
    while step >= 1:
        around = [(even + a * step, spread + b * step) for a in (0, -1, 1) for b in (0, -1, 1)]
        sensible = [pair for pair in around if 0 <= pair[0] <= MOST and 10 < pair[1] <= MOST]
        best = min(sensible, key=lambda pair: surprise(counts, *pair))
        if best == (even, spread):
            step /= 2
        even, spread = best
    return even, spread


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR", help="folders of games")
    arguments = parser.parse_args()
    try:
        counts = read(arguments.folders)
    except RunError as error:
        raise SystemExit(f"fit_chances: {error}") from None
    for result in ("won", "drawn", "lost"):
        if not any(getattr(count, result) for count in counts):
            raise SystemExit(f"fit_chances: none of these positions is from a game that was {result}; play more games")
    even, spread = fit(counts)
    print(f"EVEN_CHANCE = {even:.0f}, SPREAD = {spread:.0f}, surprise {surprise(counts, even, spread):.4f}")
    print(f"{'score':>12}{'positions':>11}{'won':>8}{'curve':>8}{'drawn':>8}{'curve':>8}")
    for low in range(-500, 500, ROW):
        row = [count for count in counts if low < count.score < low + ROW]
        positions = sum(count.positions for count in row) or 1
        won, drawn = (sum(count[place] for count in row) / positions for place in (3, 2))
        curves = [(count.positions, predicted(count.score, even, spread)) for count in row]
        win, draw = (sum(weight * chances[place] for weight, chances in curves) / positions for place in (2, 1))
        label = f"{low}..{low + ROW - 1}"
        print(f"{label:>12}{positions:>11}{won:>8.3f}{win:>8.3f}{drawn:>8.3f}{draw:>8.3f}")
    return 0


if __name__ == "__main__":
    run(main)
