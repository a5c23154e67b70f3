"""A PGN file that games of this session are added to; what it held before stays in front of them."""

from pathlib import Path

from nowchess_uci.files import is_special, write_atomically
from nowchess_uci.pgn.tree import PgnGame
from nowchess_uci.pgn.write import render_pgn


class PgnFile:
    """Knows which games it holds by their number in the session, so that saving one again replaces it."""

    def __init__(self, name: str) -> None:
        self.path = Path(name)
        self._before: bytes | None = None
        self._texts: dict[int, str] = {}

    def save(self, games: dict[int, PgnGame]) -> None:
        """Write what the file held before and all games saved to it, or change nothing and raise OSError."""
        if self._before is None:
            has_content = self.path.exists() and not is_special(self.path)
            self._before = self.path.read_bytes() if has_content else b""
            if self._before and not self._before.endswith(b"\n\n"):
                self._before = self._before.rstrip(b"\r\n") + b"\n\n"
        texts = {**self._texts, **{number: render_pgn(game) for number, game in games.items()}}
        write_atomically(self.path, self._before + "".join(texts.values()).encode())
        self._texts = texts
