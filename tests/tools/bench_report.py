"""How a report of thousands of games does in a real browser: size, time to write and to open, memory.

Example: `.venv/bin/python tests/tools/bench_report.py --games 5000`. The evaluations are made up, with lines as long as
the report shows; the file is kept if --out says where.
"""

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from analyses import made_up
from browser import Browser, find_browser
from shared.command_line import whole_number

from nowchess_uci.analysis.model import GameAnalysis
from nowchess_uci.analysis.report import ReportWriter
from nowchess_uci.analysis.report_data import LONGEST_LINE
from nowchess_uci.rules.board import Board

DIFFERENT = 40  # games; the others are the same with other names
PLAYERS = 400


def random_moves(source: random.Random, plies: int) -> list[str]:
    """A game that does not end too early."""
    while True:
        board = Board()
        moves: list[str] = []
        while len(moves) < plies and (legal := board.legal_moves()):
            moves.append(source.choice(legal))
            board.play(moves[-1])
        if len(moves) == plies:
            return moves


def all_games(count: int, plies: int) -> Iterator[GameAnalysis]:
    source = random.Random(1)
    models = [
        made_up(random_moves(source, plies), seed=seed, line_length=LONGEST_LINE)
        for seed in range(min(DIFFERENT, count))
    ]
    for number in range(1, count + 1):
        white, black = source.sample(range(PLAYERS), 2)
        tags = {
            "White": f"Player {white}",
            "Black": f"Player {black}",
            "Event": "Open tournament",
            "Date": "2026.01.01",
        }
        result = source.choice(("1-0", "0-1", "1/2-1/2"))
        yield replace(models[number % len(models)], number=number, tags=tags, result=result)


PAINTED = "await new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"
FOLLOWED = "await new Promise((done) => addEventListener('hashchange', done, {once: true}))"


def seconds_of(browser: Browser, action: str) -> float:
    """How long the page takes for an action, until it has painted."""
    timed = f"const start = performance.now(); {action}; {PAINTED}; return performance.now() - start;"
    return browser.ask(f"(async () => {{ {timed} }})()") / 1000


def measure(path: Path) -> None:
    name = find_browser()
    if name is None:
        sys.exit("no browser found")
    with tempfile.TemporaryDirectory() as folder, Browser(name, Path(folder)) as browser:
        browser.resize(1280, 900)
        for _ in range(3):
            start = time.monotonic()
            browser.open(path.as_uri())
            browser.wait_for("document.querySelectorAll('#games-body tr').length > 0")
            browser.ask(f"(async () => {{ {PAINTED} }})()")
            print(f"opened and painted in {time.monotonic() - start:.2f} s")
        browser.send("HeapProfiler.enable")
        browser.send("HeapProfiler.collectGarbage")
        heap = browser.send("Runtime.getHeapUsage")
        print(f"JavaScript heap {heap['usedSize'] / 1e6:.1f} MB; all of the page's process {resident(browser):.0f} MB")
        actions = {
            "sort by accuracy": "document.querySelector('#games-head th.number button').click()",
            "filter by name": "const name = document.getElementById('filter-name'); name.value = 'player 1'; "
            "name.dispatchEvent(new Event('input'))",
            "table of players": f"location.hash = '#players'; {FOLLOWED}",
            "open a game": f"location.hash = '#1'; {FOLLOWED}",
            "next move": "document.getElementById('forward').click()",
        }
        for what, action in actions.items():
            print(f"{what}: {1000 * seconds_of(browser, action):.0f} ms")
        if browser.messages:
            sys.exit("\n".join(browser.messages))


def resident(browser: Browser) -> float:
    """Megabytes of the process that shows the page, under Linux."""
    kilobytes = [0]
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            command = (status.parent / "cmdline").read_bytes()
            if b"--type=renderer" in command and str(browser.folder).encode() in command:
                kilobytes += [
                    int(line.split()[1]) for line in status.read_text().splitlines() if line.startswith("VmRSS")
                ]
        except OSError:
            continue
    return max(kilobytes) / 1000


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=whole_number(1), default=5000)
    parser.add_argument("--plies", type=whole_number(1), default=80)
    parser.add_argument("--out", type=Path, help="where to keep the report")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = arguments.out or Path(folder) / "report.html"
        games = all_games(arguments.games, arguments.plies)
        spent = 0.0
        with ReportWriter(path, "many games", "made up") as writer:
            for game in games:
                start = time.monotonic()
                writer.add(game)
                spent += time.monotonic() - start
        size = path.stat().st_size
        print(f"{arguments.games} games of {arguments.plies} plies: written in {spent:.1f} s, {size / 1e6:.1f} MB")
        measure(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
