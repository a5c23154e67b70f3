"""Compares search speed with another engine's in one run: nodes per second, and their ratio.

The engines take turns for several rounds and the best of each counts, so that noise of the machine affects both alike.
Our own also searches with two threads.
Example: `.venv/bin/python scripts/speed/bench_search.py --other /usr/games/ethereal-chess --rounds 5`.
"""

import argparse
import contextlib
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from shared.command_line import run, whole_number
from shared.engine_process import ENGINE_COMMAND, EngineError, EngineProcess
from speed.positions import KIWIPETE, START


def speed(engine: EngineProcess, fen: str, movetime: int) -> int:
    """Nodes per second of one search, as the engine reported them last."""
    engine.send("ucinewgame", f"position fen {fen}", f"go movetime {movetime}")
    lines = engine.read_until("bestmove", movetime / 1000 + 10)
    found = re.findall(r"\bnps (\d+)", "\n".join(lines))
    if not found:
        raise EngineError("an engine does not report its nodes per second")
    return int(found[-1])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--other", default="ethereal-chess", help="command of the other engine (default: ethereal-chess)"
    )
    parser.add_argument("--rounds", type=whole_number(1), default=5, help="rounds of each search (default: 5)")
    parser.add_argument(
        "--movetime", type=whole_number(1), default=2000, help="milliseconds per search (default: 2000)"
    )
    arguments = parser.parse_args()
    commands = {"ours": ENGINE_COMMAND, "two": ENGINE_COMMAND, "other": (arguments.other,)}
    with contextlib.ExitStack() as running:
        engines = {key: running.enter_context(EngineProcess(command)) for key, command in commands.items()}
        for key, engine in engines.items():
            threads = 2 if key == "two" else 1
            engine.send("uci", "setoption name Hash value 64", f"setoption name Threads value {threads}")
            engine.settled()
        print(f"{'nodes per second, best':<25}{'ours':>11}{'2 threads':>11}{'other':>11}{'ratio':>8}{'2/1':>6}")
        for name, fen in (START, KIWIPETE):
            best = dict.fromkeys(engines, 0)
            for _ in range(arguments.rounds):
                for key, engine in engines.items():
                    best[key] = max(best[key], speed(engine, fen, arguments.movetime))
            ours, two, other = best.values()
            print(f"{name:<25}{ours:>11}{two:>11}{other:>11}{ours / other:>8.2f}{two / ours:>6.2f}", flush=True)
    return 0


if __name__ == "__main__":
    run(main, EngineError)
