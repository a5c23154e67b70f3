"""Compares the rules with python-chess on very many positions, on all cores, until done or the first difference.

Example: `.venv/bin/python tests/tools/soak_rules.py --positions 1000000 --seed 7`. A difference is printed with the
position, the moves that led there, and the seed of its game, and the exit code is 1.
"""

import argparse
import multiprocessing
import os
import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

import oracle
from shared.command_line import ProgressLine, render_bar, run, whole_number


def compare_game(seed: str) -> tuple[int, str]:
    """Positions compared in one random game, and the first difference, if any."""
    source = random.Random(seed)
    count = 0
    for twins in oracle.walk(source):
        count += 1
        found = oracle.differences(twins, source)
        if found:
            return count, f"{twins.reproducer()}\nseed of the game: {seed!r}\n" + "\n".join(found)
    return count, ""


def progress(done: int, wanted: int, start: float) -> str:
    """How far it is, for the progress line."""
    rate = done / (time.monotonic() - start)
    left = max(wanted - done, 0) / rate
    return f"{render_bar(done, wanted)} {done:,} of {wanted:,}, {rate:,.0f}/s, {left:,.0f} s left"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--positions", type=whole_number(1), default=1_000_000, help="how many to compare (default: a million)"
    )
    parser.add_argument("--seed", type=int, default=1, help="which random games to play (default: 1)")
    parser.add_argument(
        "--processes", type=whole_number(1), default=os.cpu_count() or 1, help="processes (default: all cores)"
    )
    arguments = parser.parse_args()
    start = time.monotonic()
    done = 0
    line = ProgressLine()
    # Enough seeds, since a game has at least one position; a finite number, since the pool reads its input ahead.
    seeds = (f"{arguments.seed} {number}" for number in range(arguments.positions))
    with multiprocessing.Pool(arguments.processes) as pool:
        for count, found in pool.imap_unordered(compare_game, seeds, chunksize=4):
            done += count
            line.show(progress(done, arguments.positions, start))
            if found:
                line.end()
                print(f"DIFFERENCE after {done:,} positions\n{found}")
                return 1
            if done >= arguments.positions:
                break
        pool.terminate()
    line.end()
    print(f"{done:,} positions compared in {time.monotonic() - start:.0f} s, no difference, seed {arguments.seed}")
    return 0


if __name__ == "__main__":
    run(main)
