"""Counts perft beside Stockfish in one run and prints the ratio of the speeds.

Both engines take turns, several rounds, best of each: the machine's noise then hits both alike.
Example: `.venv/bin/python scripts/speed/bench_perft.py --stockfish /usr/games/stockfish --rounds 5`.
"""

import argparse
import shutil
import subprocess
import sys
import time

from nowchess_uci.rules.fen import START_FEN, parse_fen
from nowchess_uci.rules.perft import divide

POSITIONS = (
    ("start position", START_FEN, 6),
    ("Kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5),
)


def count_ours(fen: str, depth: int, threads: int) -> tuple[int, float]:
    """Leaves and seconds of our own count."""
    position = parse_fen(fen)
    start = time.perf_counter()
    leaves = sum(divide(position, depth, threads).values())
    return leaves, time.perf_counter() - start


def count_theirs(engine: subprocess.Popen[str], fen: str, depth: int) -> tuple[int, float]:
    """Leaves and seconds of a UCI engine's `go perft`."""
    assert engine.stdin is not None
    assert engine.stdout is not None
    engine.stdin.write(f"position fen {fen}\nisready\n")
    engine.stdin.flush()
    while engine.stdout.readline().strip() != "readyok":
        pass
    start = time.perf_counter()
    engine.stdin.write(f"go perft {depth}\n")
    engine.stdin.flush()
    while True:
        line = engine.stdout.readline()
        if not line:
            sys.exit("the other engine ended in the middle of the count")
        if line.startswith("Nodes searched:"):
            return int(line.split(":")[1]), time.perf_counter() - start


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stockfish", default=shutil.which("stockfish") or "/usr/games/stockfish", help="its command")
    parser.add_argument("--rounds", type=int, default=5, help="how often each count is repeated (default: 5)")
    arguments = parser.parse_args()
    try:
        engine = subprocess.Popen([arguments.stockfish], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    except OSError as error:
        print(f"cannot start Stockfish: {error}; install it or name it with --stockfish", file=sys.stderr)
        return 1
    agreed = True
    heading = f"Mnps, best of {arguments.rounds}"
    print(f"{heading:<25}{'ours':>8}{'2 threads':>11}{'Stockfish':>11}{'ratio':>8}{'2/1':>6}")
    for name, fen, depth in POSITIONS:
        speeds = {"ours": 0.0, "two": 0.0, "theirs": 0.0}
        for _ in range(arguments.rounds):
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
    engine.kill()
    if not agreed:
        print("the counts differ", file=sys.stderr)
    return 0 if agreed else 1


if __name__ == "__main__":
    sys.exit(main())
