"""A person at a terminal gets an answer to everything, and Ctrl-C ends the engine."""

import os
import select
import signal
import subprocess
import time
from collections.abc import Iterator

import pytest
from shared.engine_process import ENGINE_COMMAND

pty = pytest.importorskip("pty")  # not on every system


class Terminal:
    """The engine with a terminal as its stdin and stdout."""

    def __init__(self) -> None:
        self.ours, theirs = pty.openpty()
        self.process = subprocess.Popen(
            ENGINE_COMMAND,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        os.close(theirs)

    def type(self, line: str) -> None:
        os.write(self.ours, f"{line}\n".encode())

    def read_until(self, text: str, seconds: float = 10) -> str:
        seen = ""
        end = time.monotonic() + seconds
        while text not in seen:
            assert time.monotonic() < end, seen
            if select.select([self.ours], [], [], 0.1)[0]:
                seen += os.read(self.ours, 4096).decode()
        return seen


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    opened = Terminal()
    yield opened
    opened.process.kill()
    opened.process.wait()
    os.close(opened.ours)


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("hello", "There is no command 'hello'. Type help"),
        ("exit", "Type quit to leave."),
        ("play", "nowchess-uci play"),
        ("e2e4", "position startpos moves e2e4"),
        ("Nf3", "position startpos moves Nf3"),
    ],
)
def test_whatever_is_typed_is_answered(terminal: Terminal, typed: str, answer: str) -> None:
    terminal.read_until("Type help for the commands")
    terminal.type(typed)
    terminal.read_until(answer)


def test_an_interrupt_ends_it(terminal: Terminal) -> None:
    terminal.read_until("Type help for the commands")
    terminal.type("go infinite")
    terminal.read_until("info depth")
    terminal.process.send_signal(signal.SIGINT)
    assert terminal.process.wait(3) == -signal.SIGINT
