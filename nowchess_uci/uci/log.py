"""The debug log: both directions with the time, written through at once so that a crash loses nothing."""

import time
from typing import IO


class DebugLog:
    """A file that may be open or not."""

    def __init__(self) -> None:
        self._file: IO[str] | None = None

    def open(self, path: str) -> None:
        """Append to this file from now on; the empty path closes. Raises OSError, nothing changed."""
        new = open(path, "a", encoding="utf-8", errors="backslashreplace") if path else None  # noqa: SIM115
        self.close()
        self._file = new

    def close(self) -> None:
        """Stop writing."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def note(self, direction: str, text: str) -> None:
        """One entry for each line; a full disk ends the log, not the engine."""
        if self._file is None:
            return
        now = time.time()
        stamp = time.strftime("%H:%M:%S", time.localtime(now)) + f".{int(now * 1000) % 1000:03d}"
        try:
            self._file.write("".join(f"{stamp} {direction} {line}\n" for line in text.splitlines()))
            self._file.flush()
        except OSError:
            self._file = None
