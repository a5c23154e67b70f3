"""The journal of a run: what has been found so far, so that a run that was ended by anything can go on.

A line for each unit in the order of the input, each proven by a hash of its own; what a crash has left of the last one
is cut off. A resumed run reads its input again and hands out units with everything known that the journal knows, so
all output is written anew, from the same data, and no game is in it twice.
"""

import hashlib
import json
import os
from collections.abc import Generator
from typing import IO, Any

from nowchess_uci.analysis.model import Alternative, Evaluation, GameAnalysis, PositionAnalysis
from nowchess_uci.analysis.units import GameUnit, Result, Unit
from nowchess_uci.files import try_lock
from nowchess_uci.version import VERSION

HEADER = f"journal of nowchess-uci analyse {VERSION}\n".encode()


class JournalError(Exception):
    """A journal that cannot be used; says why."""


class Journal:
    """The journal of one run, open for reading and for writing. Only one process can have it."""

    def __init__(self, path: str, *, resume: bool) -> None:
        """Begin a journal, or go on with one; raises JournalError and OSError."""
        self.path = path
        self._file: IO[bytes] = open(path, "r+b" if os.path.exists(path) else "x+b")  # noqa: SIM115
        try:
            if not try_lock(self._file):
                raise JournalError(f"{path}: another process is writing the same output")
            self.entries = self._check()
            if self.entries and not resume:
                raise JournalError(
                    f"{path} is there: an earlier run did not finish. Add --resume to go on, or delete it"
                )
        except BaseException:
            self._file.close()
            raise
        self._reading = self._payloads()
        self._handed_out = 0
        self._written = 0

    def _check(self) -> int:
        """Count the entries and cut off what is not whole."""
        header = self._file.readline()
        if header and header != HEADER:
            raise JournalError(
                f"{self.path} is of another version, or no journal; delete it or choose another name for the output"
            )
        if not header:
            self._file.write(HEADER)
        count, end = 0, len(HEADER)
        for line in self._file:
            if not is_whole(line):
                break
            count, end = count + 1, end + len(line)
        self._file.truncate(end)
        self._file.flush()
        return count

    def _payloads(self) -> Generator[tuple[str, Any], None, None]:
        """The entries that were there at the beginning: a unit's hash, and what was found."""
        with open(self.path, "rb") as file:
            file.readline()
            for _, line in zip(range(self.entries), file, strict=False):
                yield line[17:33].decode(), json.loads(line[34:])

    def with_known(self, unit: Unit) -> Unit:
        """The next unit of the input with all that the journal knows; raises JournalError if it is not the same."""
        self._handed_out += 1
        entry = next(self._reading, None)
        if entry is None:
            return unit
        digest, payload = entry
        if digest != digest_of(unit):
            raise JournalError(
                f"{self.path}: the input or the options are others than those of the run to resume"
                f" ({unit.source}, {'game' if isinstance(unit, GameUnit) else 'line'} {unit.number})."
                " Delete the journal to begin anew"
            )
        if payload is None:
            return unit  # it failed, and gets another chance
        if isinstance(unit, GameUnit):
            return unit._replace(known=tuple(evaluation_from(values) for values in payload))
        return unit._replace(known=position_from(unit, payload))

    def add(self, unit: Unit, result: Result | None) -> None:
        """Note what became of the next unit, unless it is known already; None if it failed."""
        self._written += 1
        if self._written <= self.entries:
            return
        payload = json.dumps(payload_of(result), separators=(",", ":"), ensure_ascii=False)
        rest = f"{digest_of(unit)} {payload}\n".encode()
        self._file.seek(0, os.SEEK_END)
        self._file.write(hash_of(rest) + b" " + rest)
        self._file.flush()

    def leave(self) -> None:
        """Close it for another run to go on with, if there is anything in it."""
        if max(self._written, self.entries):
            self._close()
        else:
            self.remove()

    def remove(self) -> None:
        """The run is complete."""
        self._close()
        os.unlink(self.path)

    def _close(self) -> None:
        self._reading.close()
        self._file.close()


def hash_of(content: bytes) -> bytes:
    """Sixteen letters that prove a content."""
    return hashlib.blake2b(content, digest_size=8).hexdigest().encode()


def is_whole(line: bytes) -> bool:
    """True if a line is as it was written."""
    return line.endswith(b"\n") and hash_of(line[17:]) == line[:16]


def digest_of(unit: Unit) -> str:
    """What a unit is known by: everything in it."""
    return hash_of(repr(unit).encode("utf-8", "surrogatepass")).decode()


# What was found, as plain values and back.


def payload_of(result: Result | None) -> object:
    """The part of a result that took a search."""
    if result is None:
        return None
    if isinstance(result, GameAnalysis):
        if not result.plies:
            return [None]
        return [values_of(result.plies[0].before), *(values_of(ply.after) for ply in result.plies)]
    return [values_of(result.evaluation), result.wanted, result.solved, result.solved_depth, result.solved_nodes]


def values_of(evaluation: Evaluation | None) -> object:
    """An evaluation as a list."""
    if evaluation is None:
        return None
    others = [[other.cp, other.mate, other.line] for other in evaluation.others]
    return [
        *(evaluation.cp, evaluation.mate, evaluation.wdl, evaluation.depth, evaluation.nodes),
        *(evaluation.line, evaluation.best, others),
    ]


def evaluation_from(values: Any) -> Evaluation | None:
    """The way back."""
    if values is None:
        return None
    cp, mate, (win, draw, loss), depth, nodes, line, best, others = values
    rest = tuple(Alternative(other[0], other[1], tuple(other[2])) for other in others)
    return Evaluation(cp, mate, (win, draw, loss), depth, nodes, tuple(line), best, rest)


def position_from(unit: Any, payload: Any) -> PositionAnalysis:
    """The way back for a position."""
    values, wanted, solved, depth, nodes = payload
    evaluation = evaluation_from(values)
    assert evaluation is not None
    return PositionAnalysis(unit.number, unit.source, unit.name, unit.fen, evaluation, wanted, solved, depth, nodes)
