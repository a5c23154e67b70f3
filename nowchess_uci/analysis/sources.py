"""From files to units of work: which games and positions are wanted, and what their comments already say.

Reads one game or one line at a time, so that a file of any size takes little memory. PGN or EPD is decided by what the
file begins with, not by its name. What cannot be read becomes a `Problem`, and the rest goes on.
"""

import os
import re
from collections.abc import Iterator, Mapping
from typing import IO, NamedTuple, cast

from nowchess_uci.analysis.model import Evaluation
from nowchess_uci.analysis.units import GameUnit, PositionUnit, Settings, Unit
from nowchess_uci.evaluation.chances import chances
from nowchess_uci.pgn.build import TreeBuilder
from nowchess_uci.pgn.read import visit_games
from nowchess_uci.pgn.text import decode, read_pieces
from nowchess_uci.pgn.tree import PgnGame
from nowchess_uci.rules.epd import parse_epd
from nowchess_uci.rules.fen import START_FEN, parse_fen, render_fen
from nowchess_uci.rules.move import render_move
from nowchess_uci.rules.notation import parse_move
from nowchess_uci.rules.position import Position

STDIN = "-"
EVAL = re.compile(r"\[%eval\s+(?:(#[-+]?[0-9]{1,4})|([-+]?[0-9]{1,6}(?:\.[0-9]{0,6})?))(?:,([0-9]{1,4}))?\s*\]")
CLOCK = re.compile(r"\[%clk\s+(?:([0-9]{1,4}):)?([0-9]{1,4}):([0-9]{1,2}(?:\.[0-9]{1,6})?)\s*\]")
LOOK_BYTES = 4096
MATE_SCORE = 30_000  # beyond all centipawns, for the chances of a mate


class Selection(NamedTuple):
    """Which games are wanted."""

    player: str = ""
    """Words that must all be in a player's name, whatever their case and order; empty for anyone."""
    colour: str = ""
    """`white` or `black`: the player's colour; empty for either."""
    games: tuple[tuple[int, int | None], ...] = ()
    """First and last place in the file, from 1 on; None for its end, and nothing for all."""

    def has_number(self, number: int) -> bool:
        """True if the game at this place is wanted, as far as its place goes."""
        return not self.games or any(low <= number and (high is None or number <= high) for low, high in self.games)

    def is_past(self, number: int) -> bool:
        """True if no game from this place on is wanted."""
        return bool(self.games) and all(high is not None and high < number for _, high in self.games)

    def has_player(self, tags: Mapping[str, str]) -> bool:
        """True if the player takes part, with the right colour."""
        if not self.player:
            return True
        wanted = words_of(self.player)
        names = [tags.get(name, "") for name in ("White", "Black") if self.colour in ("", name.lower())]
        return any(wanted <= words_of(name) for name in names)


def words_of(name: str) -> set[str]:
    """The words of a name, for comparing."""
    return set(re.findall(r"\w+", name.casefold()))


class Problem(NamedTuple):
    """Something in a file that could not be read or analysed."""

    source: str
    place: str
    """Where, in words: line and column, or the number of a game."""
    reason: str

    def __str__(self) -> str:
        return f"{self.source}, {self.place}: {self.reason}"


class Item(NamedTuple):
    """A unit of work, and what has to be remembered of its file until it is done."""

    unit: Unit
    game: PgnGame | None
    """The game with its comments and variations; None for a position."""
    offset: int = 0
    """Bytes of all input read so far."""
    raw: str = ""
    """The text of a game that cannot be played, so that it can be passed on as it is."""


class Counts:
    """What was seen while reading: for the words about a run that had nothing to do."""

    def __init__(self) -> None:
        self.games = 0
        self.positions = 0
        self.players: set[str] = set()  # a few of them


class Sources:
    """All input of a run, as items in order."""

    def __init__(
        self,
        paths: list[str],
        settings: Settings,
        selection: Selection,
        stdin: IO[bytes] | None = None,
        *,
        reuse_evaluations: bool = False,
    ) -> None:
        self.paths = paths
        self.settings = settings
        self.selection = selection
        self.stdin = stdin
        self.reuses = reuse_evaluations
        self.counts = Counts()
        self.bytes_before = 0
        self.total_bytes = total_size(paths)
        """None if it cannot be known."""

    def items(self) -> Iterator[Item | Problem]:
        """The units of all files, and what is wrong in them."""
        for path in self.paths:
            if path == STDIN:
                assert self.stdin is not None
                yield from self.items_of("stdin", self.stdin)
                continue
            with open(path, "rb") as file:
                yield from self.items_of(path, file)
                self.bytes_before += os.fstat(file.fileno()).st_size

    def items_of(self, name: str, file: IO[bytes]) -> Iterator[Item | Problem]:
        """The units of one open file."""
        beginning = file.peek(LOOK_BYTES)[:LOOK_BYTES] if hasattr(file, "peek") else b""
        for found in self.positions(name, file) if is_epd(beginning) else self.games(name, file):
            if isinstance(found, Item):
                found = found._replace(offset=self.bytes_before + (file.tell() if self.total_bytes else 0))
            yield found

    def games(self, name: str, file: IO[bytes]) -> Iterator[Item | Problem]:
        """The games of one file."""
        return read_games(file, name, self.settings, self.selection, self.counts, reuse_evaluations=self.reuses)

    def positions(self, name: str, file: IO[bytes]) -> Iterator[Item | Problem]:
        """The lines of an EPD file, or of one with a FEN in each line."""
        place = 0
        for number, column, text in read_pieces(file):
            if column > 1 or not text.strip() or text.startswith("#"):
                continue  # what is too long for a line is no position
            place += 1
            self.counts.positions += 1
            if not self.selection.has_number(place):
                continue
            try:
                yield Item(position_unit(text.strip(), name, number, self.settings), None)
            except ValueError as error:
                yield Problem(name, f"line {number}", str(error))


def read_games(
    file: IO[bytes],
    name: str,
    settings: Settings,
    selection: Selection,
    counts: Counts,
    *,
    reuse_evaluations: bool = False,
) -> Iterator[Item | Problem]:
    """The games of a PGN file that are wanted, and what is wrong in them."""
    builder = ChoosingBuilder(selection, counts)
    lines = RememberingFile(file)
    for game in visit_games(cast(IO[bytes], lines), builder):
        text = lines.take()
        if builder.is_wanted:
            for error in game.errors:
                place = f"line {error.line}, column {error.column} (game {builder.number})"
                yield Problem(name, place, error.reason)
            if game.errors and not game.tags and not game.line.moves:
                continue  # no game at all
            try:
                unit = game_unit(game, name, builder.number, settings, reuse_evaluations=reuse_evaluations)
                yield Item(unit, game)
            except ValueError:  # a variant or a position that cannot be played: its error has named it
                unit = GameUnit(builder.number, name, dict(game.tags), START_FEN, False, (), game.result, settings)
                yield Item(unit, game, raw=text)
        if selection.is_past(builder.number + 1):
            return


class RememberingFile:
    """A file that remembers the lines of the game that is being read."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._lines: list[bytes] = []

    def readline(self, size: int) -> bytes:
        line = self._file.readline(size)
        self._lines.append(line)
        return line

    def take(self) -> str:
        """The text of the game that has just ended. If a tag has ended it, that belongs to the next one."""
        rest = self._lines[-1:] if self._lines and self._lines[-1].startswith(b"[") else []
        game = self._lines[: len(self._lines) - len(rest)]
        self._lines = rest
        return "".join(map(decode, game)).strip()


class ChoosingBuilder(TreeBuilder):
    """Keeps the games that are wanted and skips the moves of the others."""

    def __init__(self, selection: Selection, counts: Counts) -> None:
        self.selection = selection
        self.counts = counts
        self.number = 0
        self.is_wanted = False
        super().__init__()

    def begin(self, tags: Mapping[str, str], position: Position) -> bool:
        super().begin(tags, position)
        self.number += 1
        self.counts.games += 1
        if len(self.counts.players) < 4:
            self.counts.players |= {tags[name] for name in ("White", "Black") if tags.get(name, "?") != "?"}
        self.is_wanted = self.selection.has_number(self.number) and self.selection.has_player(tags)
        return self.is_wanted


def game_unit(
    game: PgnGame, source: str, number: int, settings: Settings, *, reuse_evaluations: bool = False
) -> GameUnit:
    """The unit for a game of a PGN file; raises ValueError if it cannot be played."""
    start = game.start()
    nodes = game.line.moves
    clocks = tuple(clock_of(node.comment) for node in nodes)
    known: tuple[Evaluation | None, ...] = ()
    if reuse_evaluations:
        known = (known_evaluation(game.line.comment), *(known_evaluation(node.comment) for node in nodes))
    return GameUnit(
        number,
        source,
        dict(game.tags),
        render_fen(start),
        start.chess960,
        tuple(render_move(node.move, start.chess960) for node in nodes),
        game.result,
        settings,
        clocks if any(clock is not None for clock in clocks) else (),
        known,
    )


def clock_of(comment: str) -> float | None:
    """Seconds left by a `[%clk 0:01:30]`."""
    found = CLOCK.search(comment)
    return float(found[3]) + 60 * int(found[2]) + 3600 * int(found[1] or 0) if found else None


def known_evaluation(comment: str) -> Evaluation | None:
    """What an `[%eval 0.17]` or `[%eval #-3]` says, its depth after a comma."""
    found = EVAL.search(comment)
    if not found:
        return None
    depth = int(found[3] or 0)
    if found[1]:
        mate = int(found[1][1:])
        if not mate:
            return None
        return Evaluation(None, mate, chances(MATE_SCORE if mate > 0 else -MATE_SCORE), depth, 0, (), "")
    centipawns = round(100 * float(found[2]))
    return Evaluation(centipawns, None, chances(centipawns), depth, 0, (), "")


def position_unit(line: str, source: str, number: int, settings: Settings) -> PositionUnit:
    """The unit for a line of EPD, or for a whole FEN with or without operations; raises ValueError."""
    fields = line.split(maxsplit=6)
    clocks = ""
    if len(fields) > 5 and fields[4].isdecimal() and fields[5].isdecimal():
        clocks = f" {fields[4]} {fields[5]}"
        line = " ".join(fields[:4] + fields[6:])
    position, operations = parse_epd(line)
    if clocks:
        position = parse_fen(" ".join(fields[:4]) + clocks)
    best, avoid = (
        tuple(render_move(parse_move(position, text), position.chess960) for text in operations.get(code, []))
        for code in ("bm", "am")
    )
    mate = operations.get("dm", ["0"])
    if len(mate) != 1 or not mate[0].isdecimal() or len(mate[0]) > 4:
        raise ValueError(f"dm takes the number of moves to mate, not {' '.join(mate)[:40]!a}")
    name = " ".join(operations.get("id", [str(number)]))
    return PositionUnit(number, source, name, render_fen(position), best, avoid, int(mate[0]), settings)


def is_epd(beginning: bytes) -> bool:
    """True if a file begins with a position: eight ranks, then a side to move."""
    for line in decode(beginning).splitlines():
        if line.strip() and not line.startswith("#"):
            fields = line.split()
            return fields[0].count("/") == 7 and len(fields) > 1 and fields[1] in ("w", "b")
    return False


def total_size(paths: list[str]) -> int | None:
    """Bytes of all input; None if a part of it is no plain file."""
    if all(os.path.isfile(path) for path in paths):
        return sum(os.path.getsize(path) for path in paths)
    return None
