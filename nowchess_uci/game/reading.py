"""What a person means by a move typed in haste: `nf3`, `E2E4` and `e2 e4` too, if only one legal move can be meant.

The exact reading of the rules comes first: `bc3` is a pawn's capture wherever there is one, `Bc3` is always a bishop's
move. Only a text that has no such reading is read again without regard to case, spaces and signs.
"""

import re

from nowchess_uci.rules.board import Board
from nowchess_uci.rules.fen import shown
from nowchess_uci.rules.notation import (
    AmbiguousMoveError,
    MoveFormatError,
    MoveTextError,
    PromotionPieceMissingError,
)

MAX_LENGTH = 40  # of a text that is read leniently
NUMBER = re.compile(r"\s*[0-9]+\s*\.+")
AT_THE_ENDS = " \t.,;!?+#'\"`()"
INSIDE = re.compile(r"[\s()x:=\-\u2010-\u2015\u2212]")  # among them what an editor makes of a hyphen
COORDINATES = re.compile(r"([a-h][1-8])([a-h][1-8])[qrbn]?")
CASTLING = {"oo": "O-O", "ooo": "O-O-O"}
SHAPE = re.compile(r"([PNBRQK]?)([a-h]?)([1-8]?)[x:-]?([a-h][1-8])")


def read_move(board: Board, text: str) -> int:
    """The one legal move that a text can mean; raises a MoveTextError if there is none or more than one."""
    try:
        move = board.parse_move(text)
    except (AmbiguousMoveError, PromotionPieceMissingError):
        raise
    except MoveTextError as error:
        return read_leniently(board, text, error)
    if text[:2] == "bb" and board.is_legal(f"B{text[1:]}"):  # no way to write a pawn's move, so why not the bishop's?
        raise AmbiguousMoveError(f"{shown(text)} fits several legal moves")
    return move


def read_leniently(board: Board, text: str, error: MoveTextError) -> int:
    """The move that exactly one of the lenient readings names; `error` is what was wrong with the exact one."""
    moves: set[int] = set()
    for reading in readings(text):
        try:
            moves.add(board.parse_move(reading))
        except MoveFormatError:
            pass
        except MoveTextError as found:  # says more than that the text is no move
            if not is_fit(error):
                error = found
    if len(moves) == 1 and not is_fit(error):
        return moves.pop()
    if moves:
        raise AmbiguousMoveError(f"{shown(text)} fits several legal moves")
    raise error


def is_fit(error: MoveTextError) -> bool:
    """True if the text fits legal moves, although not exactly one."""
    return isinstance(error, AmbiguousMoveError | PromotionPieceMissingError)


def readings(text: str) -> list[str]:
    """What a text may stand for, its letters in the right case: castling, coordinates, a pawn's or a piece's move."""
    letters = fold(text)
    castling = CASTLING.get(letters.replace("0", "o"))
    if castling:
        return [castling]
    if not letters or COORDINATES.fullmatch(letters) or letters[0] not in "pnbrqk":
        return [letters]
    return [letters, letters[0].upper() + letters[1:]]


def fold(text: str) -> str:
    """The letters and digits that matter, in lower case; nothing of a text that is too long for a move."""
    if len(text) > MAX_LENGTH:
        return ""
    number = NUMBER.match(text)
    bare = text[number.end() :] if number else text
    return INSIDE.sub("", bare.strip(AT_THE_ENDS).lower())


def origin_of(text: str) -> str:
    """The first of the two squares of a move in coordinates, such as `e2e4` or `E7-E8=Q`; else nothing."""
    found = COORDINATES.fullmatch(fold(text))
    return found[1] if found else ""


def choices(board: Board, text: str) -> tuple[str, ...]:
    """The legal moves, as SAN, that an ambiguous text fits."""
    found: dict[str, None] = {}  # in order, each once
    for reading in (text, *readings(text)):
        shape = SHAPE.match(reading)
        if shape is None:
            continue
        piece, file, rank, target = shape.groups()
        for move in board.legal_moves():
            letter = board.piece_at(move[:2]) or ""
            if letter.upper() == (piece or "P") and file in move[0] and rank in move[1] and move[2:4] == target:
                found[board.san(move)] = None
    return tuple(found)
