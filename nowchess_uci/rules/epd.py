"""Extended Position Description: the first four fields of a FEN, then operations such as `bm Nf3; id "1";`."""

import re

from nowchess_uci.rules.fen import FenError, parse_fen
from nowchess_uci.rules.position import Position

# An operation: its name, then values up to a semicolon; a quoted value may hold one.
OPERATION = re.compile(r'\s*([A-Za-z][\w-]*)((?:\s+(?:"[^"]*"|[^\s";]+))*)\s*(?:;|$)')
VALUE = re.compile(r'"([^"]*)"|(\S+)')


class EpdError(ValueError):
    """A line that is no EPD; says what is wrong."""


def parse_epd(line: str) -> tuple[Position, dict[str, list[str]]]:
    """The position of a line and its operations, each with the list of its values."""
    fields = line.split(maxsplit=4)
    if len(fields) < 4:
        raise EpdError("an EPD has at least placement, side, castling and en passant")
    try:
        position = parse_fen(" ".join(fields[:4]))
    except FenError as error:
        raise EpdError(str(error)) from error
    rest = fields[4].strip() if len(fields) > 4 else ""
    operations: dict[str, list[str]] = {}
    at = 0
    while at < len(rest):
        found = OPERATION.match(rest, at)
        if not found:
            raise EpdError(f"no operation at {rest[at : at + 20]!r}")
        operations[found[1]] = [quoted or plain for quoted, plain in VALUE.findall(found[2])]
        at = found.end()
        while at < len(rest) and rest[at].isspace():
            at += 1
    return position, operations
