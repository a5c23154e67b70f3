"""The debug log: both directions with the time, written through at once so that a crash loses nothing."""

import os
import time

# Never waits: a pipe without a reader is refused when it is opened, one that is full ends the log.
FLAGS = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)


class DebugLog:
    """A file that may be open or not. Entries are added whole, so that a kill leaves no half of one."""

    def __init__(self) -> None:
        self._descriptor: int | None = None

    def open(self, path: str) -> None:
        """Append to this file from now on; the empty path closes. Raises OSError or ValueError, nothing changed."""
        new = os.open(path, FLAGS, 0o666) if path else None
        if new is not None and is_our_pipe(new):
            os.close(new)
            raise ValueError("the engine itself reads from or writes to it")
        self.close()
        self._descriptor = new

    def close(self) -> None:
        """Stop writing."""
        if self._descriptor is not None:
            descriptor, self._descriptor = self._descriptor, None
            os.close(descriptor)

    def note(self, direction: str, text: str) -> None:
        """One entry for each line; a full disk ends the log, not the engine."""
        if self._descriptor is None:
            return
        now = time.time()
        stamp = time.strftime("%H:%M:%S", time.localtime(now)) + f".{int(now * 1000) % 1000:03d}"
        entries = "".join(f"{stamp} {direction} {line}\n" for line in text.splitlines())
        data = entries.encode("utf-8", "backslashreplace")
        try:
            complete = os.write(self._descriptor, data) == len(data)
        except OSError:
            complete = False
        if not complete:
            self.close()


def is_our_pipe(descriptor: int) -> bool:
    """True if a file is the pipe or terminal that we read from or write to: a log there would be read as commands."""
    for other in (0, 1):
        try:
            if os.path.samestat(os.fstat(descriptor), os.fstat(other)) and not os.path.samefile(other, os.devnull):
                return True
        except OSError:
            continue  # closed
    return False
