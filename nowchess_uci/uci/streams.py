"""The two ends of the pipe to the GUI: whole lines in, whole lines out, whatever the other end does."""

import os
import select
import threading
import time
from collections.abc import Callable

from nowchess_uci.uci.log import DebugLog

CHUNK = 1 << 16


class LineReader:
    """Lines of a descriptor. One that is too long is dropped whole: its tail must not be taken for a command."""

    def __init__(self, descriptor: int, longest: int, complain: Callable[[], None]) -> None:
        self.descriptor = descriptor
        self.longest = longest
        self.complain = complain
        self._buffer = bytearray()
        self._searched = 0
        self._dropping = False
        self._ended = False

    def read(self) -> bytes:
        """The next line with its end; nothing when there will be no more. The last line may lack its end."""
        while True:
            end = self._buffer.find(b"\n", self._searched) + 1
            if end == 0 and not self._ended:
                self._take_more()
                continue
            line = bytes(self._buffer[: end or None])
            del self._buffer[: end or None]
            self._searched = 0
            if not self._dropping:
                return line
            self._dropping = False
            self.complain()

    def is_ready(self, seconds: float) -> bool:
        """True if `read` will not wait, now or within some time."""
        if b"\n" not in self._buffer and not self._ended and select.select([self.descriptor], [], [], seconds)[0]:
            self._take_more()
        return b"\n" in self._buffer or self._ended

    def _take_more(self) -> None:
        self._searched = len(self._buffer)
        try:
            chunk = os.read(self.descriptor, CHUNK)
        except BlockingIOError:
            select.select([self.descriptor], [], [])
            return
        except OSError:
            chunk = b""  # closed from the start, or a terminal that is gone
        self._ended = not chunk
        self._buffer += chunk
        if len(self._buffer) > self.longest and b"\n" not in chunk:
            self._dropping = True
            self._buffer.clear()
            self._searched = 0


class Output:
    """Whole lines to stdout, one write each, from any thread. A reader that is gone ends the process."""

    def __init__(self, log: DebugLog) -> None:
        self.log = log
        self.lock = threading.Lock()
        self._writing_since: float | None = None

    def write(self, text: str) -> None:
        """Write one or more lines at once."""
        data = (text + "\n").encode("ascii", "backslashreplace")
        with self.lock:
            self.log.note("<<", text)
            while data:
                self._writing_since = time.monotonic()
                try:
                    data = data[os.write(1, data) :]
                except BlockingIOError:
                    select.select([], [1], [])
                except OSError:
                    os._exit(0)
            self._writing_since = None

    def is_stuck(self, seconds: float) -> bool:
        """True if the reader has taken nothing for so long although there is something to take."""
        since = self._writing_since
        return since is not None and time.monotonic() - since > seconds
