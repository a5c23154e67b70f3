"""Measures how fast training data is made and read, compared with the engine's own speed in the same run.

Example: `.venv/bin/python scripts/training/measure.py --seconds 20`. Nothing else should be running.
"""

import argparse
import sys
import threading
import time
from array import array
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from shared.command_line import run, whole_number

from nowchess_uci.engine.bench import Bench
from nowchess_uci.training.records import Replay
from nowchess_uci.training.samples import SAMPLE_BYTES, Samples
from nowchess_uci.training.selfplay import Played, SelfPlay, Settings

WANTED_SHARE = 0.3  # of nodes per second / soft nodes
ROWS = 1024


def nodes_per_second() -> float:
    nodes, seconds = Bench().run()
    return nodes / seconds


def play_for(seconds: float, settings: Settings, first: int = 0) -> tuple[float, list[Played]]:
    """Play game after game for so many seconds; the seconds it really took and the games."""
    player = SelfPlay(settings)
    start = time.perf_counter()
    played: list[Played] = []
    while time.perf_counter() - start < seconds:
        games = player.play(first + len(played), 1)
        assert games is not None
        played.append(games)
    return time.perf_counter() - start, played


def measure_games(seconds: float, soft_nodes: int) -> bytes:
    """One core: kept positions per second as a share of nodes per second / soft nodes."""
    before = nodes_per_second()
    took, played = play_for(seconds, Settings(soft_nodes=soft_nodes))
    speed = (before + nodes_per_second()) / 2
    games = b"".join(part.games for part in played)
    positions = Replay(games).tally().positions
    share = positions / took / (speed / soft_nodes)
    print(
        f"{soft_nodes:>5} soft nodes: {positions / took:,.0f} positions per core-second, "
        f"{len(played) / took:.1f} games; "
        f"bench {speed:,.0f} nodes per second; share {share:.2f} (wanted: {WANTED_SHARE})"
    )
    return games


def measure_samples(seconds: float, every: int, threads: int) -> None:
    """Several threads: static samples per second."""
    found: list[float] = []

    def work(number: int) -> None:
        took, played = play_for(seconds, Settings(soft_nodes=1000, sample_every=every), 100_000 * number)
        found.append(sum(len(part.samples) for part in played) / SAMPLE_BYTES / took)

    workers = [threading.Thread(target=work, args=(number,)) for number in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    print(f"one of {every} evaluations: {sum(found):,.0f} static samples per second with {threads} threads")


def measure_reader(games: bytes, copies: int) -> None:
    """One core: from the bytes of games to shuffled features."""
    buffers = [array("h", bytes(2 * ROWS * 32)) for _ in range(2)]
    own, other = (memoryview(buffer).cast("B").cast("h", (ROWS, 32)) for buffer in buffers)
    start = time.perf_counter()
    samples = Samples()
    for _ in range(copies):
        Replay(games).add_to(samples)
    replayed = time.perf_counter()
    samples.shuffle(1)
    shuffled = time.perf_counter()
    for first in range(0, len(samples) - ROWS + 1, ROWS):
        samples.features(first, own, other)
    end = time.perf_counter()
    parts = ((replayed - start, "replay"), (shuffled - replayed, "shuffle"), (end - shuffled, "features"))
    shown = ", ".join(f"{name} {1e9 * seconds / len(samples):.0f} ns" for seconds, name in parts)
    print(f"reader: {len(samples) / (end - start):,.0f} of {len(samples):,} positions per core-second ({shown})")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=20, help="seconds per row (default: 20)")
    parser.add_argument(
        "--threads", type=whole_number(1), default=2, help="threads for the static samples (default: 2)"
    )
    arguments = parser.parse_args()
    games = [measure_games(arguments.seconds, soft_nodes) for soft_nodes in (400, 1000)]
    measure_samples(arguments.seconds, 8, arguments.threads)
    measure_reader(games[0], 40)
    return 0


if __name__ == "__main__":
    run(main)
