"""Compares perft speed with Stockfish's in one run and prints the ratio.

The engines take turns for several rounds and the best of each counts, so that noise of the machine affects both alike.
Example: `.venv/bin/python scripts/speed/bench_perft.py --stockfish /usr/games/stockfish --rounds 5`.
"""

import argparse
import shutil
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from shared.command_line import run, whole_number
from shared.engine_process import EngineError, EngineProcess
from speed.positions import KIWIPETE, START

from nowchess_uci.rules.fen import parse_fen
from nowchess_uci.rules.perft import divide

LONGEST_SECONDS = 600  # that a count may take


def count_ours(fen: str, depth: int, threads: int) -> tuple[int, float]:
    """Leaves and seconds of our own count."""
    position = parse_fen(fen)
    start = time.perf_counter()
    leaves = sum(divide(position, depth, threads).values())
    return leaves, time.perf_counter() - start


def count_theirs(engine: EngineProcess, fen: str, depth: int) -> tuple[int, float]:
    """Leaves and seconds of a UCI engine's `go perft`."""
    engine.send(f"position fen {fen}")
    engine.settled()
    start = time.perf_counter()
    engine.send(f"go perft {depth}")
    total = engine.read_until("Nodes searched:", LONGEST_SECONDS)[-1]
    return int(total.split(":")[1]), engine.arrived - start


def compare(engine: EngineProcess, rounds: int) -> bool:
    """Print the table; True if the engines agreed on every count."""
    agreed = True
    heading = f"Mnps, best of {rounds}"
    print(f"{heading:<25}{'ours':>8}{'2 threads':>11}{'Stockfish':>11}{'ratio':>8}{'2/1':>6}")
    for (name, fen), depth in ((START, 6), (KIWIPETE, 5)):
        speeds = {"ours": 0.0, "two": 0.0, "theirs": 0.0}
        for _ in range(rounds):
            results = {
                "theirs": count_theirs(engine, fen, depth),
                "ours": count_ours(fen, depth, 1),
                "two": count_ours(fen, depth, 2),
            }
            agreed = agreed and len({leaves for leaves, _ in results.values()}) == 1
            for key, (leaves, seconds) in results.items():
                speeds[key] = max(speeds[key], leaves / seconds / 1e6)
        print(
            f"{name + ', depth ' + str(depth):<25}{speeds['ours']:>8.0f}{speeds['two']:>11.0f}{speeds['theirs']:>11.0f}"
            f"{speeds['ours'] / speeds['theirs']:>8.2f}{speeds['two'] / speeds['ours']:>6.2f}"
        )
    return agreed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--stockfish",
        default=shutil.which("stockfish") or "/usr/games/stockfish",
        help="its command (default: the one on PATH)",
    )
    parser.add_argument("--rounds", type=whole_number(1), default=5, help="rounds of each count (default: 5)")
    arguments = parser.parse_args()
    with EngineProcess([arguments.stockfish]) as engine:
        agreed = compare(engine, arguments.rounds)
    if not agreed:
        print("the counts differ", file=sys.stderr)
    return 0 if agreed else 1


if __name__ == "__main__":
    run(main, EngineError)
