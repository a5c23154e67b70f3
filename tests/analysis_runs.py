"""Runs of `nowchess-uci analyse` in a process of its own, as a user starts it, and games to give it."""

import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from shared.engine_process import ENGINE_COMMAND

SCHOLAR = "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0"
FOOL = "1. f3 e5 2. g4 Qh4# 0-1"
ITALIAN = (
    "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. c3 Nf6 5. d3 d6 6. O-O O-O 7. Re1 a6 8. Bb3 Ba7 9. h3 h6 10. Nbd2 Re8 1/2-1/2"
)


def collection(count: int) -> str:
    """Different games, each with a comment."""
    games = (ITALIAN, SCHOLAR, FOOL)
    return "".join(
        f'[White "White {number}"]\n[Black "Black {number % 3}"]\n\n{{game {number}}} {games[number % 3]}\n\n'
        for number in range(1, count + 1)
    )


def command_of(*arguments: object) -> list[str]:
    return [*ENGINE_COMMAND, "analyse", *map(str, arguments)]


def run(*arguments: object, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """A whole run."""
    return subprocess.run(
        command_of(*arguments), input=stdin, capture_output=True, text=True, encoding="utf-8", timeout=120, check=False
    )


def start(*arguments: object) -> "subprocess.Popen[str]":
    """A run that goes on."""
    return subprocess.Popen(
        command_of(*arguments), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def wait_until(condition: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.01)


def entries(journal: Path) -> int:
    """Units that a journal holds."""
    return max(journal.read_bytes().count(b"\n") - 1, 0) if journal.exists() else 0


def workers_of(process: "subprocess.Popen[str]") -> list[int]:
    """The worker processes of a run, as Linux knows them."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            is_child = folder.name.isdecimal() and f"PPid:\t{process.pid}\n" in (folder / "status").read_text()
            if is_child and b"analysis.worker" in (folder / "cmdline").read_bytes():
                found.append(int(folder.name))
        except OSError:
            continue  # it has ended meanwhile
    return found


def is_alive(pid: int) -> bool:
    """True if a process is there and no zombie."""
    try:
        return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


def kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
