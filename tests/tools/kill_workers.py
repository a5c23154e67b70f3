"""Runs a command on a cluster of its own, undisturbed and with a worker killed now and then: same bytes, at what cost?

In the command, {address} stands for the scheduler and {out} for a fresh folder, whose files are compared. The workers
are started again by their nannies, as they would be on a real cluster.
Example: tests/tools/kill_workers.py -- .venv/bin/python scripts/training/selfplay.py --cluster {address} --out {out}
"""

import argparse
import contextlib
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "scripts"))

import clusters
from shared.command_line import run, whole_number


class Killer(threading.Thread):
    """Kills the worker process of one nanny after the other."""

    def __init__(self, nannies: list[Any], seconds: float) -> None:
        super().__init__(daemon=True)
        self.nannies = nannies
        self.seconds = seconds
        self.is_over = threading.Event()
        self.kills = 0

    def run(self) -> None:
        import psutil

        while not self.is_over.wait(self.seconds):
            for process in psutil.Process(self.nannies[self.kills % len(self.nannies)].pid).children():
                if "multiprocessing.spawn" in " ".join(process.cmdline()):
                    process.kill()
            self.kills += 1


def contents(folder: Path) -> dict[str, bytes]:
    """All files of a folder, except hidden ones."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.startswith(".")}


def run_once(command: list[str], folder: Path, workers: int, every: float) -> tuple[dict[str, bytes], float]:
    """Run the command on a fresh cluster; returns its files and seconds."""
    folder.mkdir()
    with clusters.scheduler() as scheduler, contextlib.ExitStack() as stack:
        killer = Killer([scheduler.worker("--nanny") for _ in range(workers)], every)
        words = [word.replace("{address}", scheduler.address).replace("{out}", str(folder)) for word in command]
        started = time.monotonic()
        if every:
            killer.start()
            stack.callback(killer.join)
            stack.callback(killer.is_over.set)
        subprocess.run(words, check=True)
        seconds = time.monotonic() - started
    if every:
        print(f"{killer.kills} workers were killed")
    return contents(folder), seconds


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--every", type=whole_number(1), default=20, metavar="S", help="seconds between kills (20)")
    parser.add_argument("--workers", type=whole_number(1, 64), default=2, help="worker processes (default: 2)")
    parser.add_argument("command", nargs="+", help="what to run, with {address} and {out}")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        calm, calm_seconds = run_once(arguments.command, Path(folder) / "calm", arguments.workers, 0)
        print(f"undisturbed: {calm_seconds:.1f} s", flush=True)
        hard, hard_seconds = run_once(arguments.command, Path(folder) / "hard", arguments.workers, arguments.every)
        print(f"with a worker killed every {arguments.every} s: {hard_seconds:.1f} s", flush=True)
    print(f"{100 * (hard_seconds / calm_seconds - 1):.1f} % longer; {len(calm)} files")
    if hard != calm:
        print("THE FILES DIFFER")
        return 1
    print("the files are the same, byte for byte")
    return 0


if __name__ == "__main__":
    run(main, subprocess.CalledProcessError)
