"""A PGN file that games of this session are added to; what others wrote there, before or meanwhile, stays."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from nowchess_uci.files import is_special, write_atomically
from nowchess_uci.pgn.tree import PgnGame
from nowchess_uci.pgn.write import render_pgn


class PgnFile:
    """Knows which games it holds by their number in the session, so that saving one again replaces it."""

    def __init__(self, name: str) -> None:
        self.path = Path(name)
        self._texts: dict[int, str] = {}

    def save(self, games: dict[int, PgnGame]) -> None:
        """Put the games into the file as it is now, or change nothing and raise OSError."""
        texts = {**self._texts, **{number: render_pgn(game) for number, game in games.items()}}
        ours, new = (b"".join(text.encode() for text in found.values()) for found in (self._texts, texts))
        with alone_in(self.path.parent):
            has_content = self.path.exists() and not is_special(self.path)
            there = self.path.read_bytes() if has_content else b""
            before, found, after = there.rpartition(ours) if ours else (b"", b"", b"")
            if not found:  # nothing of ours is there, or somebody has changed it: then it is theirs
                before, after = there, b""
            if before and not before.endswith(b"\n\n"):
                before = before.rstrip(b"\r\n") + b"\n\n"
            write_atomically(self.path, before + new + after)
        self._texts = texts


@contextlib.contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Hold a lock on a folder, so that two sessions do not write a file of it at once; where there are none, go on."""
    try:
        import fcntl

        descriptor = os.open(folder, os.O_RDONLY)
    except (ImportError, OSError):
        yield
        return
    try:
        with contextlib.suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
