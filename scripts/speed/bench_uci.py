"""Measures how quickly the engine answers: start to `uciok`, `stop` to `bestmove`, `isready` in the middle of a search.

Any command can be measured:
`.venv/bin/python scripts/speed/bench_uci.py --stops 500 -- dist/nowchess-uci/nowchess-uci`.
"""

import argparse
import random
import statistics
import subprocess
import sys
import time
from pathlib import Path


class Engine:
    """A UCI engine on pipes."""

    def __init__(self, command: list[str]) -> None:
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def send(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def wait_for(self, start: str) -> None:
        assert self.process.stdout is not None
        while True:
            line = self.process.stdout.readline()
            if not line:
                sys.exit(f"the engine ended before it said {start}")
            if line.startswith(start):
                return

    def quit(self) -> float:
        """Seconds from `quit` to the end of the process."""
        start = time.perf_counter()
        self.send("quit")
        self.process.wait(10)
        return time.perf_counter() - start


def time_start(command: list[str]) -> float:
    """Seconds from starting the process to `uciok`."""
    start = time.perf_counter()
    engine = Engine(command)
    engine.send("uci")
    engine.wait_for("uciok")
    seconds = time.perf_counter() - start
    engine.quit()
    return seconds


def show(name: str, seconds: list[float]) -> None:
    """One row of the table, in milliseconds."""
    ordered = sorted(1000 * value for value in seconds)
    p99 = ordered[min(len(ordered) - 1, int(0.99 * len(ordered)))]
    print(f"{name:<28}{len(ordered):>6}{statistics.median(ordered):>10.1f}{p99:>10.1f}{ordered[-1]:>10.1f}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--starts", type=int, default=20, help="processes to start (default: 20)")
    parser.add_argument("--stops", type=int, default=500, help="searches to stop (default: 500)")
    parser.add_argument("--seed", type=int, default=1, help="of the moments to stop at (default: 1)")
    default = [str(Path(sys.executable).parent / "nowchess-uci")]
    parser.add_argument("command", nargs="*", default=default, help="the engine (default: the installed one)")
    arguments = parser.parse_args()
    source = random.Random(arguments.seed)
    print(f"{'milliseconds':<28}{'number':>6}{'median':>10}{'p99':>10}{'worst':>10}")
    show("start to uciok", [time_start(arguments.command) for _ in range(arguments.starts)])
    engine = Engine(arguments.command)
    stops, answers = [], []
    for number in range(arguments.stops):
        engine.send("position startpos moves e2e4 e7e5 g1f3" if number % 2 else "position startpos")
        engine.send("go infinite")
        time.sleep(source.uniform(0.0, 0.12))
        start = time.perf_counter()
        engine.send("isready")
        engine.wait_for("readyok")
        answers.append(time.perf_counter() - start)
        start = time.perf_counter()
        engine.send("stop")
        engine.wait_for("bestmove")
        stops.append(time.perf_counter() - start)
    show("isready in a search", answers)
    show("stop to bestmove", stops)
    engine.send("go infinite")
    time.sleep(0.1)
    show("quit in a search", [engine.quit()])
    return 0


if __name__ == "__main__":
    sys.exit(main())
