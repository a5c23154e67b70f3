"""The report: one HTML file with every game, its graphs and its board, and tables over games and players.

`ReportWriter` takes one game at a time and keeps none. The page in `page/` is plain HTML, CSS and JavaScript that needs
no network; what it shows of a game comes from `report_data`. Text from PGN files gets into the page as JSON only, in
which no markup can begin, and the page's policy forbids every script but its own.
"""

import base64
import hashlib
import html
import json
import os
from pathlib import Path

from nowchess_uci.analysis.model import GameAnalysis
from nowchess_uci.analysis.report_data import body_of, head_of, shortened
from nowchess_uci.files import FileInTheMaking

PAGE = Path(__file__).with_name("page")
SCRIPTS = (
    "tools.js",
    "theme.js",
    "data.js",
    "board.js",
    "graph.js",
    "moves.js",
    "game.js",
    "games.js",
    "players.js",
    "main.js",
)
GAMES = "{{games}}"  # where in the page they go


class ReportWriter:
    """Writes a report that is there whole or not at all: an exception inside `with` leaves the old file as it was."""

    def __init__(self, path: str | os.PathLike[str], title: str, about: str = "") -> None:
        """Begin a report: `title` names the games, `about` says how they were analysed; raises OSError."""
        head, self._foot = page(title, about).split(GAMES)
        self._file = FileInTheMaking(path)
        self._write(head)

    def add(self, game: GameAnalysis) -> None:
        """Write one game; the report has them in this order."""
        head, body = in_script(head_of(game)), in_script(body_of(game))
        self._write(f'<script type="application/json">{head}\n{body}</script>\n')

    def close(self) -> None:
        """Put the report in its place. Does nothing if it was closed or discarded."""
        if self._file.is_open:
            self._write(self._foot)
            self._file.finish()

    def discard(self) -> None:
        """Forget the report; what was there before stays. Does nothing if it was closed or discarded."""
        self._file.discard()

    def _write(self, text: str) -> None:
        try:
            self._file.write(text.encode())
        except BaseException:
            self._file.discard()
            raise

    def __enter__(self) -> "ReportWriter":
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self.close()
        else:
            self.discard()


def in_script(value: object) -> str:
    """JSON that can stand inside a script element: ASCII, one line, nothing in it that HTML would notice."""
    text = json.dumps(value, separators=(",", ":"), allow_nan=False)
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def page(title: str, about: str) -> str:
    """The page with its style and scripts, and one mark where the games go."""
    style = part("report.css")
    script = '(() => {\n"use strict";\n' + "".join(part(name) for name in SCRIPTS) + "})();\n"
    policy = (
        f"default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; "
        f"style-src '{digest(style)}'; script-src '{digest(script)}'"
    )
    text = part("report.html")
    for mark, content in (
        ("{{policy}}", policy),
        ("{{title}}", escaped(title)),
        ("{{about}}", escaped(about)),
        ("{{pieces}}", part("pieces.svg")),
        ("{{style}}", style),
        ("{{script}}", script),
    ):
        text = text.replace(mark, content)
    return text


def part(name: str) -> str:
    return (PAGE / name).read_text(encoding="utf-8")


def escaped(text: str) -> str:
    """Text for the page itself, without anything that could be taken for markup or for one of the page's marks."""
    return html.escape(shortened(text)).replace("{", "&#123;").encode("ascii", "xmlcharrefreplace").decode()


def digest(text: str) -> str:
    """How a policy names the one script or style that it allows."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
