"""The life of the UCI process: lines from stdin on the main thread, until `quit` or the end of the input.

With `streams` the only module that touches them.
"""

import os
import signal
import sys
import time
from collections import deque

from nowchess_uci.uci.commands import run_line
from nowchess_uci.uci.protocol import Protocol
from nowchess_uci.uci.streams import LineReader

MAX_LINE = 1 << 23  # of `position`: far more moves than any game has
MAX_OTHER_LINE = 1 << 16
MAX_HELD_BYTES = 1 << 26  # of lines that wait for the end of a search; more than that is no conversation
STUCK_SECONDS = 1.0
BREATH_SECONDS = 0.2
"""What comes so soon after `wait` belongs to it: a script that sends everything at once, `quit` included."""


class Loop:
    """A protocol fed with lines. While a command waits for the end of a search, most lines after it are held back."""

    def __init__(self) -> None:
        self.protocol = Protocol()
        self.held: deque[bytes] = deque()
        self.held_bytes = 0
        self.holds_go = False
        self.waiting_since: float | None = None

    @property
    def is_waiting(self) -> bool:
        """True if only urgent lines are obeyed now."""
        protocol = self.protocol
        protocol.waits = protocol.waits and protocol.work.is_running and not protocol.work.is_endless
        if not protocol.waits:
            self.waiting_since = None
        elif self.waiting_since is None:
            self.waiting_since = time.monotonic()
        return protocol.waits

    def next_line(self, lines: LineReader) -> bytes:
        """The next line to obey; nothing at the end of the input."""
        ended = bool(self.held) and not self.held[-1]
        while self.is_waiting:
            if os.name == "nt" or ended:
                self.protocol.work.wait(BREATH_SECONDS)
            elif self.held_bytes > MAX_HELD_BYTES:
                self.protocol.say("too many lines are waiting for the end of the search: stopping it")
                self.protocol.work.stop()
                self.protocol.work.wait()
            elif lines.is_ready(0.01):
                raw = lines.read()
                if self.is_urgent(raw):
                    return raw
                self.hold(raw)
                ended = not raw
        if not self.held:
            return lines.read()
        raw = self.held.popleft()
        self.held_bytes -= len(raw)
        self.holds_go = self.holds_go and bool(self.held)
        return raw

    def hold(self, raw: bytes) -> None:
        """Keep a line for later."""
        self.held.append(raw)
        self.held_bytes += len(raw)
        self.holds_go = self.holds_go or first_word(raw) == b"go"

    def is_urgent(self, raw: bytes) -> bool:
        """True if a line is obeyed although others wait.

        `stop` is for the search that runs, unless another `go` stands between; `quit` and the end of the input are
        obeyed at once, unless they came in one breath with `wait`.
        """
        word = first_word(raw)
        if word == b"isready":
            return True
        if word in (b"stop", b"ponderhit"):
            return not self.holds_go
        late = self.waiting_since is not None and time.monotonic() - self.waiting_since > BREATH_SECONDS
        return late and word in (b"quit", b"")

    def finish(self) -> None:
        """Stop whatever is running and close the log, without waiting for a reader that has stopped reading."""
        self.protocol.work.stop()
        while not self.protocol.work.wait(0.05):
            if self.protocol.output.is_stuck(STUCK_SECONDS):
                os._exit(0)
        self.protocol.log.close()


def first_word(raw: bytes) -> bytes:
    """The first word of a line; of an empty line a blank, since no word at all is the end of the input."""
    return raw.split(maxsplit=1)[0] if raw.strip() else raw[:1]


def begin() -> Loop | None:
    """A new conversation; None, with a word on stderr, if the engine is not installed as it should be."""
    try:
        return Loop()
    except OSError as error:
        print(f"nowchess-uci: {error}", file=sys.stderr)
        return None


def run_stdin() -> int:
    """Obey stdin until `quit` or its end."""
    loop = begin()
    if loop is None:
        return 1
    at_terminal = os.isatty(0)
    # A GUI ends the engine by pipe, and Ctrl-C is meant for the GUI; at a terminal it is meant for us.
    signal.signal(signal.SIGINT, signal.SIG_DFL if at_terminal else signal.SIG_IGN)
    sys.setswitchinterval(0.0005)  # how long a reporting search may keep this thread from answering
    if at_terminal and os.isatty(2):
        print("Ready for a chess GUI. Type help for the commands, quit to leave.", file=sys.stderr)
    protocol = loop.protocol
    protocol.is_at_terminal = at_terminal
    lines = LineReader(0, MAX_LINE, lambda: protocol.say(f"line ignored: it is longer than {MAX_LINE} bytes"))
    while True:
        raw = loop.next_line(lines)
        if len(raw) > MAX_OTHER_LINE and first_word(raw) != b"position":
            protocol.say(f"line ignored: only position may be longer than {MAX_OTHER_LINE} bytes")
            continue
        line = raw.decode("utf-8", "replace")
        protocol.log.note(">>", line.rstrip("\r\n"))
        if not raw or not run_line(protocol, line):
            break
    loop.finish()
    return 0


def run_lines(lines: list[str]) -> int:
    """Obey some lines, wait for a search that will end by itself, and leave."""
    loop = begin()
    if loop is None:
        return 1
    for line in lines:
        if not run_line(loop.protocol, line):
            break
        if loop.is_waiting:
            loop.protocol.work.wait()
    else:
        if not loop.protocol.work.is_endless:
            loop.protocol.work.wait()
    loop.finish()
    return 0
