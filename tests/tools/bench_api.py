"""How fast positions are analysed in the caller's process, compared with the same engine behind a pipe.

Both sides get the same random positions and the same nodes, in turn; the pipe is driven by python-chess, as scripts
do it. Example: `.venv/bin/python tests/tools/bench_api.py --positions 1000 --nodes 5000`. Nothing else should run.
"""

import argparse
import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import oracle
from oracle import chess

from nowchess_uci import Board, Engine, Limits

PART = 50  # positions before the other side has its turn


def random_positions(count: int) -> list[str]:
    """Positions of random games."""
    source = random.Random(1)
    found: list[str] = []
    while len(found) < count:
        for twins in oracle.walk(source):
            if not twins.chess960 and not twins.board.is_game_over():
                found.append(twins.board.fen())
    return source.sample(found, count)


def microseconds_of_a_call(engine: Engine, calls: int) -> tuple[float, float]:
    """What `analyse` with one node takes, and how much of it the search itself reports."""
    board = Board()
    inside = 0.0
    start = time.perf_counter()
    for _ in range(calls):
        inside += engine.analyse(board, Limits(nodes=1)).seconds
    return 1e6 * (time.perf_counter() - start) / calls, 1e6 * inside / calls


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=1000, help="default: 1000")
    parser.add_argument("--nodes", type=int, default=5000, help="nodes per position (default: 5000)")
    arguments = parser.parse_args()
    fens = random_positions(arguments.positions)
    seconds = {"in process": 0.0, "pipe": 0.0}
    limit = chess.engine.Limit(nodes=arguments.nodes)
    command = [sys.executable, "-P", "-m", "nowchess_uci"]
    with Engine() as engine, chess.engine.SimpleEngine.popen_uci(command) as piped:
        whole, inside = microseconds_of_a_call(engine, 2000)
        for first in range(0, len(fens), PART):
            part = fens[first : first + PART]
            start = time.perf_counter()
            for fen in part:
                engine.analyse(fen, Limits(nodes=arguments.nodes))
            seconds["in process"] += time.perf_counter() - start
            start = time.perf_counter()
            for fen in part:
                piped.analyse(chess.Board(fen), limit)
            seconds["pipe"] += time.perf_counter() - start
    print(f"analyse with one node: {whole:.0f} us, {whole - inside:.0f} us of them outside the search")
    for name, spent in seconds.items():
        rate = arguments.positions / spent
        print(f"{name:<11} {arguments.positions} positions at {arguments.nodes} nodes: {spent:.2f} s, {rate:,.0f}/s")
    print(f"in process {seconds['pipe'] / seconds['in process']:.2f} times as fast")
    return 0


if __name__ == "__main__":
    sys.exit(main())
