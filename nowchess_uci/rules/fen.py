"""FEN, the one-line text of a position, in and out.

Reads four to six fields and the castling letters of standard chess (KQkq), X-FEN and Shredder-FEN; writes X-FEN,
which is plain FEN whenever the position allows it. What cannot be a position is refused with the field and the
reason. A leftover castling right or en-passant square, as board editors write them, is dropped and noted.
"""

import cython
from cython.cimports.nowchess_uci.rules.constants import (
    BLACK,
    CASTLINGS,
    E1,
    EMPTY,
    KING_SIDE,
    NO_SQUARE,
    WHITE,
    file_of,
    rank_of,
)
from cython.cimports.nowchess_uci.rules.position import Position

from nowchess_uci.rules.move import parse_square, square_name

START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
PIECE_LETTERS = "PpNnBbRrQqKk"  # by piece code
MAX_LENGTH = 200
MAX_CLOCK = 9_999
MAX_MOVE_NUMBER = 999_999
COLOR_NAMES = ("white", "black")
FIELDS = ("placement", "side to move", "castling", "en passant", "half-move clock", "full-move number")


class FenError(ValueError):
    """A text that is not a legal position; `field` names the part of the FEN at fault."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"bad FEN, {field}: {reason}")
        self.field = field
        self.reason = reason


def parse_fen(text: str, chess960: bool = False, notes: list[str] | None = None) -> Position:
    """The position of a FEN. What had to be dropped is appended to `notes`.

    Castling rights of other squares than a standard game's need `chess960` or Shredder letters, which turn it on.
    """
    dropped: list[str] = [] if notes is None else notes
    fields = split_fields(text)
    board = parse_placement(fields[0])
    if fields[1] not in ("w", "b"):
        raise FenError(FIELDS[1], f"'w' or 'b' expected, not {shown(fields[1])}")
    side: cython.int = WHITE if fields[1] == "w" else BLACK
    rooks, needs_960 = parse_castling(fields[2], board, chess960, dropped)
    en_passant = parse_en_passant(fields[3], board, side, dropped)
    clock = parse_number(FIELDS[4], fields[4], MAX_CLOCK) if len(fields) > 4 else 0
    number = parse_number(FIELDS[5], fields[5], MAX_MOVE_NUMBER) if len(fields) > 5 else 1
    position: Position = Position()
    position.set_up(board, side, rooks, en_passant, clock, max(number, 1), chess960 or needs_960)
    check_kings(position)
    return position


def shown(text: str) -> str:
    """A piece of input as it may stand in a message: quoted, plain ASCII, short."""
    return ascii(text if len(text) <= 24 else text[:21] + "...")


def split_fields(text: str) -> list[str]:
    """The four to six fields of a FEN."""
    if len(text) > MAX_LENGTH:
        raise FenError("text", f"{len(text)} characters are too long for a FEN")
    if not text.isascii():
        raise FenError("text", f"only plain ASCII characters are allowed, not {shown(text)}")
    fields = text.split()
    if not 4 <= len(fields) <= 6:
        raise FenError("text", f"4 to 6 fields expected, not {len(fields)}")
    return fields


def parse_placement(field: str) -> bytes:
    """64 piece codes from a1."""
    rows = field.split("/")
    if len(rows) != 8:
        raise FenError(FIELDS[0], f"8 ranks expected, not {len(rows)}")
    board = bytearray([EMPTY] * 64)
    for rank, row in zip(range(7, -1, -1), rows, strict=True):
        file = 0
        for letter in row:
            if letter in "12345678":
                file += int(letter)
                continue
            piece = PIECE_LETTERS.find(letter)
            if piece < 0:
                raise FenError(FIELDS[0], f"{shown(letter)} in rank {rank + 1} is no piece")
            if file < 8:
                board[8 * rank + file] = piece
            file += 1
        if file != 8:
            raise FenError(FIELDS[0], f"rank {rank + 1} has {file} squares instead of 8")
    check_material(board)
    return bytes(board)


def check_material(board: bytearray) -> None:
    """Refuse what no game can reach by its piece counts."""
    for color, name in enumerate(COLOR_NAMES):
        kings = board.count(10 + color)
        pawns = board.count(color)
        pieces = sum(1 for piece in board if piece != EMPTY and piece & 1 == color)
        if kings != 1:
            raise FenError(FIELDS[0], f"{name} has {kings or 'no'} king{'s' * (kings > 1)}")
        if pawns > 8:
            raise FenError(FIELDS[0], f"{name} has {pawns} pawns, more than 8")
        if pieces > 16:
            raise FenError(FIELDS[0], f"{name} has {pieces} pieces, more than 16")
    for square in (*range(8), *range(56, 64)):
        if board[square] < 2:
            raise FenError(FIELDS[0], f"a pawn cannot stand on {square_name(square)}")


def parse_castling(
    field: str, board: bytes, chess960: bool, notes: list[str]
) -> tuple[tuple[int, int, int, int], bool]:
    """The rook's square of each right in the order KQkq, and whether only Chess960 has such a right."""
    rooks = [NO_SQUARE] * CASTLINGS
    needs_960 = False
    if field == "-":
        return (rooks[0], rooks[1], rooks[2], rooks[3]), False
    for letter in field:
        color = WHITE if letter.isupper() else BLACK
        name = letter.upper()
        king = board.index(10 + color)
        home = 56 * color
        if name in "KQ":
            rook = outer_rook(board, king, home, color, name == "K")
        elif name in "ABCDEFGH":
            rook = home + "ABCDEFGH".index(name)
        else:
            raise FenError(FIELDS[2], f"{shown(letter)} is no castling right; KQkq, file letters or '-' expected")
        standard = king == E1 + home and file_of(rook) in (0, 7)
        if rank_of(king) != 7 * color or rook == NO_SQUARE or board[rook] != 6 + color:
            notes.append(f"castling right {letter} dropped: king or rook is not at home")
        elif name in "KQ" and not (standard or chess960):
            notes.append(f"castling right {letter} dropped: it needs Chess960")
        else:
            rooks[2 * color + (0 if rook > king else 1)] = rook
            needs_960 = needs_960 or not standard
    return (rooks[0], rooks[1], rooks[2], rooks[3]), needs_960


def outer_rook(board: bytes, king: int, home: int, color: int, king_side: bool) -> int:
    """The outermost rook on one side of the king on the first rank, or NO_SQUARE."""
    if king // 8 * 8 != home:
        return NO_SQUARE
    squares = range(home + 7, king, -1) if king_side else range(home, king)
    for square in squares:
        if board[square] == 6 + color:
            return square
    return NO_SQUARE


def parse_en_passant(field: str, board: bytes, side: int, notes: list[str]) -> int:
    """The square behind a pawn that has just moved two squares, or NO_SQUARE."""
    if field == "-":
        return NO_SQUARE
    try:
        square = parse_square(field)
    except ValueError:
        raise FenError(FIELDS[3], f"a square or '-' expected, not {shown(field)}") from None
    ahead = 8 if side == WHITE else -8
    pushed_pawn = side ^ 1
    if (
        square // 8 != (5 if side == WHITE else 2)
        or board[square - ahead] != pushed_pawn
        or board[square] != EMPTY
        or board[square + ahead] != EMPTY
    ):
        notes.append(f"en-passant square {field} dropped: no pawn has just passed it")
        return NO_SQUARE
    return square


def parse_number(name: str, field: str, limit: int) -> int:
    """A whole number from 0 to `limit`."""
    if not field.isdecimal():
        raise FenError(name, f"a number from 0 to {limit} expected, not {shown(field)}")
    if len(field) > 9 or int(field) > limit:
        raise FenError(name, f"{shown(field)} is more than {limit}")
    return int(field)


def check_kings(position: Position) -> None:
    """Refuse a position whose last move would have been illegal."""
    side: cython.int = position.side
    their_king: cython.int = position.king_square(side ^ 1)
    own_king: cython.int = position.king_square(side)
    if max(abs(file_of(their_king) - file_of(own_king)), abs(rank_of(their_king) - rank_of(own_king))) < 2:
        raise FenError(FIELDS[0], "the kings stand next to each other")
    if position.is_attacked(their_king, side, position.occupied()):
        raise FenError(FIELDS[1], f"{COLOR_NAMES[side ^ 1]} is in check although it is {COLOR_NAMES[side]}'s move")


def render_fen(position: Position) -> str:
    """The FEN of a position, with X-FEN castling letters."""
    en_passant = "-" if position.state.en_passant == NO_SQUARE else square_name(position.state.en_passant)
    clock: cython.int = min(position.state.half_move_clock, MAX_CLOCK)  # what is written must be read back
    number: cython.int = min(position.full_move_number, MAX_MOVE_NUMBER)
    return (
        f"{render_placement(position)} {'wb'[position.side]} {render_castling(position)} {en_passant} {clock} {number}"
    )


def render_placement(position: Position) -> str:
    """The first field of a FEN."""
    rows = []
    rank: cython.int
    file: cython.int
    for rank in range(7, -1, -1):
        row = ""
        gap: cython.int = 0
        for file in range(8):
            piece: cython.int = position.board[8 * rank + file]
            if piece == EMPTY:
                gap += 1
                continue
            row += f"{gap or ''}{PIECE_LETTERS[piece]}"
            gap = 0
        rows.append(f"{row}{gap or ''}")
    return "/".join(rows)


def render_castling(position: Position) -> str:
    """KQkq where the rook is the outermost one, its file letter where it is not."""
    board = bytes(position.board[:64])
    text = ""
    right: cython.int
    for right in range(CASTLINGS):
        if position.state.castling >> right & 1:
            color: cython.int = right >> 1
            rook: cython.int = position.castling_rook[right]
            outer = outer_rook(board, position.king_square(color), 56 * color, color, right & 1 == KING_SIDE)
            letter = "KQ"[right & 1] if rook == outer else "ABCDEFGH"[file_of(rook)]
            text += letter.lower() if color == BLACK else letter
    return text or "-"
