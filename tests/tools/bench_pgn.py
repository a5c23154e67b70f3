"""Reads the same PGN file with our reader and with python-chess and prints both speeds and their ratio.

Example: `.venv/bin/python tests/tools/bench_pgn.py --games 2000`. The file is made of random games first; half of
them have comments, marks and variations, which both readers keep. The exit code is 1 if the two readers
disagree or the ratio is below 5.
"""

import argparse
import collections
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

import oracle
from games import random_pgn
from shared.command_line import whole_number

from nowchess_uci.pgn.read import read_pgn
from nowchess_uci.pgn.tree import PgnGame, PgnLine
from nowchess_uci.rules.fen import render_fen

WANTED_RATIO = 5


def make_file(path: Path, games: int, seed: int) -> None:
    """Plain games of 80 half-moves and rich ones in turn."""
    source = random.Random(seed)
    with path.open("w", encoding="utf-8") as file:
        for number in range(games):
            file.write(random_pgn(source, 1, rich=number % 2 == 1))


def count_moves(line: PgnLine) -> int:
    """The moves of a line, variations included."""
    count = 0
    unseen = [line]
    while unseen:
        nodes = unseen.pop().moves
        count += len(nodes)
        unseen.extend(variation for node in nodes for variation in node.variations)
    return count


def read_ours(path: Path) -> Iterator[PgnGame]:
    return read_pgn(path)


def read_theirs(path: Path) -> Iterator[oracle.PgnGame]:
    with path.open(encoding="utf-8") as file:
        yield from oracle.read_pgn(file)


def measure(read: Callable[[Path], Iterator[object]], path: Path) -> float:
    """Seconds to read all games one after another."""
    start = time.perf_counter()
    collections.deque(read(path), maxlen=0)
    return time.perf_counter() - start


def compare(path: Path) -> tuple[int, int, list[str]]:
    """Games and moves in the file, and in what the two readers disagree."""
    games = moves = 0
    found = []
    for ours, theirs in zip(read_ours(path), read_theirs(path), strict=True):
        games += 1
        count = count_moves(ours.line)
        moves += count
        errors = [*map(str, ours.errors), *map(str, theirs.errors)]
        if errors or count != oracle.count_moves(theirs) or render_fen(ours.end()) != oracle.end_of(theirs):
            found.append(f"game {games}: {errors}")
    return games, moves, found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=whole_number(1), default=2000, help="how many games (default: 2000)")
    parser.add_argument("--seed", type=int, default=1, help="which random games (default: 1)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.pgn"
        make_file(path, arguments.games, arguments.seed)
        our_seconds = measure(read_ours, path)
        their_seconds = measure(read_theirs, path)
        games, moves, found = compare(path)
        print(f"{games:,} games, {moves:,} moves, {path.stat().st_size / 1e6:.1f} MB")
    for name, seconds in (("NowChess UCI", our_seconds), ("python-chess", their_seconds)):
        print(f"{name}: {seconds:.2f} s, {games / seconds:,.0f} games/s, {moves / seconds:,.0f} moves/s")
    print(f"ratio: {their_seconds / our_seconds:.1f} (wanted: at least {WANTED_RATIO})")
    for difference in found:
        print(f"DISAGREEMENT in {difference}")
    return 1 if found or their_seconds < WANTED_RATIO * our_seconds else 0


if __name__ == "__main__":
    sys.exit(main())
