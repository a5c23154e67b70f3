"""A worker process: units come in on its standard input, what became of them goes out on its standard output.

It lives exactly as long as whoever started it keeps the pipe open. A thread of its own waits for the end of the pipe,
so that a worker never outlives a run that was killed, not even in the middle of a search.
"""

import os
import pickle
import queue
import threading
import time
from typing import IO

from nowchess_uci.analysis.units import Unit, analyse_or_fail

REPORT_SECONDS = 0.2  # between two reports of how far a unit is
STEPS, DONE = "steps", "done"


def main() -> None:
    """Work until the pipe ends; does not return."""
    units = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing else may get between the answers
    waiting: queue.SimpleQueue[Unit] = queue.SimpleQueue()
    threading.Thread(target=receive, args=(units, waiting), daemon=True).start()
    try:
        while True:
            work(waiting.get(), answers)
    except OSError:  # nobody reads the answers any more
        os._exit(0)


def receive(units: IO[bytes], waiting: "queue.SimpleQueue[Unit]") -> None:
    """Take units from the pipe; its end is the end of the process."""
    try:
        while True:
            waiting.put(pickle.load(units))
    finally:
        os._exit(0)


def work(unit: Unit, answers: IO[bytes]) -> None:
    """One unit; what goes wrong is an answer too."""
    steps = 0
    reported = time.monotonic()

    def count() -> None:
        nonlocal steps, reported
        steps += 1
        if time.monotonic() - reported > REPORT_SECONDS:
            send(answers, STEPS, steps)
            steps, reported = 0, time.monotonic()

    result = analyse_or_fail(unit, count)
    send(answers, STEPS, steps)
    send(answers, DONE, result)


def send(answers: IO[bytes], kind: str, value: object) -> None:
    """One answer, at once."""
    pickle.dump((kind, value), answers)
    answers.flush()
