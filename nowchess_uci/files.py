"""Files that are there whole or not at all."""

import contextlib
import os
from pathlib import Path
from typing import IO, Any


class FileInTheMaking:
    """A file that takes its place when it is finished: whoever looks, even after a crash, finds the old one or the new.

    What is no file (a device, a pipe) is written to as it is: it must not be replaced by a file of its name.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Begin a file; raises OSError."""
        self._target = Path(os.path.realpath(path))  # a link stays a link
        self._temporary: Path | None = None
        if not is_special(self._target):
            name = f".{self._target.name}.{os.getpid()}.{os.urandom(4).hex()}.part"
            self._temporary = self._target.with_name(name)
        self._file = open(self._temporary or self._target, "xb" if self._temporary else "wb")  # noqa: SIM115

    @property
    def is_open(self) -> bool:
        """False once it is finished or discarded."""
        return not self._file.closed

    def write(self, content: bytes) -> None:
        """Add to it; raises OSError."""
        self._file.write(content)

    def finish(self) -> None:
        """Put it in its place; if that fails it is discarded, and OSError raised."""
        try:
            self._file.flush()
            if self._temporary:
                os.fsync(self._file.fileno())
            self._file.close()
            if self._temporary:
                if self._target.exists():
                    self._temporary.chmod(self._target.stat().st_mode & 0o777)
                os.replace(self._temporary, self._target)
        except BaseException:
            self.discard()
            raise
        self._temporary = None

    def discard(self) -> None:
        """Leave what was there before. Does nothing if it is finished."""
        with contextlib.suppress(OSError):  # what is still in its buffer may not fit on the disk
            self._file.close()
        if self._temporary:
            self._temporary.unlink(missing_ok=True)
            self._temporary = None


def write_atomically(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a whole file, as a file in the making; raises OSError."""
    file = FileInTheMaking(path)
    try:
        file.write(content)
    except BaseException:
        file.discard()
        raise
    file.finish()


def is_special(path: str | os.PathLike[str]) -> bool:
    """True if there is something of that name that holds no content: a device, a pipe."""
    return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)


def try_lock(file: IO[Any]) -> bool:
    """Hold an open file as long as it is open; False if another process has it. Without locks in the system, True."""
    if os.name == "nt":
        return True
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
