"""Measures the engine's latency: start to `uciok`, `stop` to `bestmove`, `isready` during a search.

Any command can be measured:
`.venv/bin/python scripts/speed/bench_uci.py --stops 500 -- dist/nowchess-uci/nowchess-uci`.
"""

import argparse
import random
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from shared.command_line import run, whole_number
from shared.engine_process import EngineError, EngineProcess, seconds_to_start


def seconds_to_answer(engine: EngineProcess, line: str, answer: str) -> float:
    """From sending a line to the answer that starts so."""
    start = time.perf_counter()
    engine.send(line)
    engine.read_until(answer)
    return engine.arrived - start


def show(name: str, seconds: list[float]) -> None:
    """One row of the table, in milliseconds."""
    ordered = sorted(1000 * value for value in seconds)
    p99 = ordered[min(len(ordered) - 1, int(0.99 * len(ordered)))]
    print(f"{name:<28}{len(ordered):>6}{statistics.median(ordered):>10.1f}{p99:>10.1f}{ordered[-1]:>10.1f}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--starts", type=whole_number(1), default=20, help="processes to start (default: 20)")
    parser.add_argument("--stops", type=whole_number(1), default=500, help="searches to stop (default: 500)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the moments to stop at (default: 1)")
    default = [str(Path(sys.executable).parent / "nowchess-uci")]
    parser.add_argument("command", nargs="*", default=default, help="the engine (default: the installed one)")
    arguments = parser.parse_args()
    source = random.Random(arguments.seed)
    print(f"{'milliseconds':<28}{'number':>6}{'median':>10}{'p99':>10}{'worst':>10}")
    show("start to uciok", [seconds_to_start(arguments.command) for _ in range(arguments.starts)])
    with EngineProcess(arguments.command) as engine:
        stops, answers = [], []
        for number in range(arguments.stops):
            engine.send("position startpos moves e2e4 e7e5 g1f3" if number % 2 else "position startpos")
            engine.send("go infinite")
            time.sleep(source.uniform(0.0, 0.12))
            answers.append(seconds_to_answer(engine, "isready", "readyok"))
            stops.append(seconds_to_answer(engine, "stop", "bestmove"))
        show("isready in a search", answers)
        show("stop to bestmove", stops)
        engine.send("go infinite")
        time.sleep(0.1)
        show("quit in a search", [engine.quit()])
    return 0


if __name__ == "__main__":
    run(main, EngineError)
