"""Fits the weights of the evaluation to positions with results, as `scripts/training/selfplay.py text` writes them.

The evaluation is a sum of weights times counts, so its error has an exact gradient: the squared difference between
the result (mixed with what the search saw) and the chance that the score stands for. Needs numpy.
Example:
`.venv/bin/python scripts/training/tune.py build/data.txt --epochs 300 --out nowchess_uci/evaluation/weights.py`.
"""

import argparse
import sys
import time
from array import array
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from shared.command_line import ProgressLine, run, whole_number
from training.positions_file import read_positions

from nowchess_uci.evaluation.evaluate import trace_of
from nowchess_uci.evaluation.terms import DANGER_SCALE, GROUPS, weight_of
from nowchess_uci.rules.fen import parse_fen

TERMS = GROUPS[-1][2]
FULL_PHASE = 24
DANGER = GROUPS[-1][1]
RESIDUAL = 0.035  # mean squared error that no evaluation removes: games between equals are luck
POSITIONS_PER_FACT = 20  # neighbouring positions of a game say the same thing again
UNITS_PER_CENTIPAWN = 2  # of danger, about, when a king is in some
UNSEEN_SHARE = 0.05  # of the positions are not fitted to, but show whether the fit holds for other games
HEADER = '''"""The weights of the evaluation: (middlegame, ending) pairs in the order of terms.pxd.

Fitted by scripts/training/tune.py to the engine's own games; docs/records/tuning.md says which.
"""

# fmt: off
WEIGHTS: tuple[tuple[int, int], ...] = (
'''


class Counts:
    """How often which term stands in which row, as flat arrays that grow."""

    def __init__(self) -> None:
        self.lengths = array("i")
        self.terms = array("h")
        self.counts = array("h")

    def add_row(self, used: dict[int, int]) -> None:
        self.lengths.append(len(used))
        self.terms.extend(used.keys())
        self.counts.extend(used.values())

    def finished(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Row, term and count of each entry."""
        rows = np.repeat(np.arange(len(self.lengths), dtype=np.int32), np.frombuffer(self.lengths, dtype=np.int32))
        terms = np.frombuffer(self.terms, dtype=np.int16).astype(np.int32)
        return rows, terms, np.frombuffer(self.counts, dtype=np.int16).astype(np.float32)


class Data:
    """All positions; the units of danger have two rows for each, White's attack and Black's."""

    def __init__(self, path: str) -> None:
        plain = Counts()
        danger = Counts()
        phases = array("f")
        scales = array("f")
        results = array("f")
        scores = array("f")
        start = time.monotonic()
        line = ProgressLine()
        for number, (fen, result, score) in enumerate(read_positions(path), 1):
            used, (white, black), phase, white_scale, black_scale = trace_of(parse_fen(fen))
            plain.add_row(used)
            danger.add_row(white)
            danger.add_row(black)
            phases.append(phase)
            scales.extend((white_scale, black_scale))
            results.append(result)
            scores.append(score)
            line.show(f"{number:,} positions read")
        line.clear()
        self.rows, self.terms, self.counts = plain.finished()
        self.danger_rows, self.danger_terms, self.danger_counts = danger.finished()
        self.danger_sign = 1 - 2 * (self.danger_rows & 1)  # White's attack is good for White
        self.middle_share = np.array(phases) / FULL_PHASE
        self.scales = np.array(scales).reshape(-1, 2) / 64
        self.results = np.array(results)
        self.scores = np.array(scores)
        print(f"{len(results)} positions read in {time.monotonic() - start:.0f} s", file=sys.stderr)


def chance(scores: np.ndarray, spread: float) -> np.ndarray:
    return 1 / (1 + np.exp(-scores / spread))


class Model:
    """The weights being fitted, and the evaluation of all positions at once."""

    def __init__(self, data: Data) -> None:
        self.data = data
        self.weights = np.array([weight_of(term) for term in range(TERMS)], dtype=np.float64)
        self.start = self.weights.copy()

    def evaluate(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """White's scores, how much of the ending counts, and the units of danger, two for each position."""
        data = self.data
        size = len(data.results)
        units = np.bincount(data.danger_rows, data.danger_counts * self.weights[data.danger_terms, 0], 2 * size)
        units = np.maximum(units, 0)
        middle = np.bincount(data.rows, data.counts * self.weights[data.terms, 0], size)
        middle += (units[::2] ** 2 - units[1::2] ** 2) / DANGER_SCALE
        end = np.bincount(data.rows, data.counts * self.weights[data.terms, 1], size)
        signed = data.danger_counts * data.danger_sign
        end += np.bincount(data.danger_rows >> 1, signed * self.weights[data.danger_terms, 1], size)
        end_share = (1 - data.middle_share) * np.where(end > 0, data.scales[:, 0], data.scales[:, 1])
        return middle * data.middle_share + end * end_share, end_share, units

    def gradient(self, error: np.ndarray, end_share: np.ndarray, units: np.ndarray) -> np.ndarray:
        data = self.data
        middle_error = error * data.middle_share
        end_error = error * end_share
        middle = np.bincount(data.terms, data.counts * middle_error[data.rows], TERMS)
        end = np.bincount(data.terms, data.counts * end_error[data.rows], TERMS)
        signed = data.danger_counts * data.danger_sign
        slope = np.repeat(middle_error, 2) * units * (2 / DANGER_SCALE)
        middle += np.bincount(data.danger_terms, signed * slope[data.danger_rows], TERMS)
        end += np.bincount(data.danger_terms, signed * end_error[data.danger_rows >> 1], TERMS)
        return np.stack([middle, end], axis=1) / len(data.results)

    def pull(self, prior: float) -> np.ndarray:
        """The gradient of the belief that a weight is within `prior` centipawns of where it started.

        Without it a term that few games show would be fitted to the luck of those games.
        """
        strength = 2 * RESIDUAL * POSITIONS_PER_FACT / prior**2 / len(self.data.results)
        pulls = strength * (self.weights - self.start)
        pulls[DANGER:, 0] /= UNITS_PER_CENTIPAWN**2
        return pulls


def best_spread(data: Data) -> float:
    """The number of centipawns that makes the search's scores predict the results best."""
    candidates = np.arange(60.0, 400.0, 5.0)
    errors = [float(np.mean((chance(data.scores, spread) - data.results) ** 2)) for spread in candidates]
    return float(candidates[int(np.argmin(errors))])


def fit(model: Model, spread: float, mix: float, prior: float, epochs: int, rate: float) -> None:
    """Adam (Kingma, Ba 2014) on all positions at once."""
    data = model.data
    wanted = mix * data.results + (1 - mix) * chance(data.scores, spread)
    unseen = int(UNSEEN_SHARE * len(data.results))  # from the start of the file, so that whole games are left out
    first = np.zeros_like(model.weights)
    second = np.zeros_like(model.weights)
    start = time.monotonic()
    for epoch in range(1, epochs + 1):
        scores, end_share, units = model.evaluate()
        predicted = chance(scores, spread)
        difference = predicted - wanted
        error = float(np.mean(difference[unseen:] ** 2))
        unseen_error = float(np.mean(difference[:unseen] ** 2))
        difference[:unseen] = 0
        gradient = model.gradient(2 * difference * predicted * (1 - predicted) / spread, end_share, units)
        gradient += model.pull(prior)
        first = 0.9 * first + 0.1 * gradient
        second = 0.999 * second + 0.001 * gradient**2
        step = rate * (0.1 if epoch > 0.8 * epochs else 1.0)
        adjusted = first / (1 - 0.9**epoch) / (np.sqrt(second / (1 - 0.999**epoch)) + 1e-12)
        model.weights -= step * adjusted
        if epoch % 20 == 0 or epoch in (1, epochs):
            left = (epochs - epoch) * (time.monotonic() - start) / epoch
            text = f"epoch {epoch:4d} of {epochs}: error {error:.6f}, unseen {unseen_error:.6f}, {left:.0f} s left"
            print(text, file=sys.stderr, flush=True)


def write(path: str, weights: np.ndarray) -> None:
    """The weights as Python source, one group after the other."""
    with open(path, "w", encoding="ascii") as file:
        file.write(HEADER)
        for name, first, last in GROUPS:
            file.write(f"    # {name}\n")
            for row in range(first, last, 8):
                pairs = weights[row : min(row + 8, last)].round().astype(int)
                file.write("    " + " ".join(f"({middle}, {end})," for middle, end in pairs) + "\n")
        file.write(")\n# fmt: on\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", help="file of positions")
    parser.add_argument("--epochs", type=whole_number(1), default=300, help="steps over all positions (default: 300)")
    parser.add_argument("--rate", type=float, default=1.0, help="centipawns a weight moves per step (default: 1)")
    parser.add_argument(
        "--mix",
        type=float,
        default=0.6,
        help="share of the game's result; the rest is the search's score (default: 0.6)",
    )
    parser.add_argument(
        "--prior",
        type=float,
        default=25.0,
        help="width of the prior: centipawns that a weight may well move (default: 25)",
    )
    parser.add_argument("--out", required=True, help="file to write, usually nowchess_uci/evaluation/weights.py")
    arguments = parser.parse_args()
    data = Data(arguments.data)
    spread = best_spread(data)
    print(f"a score of {spread:.0f} centipawns is a chance of 73 %", file=sys.stderr)
    model = Model(data)
    fit(model, spread, arguments.mix, arguments.prior, arguments.epochs, arguments.rate)
    write(arguments.out, model.weights)
    return 0


if __name__ == "__main__":
    run(main)
