"""UCI lines to values. Pure: no stream, no position. What cannot be understood is left out, never an error here."""

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


class SetOptionCommand(NamedTuple):
    """`setoption`: a name and the text of the value."""

    name: str
    value: str


def parse_line(line: str) -> Command:
    """Split a line; the word is empty if the line is."""
    word, _, rest = line.strip().partition(" ")
    if "\t" in word:
        word, _, more = word.partition("\t")
        rest = f"{more} {rest}"
    return Command(word, rest.strip())


def parse_position(rest: str) -> PositionCommand | None:
    """What stands after `position`; None if it names no position."""
    before, found, moves = rest.partition("moves")
    words = before.split()
    if not words:
        return None
    if words[0] == "startpos":
        return PositionCommand(None, moves.split() if found else [])
    if words[0] == "fen":
        return PositionCommand(" ".join(words[1:]), moves.split() if found else [])
    return None


def parse_go(rest: str, started: float = 0.0) -> GoCommand:
    """What stands after `go`. Unknown words and bad numbers are skipped; searchmoves go on until the next keyword."""
    words = rest.split()
    found: dict[str, int] = {}
    moves: list[str] = []
    flags: set[str] = set()
    index = 0
    while index < len(words):
        word = words[index]
        index += 1
        if word in GO_FLAGS:
            flags.add(word)
        elif word in GO_NUMBERS and index < len(words):
            number = parse_number(words[index])
            if number is not None:
                found[GO_NUMBERS[word]] = max(number, 1) if word in AT_LEAST_ONE else number
                index += 1
        elif word == "searchmoves":
            while index < len(words) and words[index] not in GO_WORDS:
                moves.append(words[index])
                index += 1
    perft = found.pop("perft", None)
    if found.get("moves_to_go", 1) < 1:
        del found["moves_to_go"]
    limits = Limits(**found, infinite="infinite" in flags, ponder="ponder" in flags, search_moves=tuple(moves))
    return GoCommand(limits._replace(started=started), perft)


def parse_number(text: str) -> int | None:
    """A whole number, kept within 63 bits; None if it is none."""
    digits = text.removeprefix("-").removeprefix("+") if text[:1] in "+-" else text
    if not (digits.isascii() and digits.isdecimal()):
        return None
    number = LARGEST if len(digits) > 18 else int(digits)
    return -number if text[0] == "-" else number


def parse_set_option(rest: str) -> SetOptionCommand | None:
    """What stands after `setoption`: names and values may hold spaces; a missing value is the empty one."""
    words = rest.split(" ")
    while words and not words[0]:
        words.pop(0)
    if not words or words[0] != "name":
        return None
    if "value" in words:
        cut = words.index("value")
        return SetOptionCommand(" ".join(" ".join(words[1:cut]).split()), " ".join(words[cut + 1 :]).strip())
    return SetOptionCommand(" ".join(" ".join(words[1:]).split()), "")
