"""Fits the curve from scores to chances of win, draw and loss to self-play games.

The games come as `scripts/training/selfplay.py text` writes them.

Prints the two constants of nowchess_uci/evaluation/chances.py, and how well they predict. Needs numpy.
Example: `.venv/bin/python scripts/training/fit_chances.py build/data.txt`.
"""

import argparse
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from shared.command_line import run
from training.positions_file import read_positions


def read(path: str) -> tuple[np.ndarray, np.ndarray]:
    """Scores and results, both for White."""
    data = np.array([(score, result) for _, result, score in read_positions(path)], dtype=float)
    return data[:, 0], data[:, 1]


def likelihoods(scores: np.ndarray, even: float, spread: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Chances of win, draw and loss."""
    win = 1 / (1 + np.exp((even - scores) / spread))
    loss = 1 / (1 + np.exp((even + scores) / spread))
    return win, np.maximum(1 - win - loss, 1e-6), loss


def cost(scores: np.ndarray, results: np.ndarray, even: float, spread: float) -> float:
    """Mean surprise at the results; the smaller, the better the curve."""
    win, draw, loss = likelihoods(scores, even, spread)
    happened = np.where(results == 1.0, win, np.where(results == 0.0, loss, draw))
    return float(-np.mean(np.log(happened)))


def fit(scores: np.ndarray, results: np.ndarray) -> tuple[float, float]:
    """The best pair by a search that halves its steps."""
    even, spread, step = 150.0, 80.0, 64.0
    while step >= 1:
        around = [(even + a * step, spread + b * step) for a in (-1, 0, 1) for b in (-1, 0, 1)]
        best = min((pair for pair in around if pair[1] > 1), key=lambda pair: cost(scores, results, *pair))
        if best == (even, spread):
            step /= 2
        even, spread = best
    return even, spread


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", help="file of positions")
    arguments = parser.parse_args()
    scores, results = read(arguments.data)
    even, spread = fit(scores, results)
    print(f"EVEN_CHANCE = {even:.0f}, SPREAD = {spread:.0f}, surprise {cost(scores, results, even, spread):.4f}")
    print(f"{'score':>12}{'positions':>11}{'won':>8}{'curve':>8}{'drawn':>8}{'curve':>8}")
    for low in range(-500, 500, 100):
        chosen = (scores >= low) & (scores < low + 100)
        win, draw, _ = likelihoods(scores[chosen], even, spread)
        won, drawn = np.mean(results[chosen] == 1), np.mean(results[chosen] == 0.5)
        label = f"{low}..{low + 99}"
        print(f"{label:>12}{chosen.sum():>11}{won:>8.3f}{win.mean():>8.3f}{drawn:>8.3f}{draw.mean():>8.3f}")
    return 0


if __name__ == "__main__":
    run(main)
