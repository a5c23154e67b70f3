"""Compares the tablebase prober with python-chess's on very many random positions, on all cores, and their speed.

Example: `.venv/bin/python tests/tools/soak_tables.py --positions 1000000 --seed 7`. Both look up result and distance of
every position, one after the other in the same process; what is timed is the lookup alone. A difference is printed
with its position, and the exit code is 1.
"""

import argparse
import multiprocessing
import os
import random
import sys
import time
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

import oracle
from shared.command_line import ProgressLine, render_bar, run, whole_number
from shared.syzygy_files import NoTablesError, fetch_tables

from nowchess_uci.rules.fen import parse_fen
from nowchess_uci.tablebases.probe import dtz_of, wdl_of
from nowchess_uci.tablebases.tables import Tables

BATCH = 500


class Batch(NamedTuple):
    """What comparing some positions came to."""

    compared: int
    en_passant: int
    our_seconds: float
    their_seconds: float
    difference: str


class Comparison:
    """Both probers on the same files; one for each process."""

    def __init__(self, folder: str) -> None:
        self.ours = Tables([folder])
        self.theirs = oracle.Prober(Path(folder))

    def run(self, seed: str) -> Batch:
        source = random.Random(seed)
        boards = [oracle.random_ending(source, source.choice(self.theirs.names)) for _ in range(BATCH)]
        fens = [board.fen(en_passant="fen") for board in boards]
        positions = [parse_fen(fen) for fen in fens]
        start = time.process_time()
        found = [(wdl_of(self.ours, position), dtz_of(self.ours, position)) for position in positions]
        middle = time.process_time()
        wanted = [(self.theirs.wdl(board), self.theirs.dtz(board)) for board in boards]
        end = time.process_time()
        wrong = [
            f"{fen}: ours {ours}, theirs {theirs}"
            for fen, ours, theirs in zip(fens, found, wanted, strict=True)
            if ours != theirs
        ]
        en_passant = sum(board.has_legal_en_passant() for board in boards)
        return Batch(BATCH, en_passant, middle - start, end - middle, "\n".join(wrong[:10]))


comparisons: list[Comparison] = []  # of this process


def start_process(folder: str) -> None:
    comparisons.append(Comparison(folder))


def compare(seed: str) -> Batch:
    return comparisons[0].run(seed)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", help="folder of the tables (default: all of up to four men, fetched once)")
    parser.add_argument(
        "--positions", type=whole_number(1), default=1_000_000, help="how many to compare (default: a million)"
    )
    parser.add_argument("--seed", type=int, default=1, help="which random positions (default: 1)")
    parser.add_argument(
        "--processes", type=whole_number(1), default=os.cpu_count() or 1, help="processes (default: all cores)"
    )
    arguments = parser.parse_args()
    folder = arguments.tables or str(fetch_tables())
    start = time.monotonic()
    done = en_passant = 0
    ours = theirs = 0.0
    line = ProgressLine()
    seeds = (f"{arguments.seed} {number}" for number in range(-(-arguments.positions // BATCH)))
    with multiprocessing.Pool(arguments.processes, start_process, (folder,)) as pool:
        for batch in pool.imap_unordered(compare, seeds):
            done += batch.compared
            en_passant += batch.en_passant
            ours += batch.our_seconds
            theirs += batch.their_seconds
            line.show(f"{render_bar(done, arguments.positions)} {done:,} of {arguments.positions:,}")
            if batch.difference:
                line.end()
                print(f"DIFFERENCE after {done:,} positions\n{batch.difference}")
                return 1
    line.end()
    print(
        f"{done:,} positions, {en_passant:,} of them with en passant, WDL and DTZ compared in"
        f" {time.monotonic() - start:.0f} s, no difference, seed {arguments.seed}"
    )
    print(
        f"ours {1e6 * ours / done:.1f} us, python-chess {1e6 * theirs / done:.1f} us for both values:"
        f" {theirs / ours:.0f} times as fast"
    )
    return 0


if __name__ == "__main__":
    run(main, NoTablesError)
