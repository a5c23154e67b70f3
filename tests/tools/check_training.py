"""Compares training games with python-chess: legal moves, flags, results, and scores from the right side.

Example: `.venv/bin/python tests/tools/check_training.py build/games --positions 100000`. What differs is printed, and
the exit code is 1. The correlation of score and result, both for the mover, shows whether signs are right.
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

import oracle
from shared.command_line import ProgressLine, run, whole_number

from nowchess_uci.training.manifest import RunError
from nowchess_uci.training.reader import shards_of
from nowchess_uci.training.records import Replay
from nowchess_uci.training.shards import GAMES


def correlation(pairs: list[tuple[float, float]]) -> float:
    """Pearson's."""
    count = len(pairs)
    mean_x, mean_y = (sum(pair[axis] for pair in pairs) / count for axis in (0, 1))
    covariance = sum((x - mean_x) * (y - mean_y) for x, y in pairs)
    spreads = [sum((pair[axis] - mean) ** 2 for pair in pairs) for axis, mean in ((0, mean_x), (1, mean_y))]
    return float(covariance / (spreads[0] * spreads[1]) ** 0.5)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="folder of a run of scripts/training/selfplay.py")
    parser.add_argument(
        "--positions", type=whole_number(1), default=100_000, help="how many to compare (default: 100000)"
    )
    arguments = parser.parse_args()
    positions = games = 0
    pairs: list[tuple[float, float]] = []
    line = ProgressLine()
    for shard in shards_of(arguments.folder, GAMES, print):
        for record in iter(Replay(shard.payload).read_game, None):
            found = oracle.wrong_in_training_game(record)
            if found:
                line.end()
                print(f"DIFFERENCE in game {record.number}:", *found, sep="\n  ")
                return 1
            games += 1
            positions += len(record.plies)
            for ply, (_, score, _) in enumerate(record.plies):
                black = (len(record.opening) + ply) % 2
                result = 2 - record.result if black else record.result
                pairs.append((1 / (1 + 10 ** (-max(min(score, 2000), -2000) / 400)), result / 2))
            line.show(f"{positions:,} of {arguments.positions:,} positions")
            if positions >= arguments.positions:
                break
        if positions >= arguments.positions:
            break
    line.end()
    if not pairs:
        print("no games")
        return 1
    print(f"{positions:,} positions of {games:,} games compared, no difference; correlation {correlation(pairs):.3f}")
    return 0


if __name__ == "__main__":
    run(main, RunError)
