"""The lines of a PGN file, whatever it is: a path, or a file opened for text or for bytes.

Reads a bounded piece at a time, so that neither a long file nor a long line has to fit in memory. A line ends with LF,
CR LF or CR alone, also in turn. Bytes are UTF-8; a line that is not is taken as Latin-1. A byte order mark may begin
any line, because files are appended to files.
"""

import os
import re
from collections.abc import Iterator
from typing import IO

Source = str | os.PathLike[str] | IO[str] | IO[bytes]
MAX_PIECE = 1 << 16
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
BARE_CR = re.compile(rb"\r(?!\n|\Z)")  # the last byte of a piece may be half of a CR LF


def read_pieces(source: Source) -> Iterator[tuple[int, int, str]]:
    """Line number, column and text of each line; a line of extraordinary length comes in several pieces.

    Line and column count from 1, and a piece with column 1 begins a line. A file that was given open stays open.
    """
    if isinstance(source, str | os.PathLike):
        with open(source, "rb") as file:
            yield from split_lines(file)
    else:
        yield from split_lines(source)


def split_lines(file: IO[str] | IO[bytes]) -> Iterator[tuple[int, int, str]]:
    """The pieces of an open file."""
    number, column, rest = 1, 1, b""
    while True:
        raw = file.readline(MAX_PIECE)
        piece = rest + (raw.encode("utf-8", "surrogatepass") if isinstance(raw, str) else raw)
        if piece.find(b"\r", 0, -2) >= 0:
            *lines, piece = BARE_CR.split(piece)
            for line in lines:
                yield number, column, decode(line)
                number, column = number + 1, 1
        if not raw or piece.endswith(b"\n"):
            if piece:
                yield number, column, decode(piece)
            if not raw:
                return
            number, column, rest = number + 1, 1, b""
            continue
        rest = piece
        if len(piece) < MAX_PIECE:  # the file ends here, or a line that began after a CR goes on
            continue
        # The line is too long. Cut it at a space, so that no word is torn; a word without end is torn all the same.
        cut = piece.rfind(b" ") + 1 if len(piece) < 2 * MAX_PIECE else len(piece) - piece.endswith(b"\r")
        rest = piece[cut:]
        if cut:
            text = decode(piece[:cut])
            yield number, column, text
            column += len(text)


def decode(raw: bytes) -> str:
    """Text of a line in UTF-8 or, failing that, Latin-1, in which nothing can fail."""
    raw = raw.removeprefix(BYTE_ORDER_MARK)
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")
