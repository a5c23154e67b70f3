"""Searches beside another engine in one run and prints nodes per second, and the ratio of both.

The engines take turns, several rounds, best of each: the machine's noise then hits both alike. Our own also searches
with two threads.
Example: `.venv/bin/python scripts/speed/bench_search.py --other /usr/games/ethereal-chess --rounds 5`.
"""

import argparse
import re
import sys

from bench_uci import Engine

POSITIONS = (
    ("start position", "startpos"),
    ("Kiwipete", "fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
)
OURS = (sys.executable, "-P", "-m", "nowchess_uci")


def start(command: tuple[str, ...], threads: int) -> Engine:
    """An engine that is ready to search."""
    try:
        engine = Engine(list(command))
    except OSError as error:
        raise SystemExit(f"cannot start {command[0]}: {error}; name the other engine with --other") from error
    engine.send("uci")
    engine.send("setoption name Hash value 64")
    engine.send(f"setoption name Threads value {threads}")
    return engine


def speed(engine: Engine, position: str, movetime: int) -> int:
    """Nodes per second of one search, as the engine tells it last."""
    engine.send("ucinewgame")
    engine.send(f"position {position}")
    engine.send(f"go movetime {movetime}")
    told = 0
    assert engine.process.stdout is not None
    for line in engine.process.stdout:
        found = re.search(r"\bnps (\d+)", line)
        told = int(found[1]) if found else told
        if line.startswith("bestmove"):
            return told
    raise SystemExit("an engine ended in the middle of a search")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--other", default="ethereal-chess", help="command of the other engine (default: ethereal-chess)"
    )
    parser.add_argument("--rounds", type=int, default=5, help="how often each search is repeated (default: 5)")
    parser.add_argument("--movetime", type=int, default=2000, help="milliseconds a search (default: 2000)")
    arguments = parser.parse_args()
    engines = {"ours": start(OURS, 1), "two": start(OURS, 2), "other": start((arguments.other,), 1)}
    print(f"{'nodes per second, best':<25}{'ours':>11}{'2 threads':>11}{'other':>11}{'ratio':>8}{'2/1':>6}")
    for name, position in POSITIONS:
        best = dict.fromkeys(engines, 0)
        for _ in range(arguments.rounds):
            for key, engine in engines.items():
                best[key] = max(best[key], speed(engine, position, arguments.movetime))
        ratio, gain = best["ours"] / best["other"], best["two"] / best["ours"]
        print(f"{name:<25}{best['ours']:>11}{best['two']:>11}{best['other']:>11}{ratio:>8.2f}{gain:>6.2f}", flush=True)
    for engine in engines.values():
        engine.quit()
    return 0


if __name__ == "__main__":
    sys.exit(main())
