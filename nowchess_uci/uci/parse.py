"""UCI lines to values. Pure: no stream, no position. What is not understood is named, never guessed at."""

import re
from collections.abc import Container
from itertools import islice
from typing import NamedTuple

from nowchess_uci.search.limits import Limits

# The words of `go` that take a number, and the limit that each one sets.
GO_NUMBERS = {
    "wtime": "white_time_ms",
    "btime": "black_time_ms",
    "winc": "white_increment_ms",
    "binc": "black_increment_ms",
    "movestogo": "moves_to_go",
    "movetime": "movetime_ms",
    "depth": "depth",
    "nodes": "nodes",
    "mate": "mate",
    "perft": "perft",
}
GO_FLAGS = ("infinite", "ponder")
GO_WORDS = (*GO_NUMBERS, *GO_FLAGS, "searchmoves")
AT_LEAST_ONE = ("depth", "nodes", "mate")  # less means the least there is
LARGEST = 1 << 62
WORD = re.compile(r"\S+")
MOST_SKIPPED = 50  # words before a known command
MOST_NAMED = 5  # things not understood in one line; the others are counted


class CommandError(ValueError):
    """A command that makes no sense; it is not obeyed."""


class Command(NamedTuple):
    """The first word of a line, and the rest of it."""

    word: str
    rest: str


class PositionCommand(NamedTuple):
    """`position`: a FEN (None for the start position) and the moves played from it."""

    fen: str | None
    moves: list[str]


class GoCommand(NamedTuple):
    """`go`: everything the line said."""

    limits: Limits
    perft: int | None = None
    """Count the move tree instead of searching."""
    problems: tuple[str, ...] = ()
    """What was not understood."""


class SetOptionCommand(NamedTuple):
    """`setoption`: a name and the text of the value."""

    name: str
    value: str


def parse_line(line: str, known: Container[str] = ()) -> Command:
    """Split a line into its command and the rest; the word is empty if the line is.

    Words before a known command are skipped, as the protocol asks: `joho debug on` is `debug on`. So is the mark that
    some shells write at the beginning of UTF-8.
    """
    line = line.removeprefix("\ufeff")
    first: re.Match[str] | None = None
    for word in islice(WORD.finditer(line), MOST_SKIPPED + 1):
        first = first or word
        if word[0] in known:
            return Command(word[0], line[word.end() :].strip())
    return Command(first[0], line[first.end() :].strip()) if first else Command("", "")


def shown(text: str) -> str:
    """A piece of input as it may stand in a message."""
    return ascii(text if len(text) <= 40 else f"{text[:37]}...")


def parse_position(rest: str) -> PositionCommand:
    """What stands after `position`; raises CommandError if it names no position, or anything is left over."""
    kind, *words = rest.split() or [""]
    if kind == "startpos":
        if words and words[0] != "moves":
            raise CommandError(f"'moves' expected after 'startpos', not {shown(words[0])}")
        return PositionCommand(None, words[1:])
    if kind != "fen":
        raise CommandError("'startpos' or 'fen' expected" + (f", not {shown(kind)}" if kind else ""))
    cut = words.index("moves") if "moves" in words else len(words)
    return PositionCommand(" ".join(words[:cut]), words[cut + 1 :])


def parse_go(rest: str, started: float = 0.0) -> GoCommand:
    """What stands after `go`. Unknown words and bad numbers are noted; searchmoves go on until the next keyword."""
    words = rest.split()
    found: dict[str, int] = {}
    moves: list[str] = []
    flags: set[str] = set()
    problems: list[str] = []
    index = 0
    while index < len(words):
        word = words[index]
        index += 1
        if word in GO_FLAGS:
            flags.add(word)
        elif word in GO_NUMBERS:
            text = words[index] if index < len(words) and words[index] not in GO_WORDS else ""
            index += bool(text)
            number = parse_number(text)
            if number is None:
                problems.append(f"{word} takes a whole number" + (f", not {shown(text)}" if text else ""))
            else:
                found[GO_NUMBERS[word]] = max(number, 1) if word in AT_LEAST_ONE else number
        elif word == "searchmoves":
            first = index
            while index < len(words) and words[index] not in GO_WORDS:
                index += 1
            moves += words[first:index]
            if index == first:
                problems.append("searchmoves names no moves")
        else:
            problems.append(f"unknown word {shown(word)}")
    perft = found.pop("perft", None)
    if found.get("moves_to_go", 1) < 1:
        del found["moves_to_go"]
    limits = Limits(**found, infinite="infinite" in flags, ponder="ponder" in flags, search_moves=tuple(moves))
    if len(problems) > MOST_NAMED:
        problems[MOST_NAMED:] = [f"{len(problems) - MOST_NAMED} more words were not understood"]
    return GoCommand(limits._replace(started=started), perft, tuple(problems))


def parse_number(text: str) -> int | None:
    """A whole number, kept within 63 bits; None if it is none."""
    digits = text[1:] if text[:1] in ("+", "-") else text
    if not (digits.isascii() and digits.isdecimal()):
        return None
    number = LARGEST if len(digits) > 18 else int(digits)
    return -number if text[0] == "-" else number


def parse_set_option(rest: str) -> SetOptionCommand:
    """What stands after `setoption`: names and values may hold spaces; a missing value is the empty one."""
    words = rest.split(" ")
    while words and not words[0]:
        words.pop(0)
    if not words or words[0] != "name" or words[1:] in ([], ["value"]):
        raise CommandError("'name NAME value VALUE' expected")
    if "value" in words:
        cut = words.index("value")
        return SetOptionCommand(" ".join(" ".join(words[1:cut]).split()), " ".join(words[cut + 1 :]).strip())
    return SetOptionCommand(" ".join(" ".join(words[1:]).split()), "")
