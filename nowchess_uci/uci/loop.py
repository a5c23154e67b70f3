"""The life of the UCI process: lines from stdin on the main thread, until `quit` or the end of the input.

With `streams` the only module that touches them. While a command waits for the end of a search, the lines after it
are held back, except for the urgent ones.
"""

import os
import signal
import sys
from collections import deque

from nowchess_uci.uci.commands import run_line
from nowchess_uci.uci.protocol import Protocol
from nowchess_uci.uci.streams import LineReader

MAX_LINE = 1 << 23
MAX_HELD = 10_000
STUCK_SECONDS = 1.0
URGENT = ("isready", "stop", "ponderhit")  # obeyed even while other lines wait for the end of a search


class Loop:
    """A protocol fed with lines."""

    def __init__(self) -> None:
        self.protocol = Protocol()
        self.held: deque[bytes] = deque()

    @property
    def is_waiting(self) -> bool:
        """True if only urgent lines are obeyed now."""
        protocol = self.protocol
        protocol.waits = protocol.waits and protocol.work.is_running and not protocol.work.is_endless
        return protocol.waits

    def next_line(self, lines: LineReader) -> bytes:
        """The next line to obey; nothing at the end of the input."""
        while self.is_waiting:
            if os.name == "nt" or len(self.held) > MAX_HELD or b"" in self.held:
                self.protocol.work.wait()
            elif lines.is_ready(0.01):
                raw = lines.read()
                if raw.split(maxsplit=1)[:1] in ([word.encode()] for word in URGENT):
                    return raw
                self.held.append(raw)
        return self.held.popleft() if self.held else lines.read()

    def finish(self) -> None:
        """Stop whatever runs and close the log. Who does not read any more is not waited for."""
        self.protocol.work.stop()
        while not self.protocol.work.wait(0.05):
            if self.protocol.output.is_stuck(STUCK_SECONDS):
                os._exit(0)
        self.protocol.log.close()


def run_stdin() -> int:
    """Obey stdin until `quit` or its end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a GUI ends the engine by pipe; Ctrl-C is meant for the GUI
    sys.setswitchinterval(0.0005)  # how long a reporting search may keep this thread from answering
    if os.isatty(0) and os.isatty(2):
        print("A chess GUI would talk to me now. Type help for the commands, quit to leave.", file=sys.stderr)
    loop = Loop()
    protocol = loop.protocol
    lines = LineReader(0, MAX_LINE, lambda: protocol.say(f"a line was ignored: it is longer than {MAX_LINE} bytes"))
    while True:
        raw = loop.next_line(lines)
        line = raw.decode("utf-8", "replace")
        protocol.log.note(">>", line.rstrip("\r\n"))
        if not raw or not run_line(protocol, line):
            break
    loop.finish()
    return 0


def run_lines(lines: list[str]) -> int:
    """Obey some lines, wait for a search that will end by itself, and leave."""
    loop = Loop()
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
