"""What is written about a run: each output is fed one result after another and appears whole when it is finished."""

import glob
import os
from collections.abc import Callable
from typing import IO, Protocol

from nowchess_uci.analysis.annotate import annotate, render_annotated
from nowchess_uci.analysis.model import GameAnalysis, PositionAnalysis
from nowchess_uci.analysis.records import GAME_COLUMNS, POSITION_COLUMNS, csv_line, json_line, rows_of
from nowchess_uci.analysis.sources import Item
from nowchess_uci.analysis.units import Result
from nowchess_uci.files import FileInTheMaking

STDOUT = "-"


class Output(Protocol):
    """Where results go. `add` is called in the order of the input, with None if a unit could not be analysed."""

    def add(self, item: Item, result: Result | None) -> None: ...

    def finish(self) -> None: ...

    def discard(self) -> None: ...


class Target(Protocol):
    """What takes the bytes."""

    def write(self, content: bytes) -> object: ...

    def finish(self) -> None: ...

    def discard(self) -> None: ...


class Stream:
    """Standard output as a target: everything is passed on at once, where perhaps a line of progress stood."""

    def __init__(self, stream: IO[bytes], before_writing: Callable[[], None]) -> None:
        self.stream = stream
        self.before_writing = before_writing

    def write(self, content: bytes) -> None:
        self.before_writing()
        self.stream.write(content)
        self.stream.flush()

    def finish(self) -> None:
        self.stream.flush()

    def discard(self) -> None:
        pass


def target_of(path: str, stdout: Stream) -> Target:
    """A file in the making, or standard output for `-`; raises OSError."""
    return stdout if path == STDOUT else FileInTheMaking(path)


def remove_leftovers(path: str) -> None:
    """Delete what a run that was killed has left of a file in the making."""
    target = os.path.realpath(path)
    folder, name = os.path.split(target)
    for leftover in glob.glob(os.path.join(glob.escape(folder), f".{glob.escape(name)}.*.part")):
        os.unlink(leftover)


class TextOutput:
    """The common part of what is written as text."""

    def __init__(self, target: Target) -> None:
        self.target = target

    def write(self, text: str) -> None:
        # A lone surrogate cannot be UTF-8; it can only come from a file name.
        self.target.write(text.encode("utf-8", "replace"))

    def finish(self) -> None:
        self.target.finish()

    def discard(self) -> None:
        self.target.discard()


class PgnOutput(TextOutput):
    """Games with what was found; a game that could not be analysed is written as it was."""

    def __init__(self, target: Target, strip_comments: bool) -> None:
        super().__init__(target)
        self.strips = strip_comments

    def add(self, item: Item, result: Result | None) -> None:
        if item.game is None:
            return
        if item.raw:
            self.write(f"{item.raw}\n\n")
            return
        game = item.game
        if isinstance(result, GameAnalysis):
            game = annotate(game, result, strip_comments=self.strips)
        self.write(render_annotated(game))


class JsonOutput(TextOutput):
    """A line of JSON for each move or position."""

    def add(self, item: Item, result: Result | None) -> None:
        if result is not None:
            self.write("".join(json_line(row) for row in rows_of(result)))


class CsvOutput(TextOutput):
    """A table with a row for each move, or for each position."""

    columns: tuple[str, ...] = ()

    def add(self, item: Item, result: Result | None) -> None:
        if result is None:
            return
        columns = GAME_COLUMNS if isinstance(result, GameAnalysis) else POSITION_COLUMNS
        if not self.columns:
            self.columns = columns
            self.write(csv_line(list(columns)))
        if columns != self.columns:
            raise ValueError("one CSV table cannot hold both games and positions; analyse them one after the other")
        self.write("".join(csv_line([row[name] for name in columns]) for row in rows_of(result)))


class PositionTable(TextOutput):
    """Positions and what became of them, as a table for people; nothing at all if there are none."""

    ROW = "{:<24} {:<24} {:<10} {:>8} {:>6} {:>10}\n"

    def __init__(self, target: Target) -> None:
        super().__init__(target)
        self.goals = self.solved = 0
        self.has_head = False

    def add(self, item: Item, result: Result | None) -> None:
        if not isinstance(result, PositionAnalysis):
            return
        if not self.has_head:
            self.has_head = True
            self.write(self.ROW.format("position", "wanted", "played", "score", "depth", "nodes"))
        found = result.evaluation
        when: tuple[object, object] = ("-", "-")
        if result.solved is None:
            when = (found.depth, found.nodes)
        elif result.solved:
            when = (result.solved_depth, result.solved_nodes)
        played = found.line[0] if found.line else "none"
        score = f"#{found.mate}" if found.mate is not None else f"{(found.cp or 0) / 100:+.2f}"
        self.write(self.ROW.format(result.name[:24], result.wanted, played, score, *when))
        self.goals += result.solved is not None
        self.solved += result.solved is True

    def finish(self) -> None:
        if self.goals:
            self.write(f"{self.solved} of {self.goals} solved\n")
        super().finish()


class HtmlOutput:
    """The report."""

    def __init__(self, path: str, title: str, about: str) -> None:
        from nowchess_uci.analysis.report import ReportWriter  # type: ignore[import-not-found, unused-ignore]

        self.writer = ReportWriter(path, title, about)

    def add(self, item: Item, result: Result | None) -> None:
        if isinstance(result, GameAnalysis) and not item.raw:
            self.writer.add(result)

    def finish(self) -> None:
        self.writer.close()

    def discard(self) -> None:
        self.writer.discard()
