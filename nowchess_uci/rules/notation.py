"""Move texts that need a board to be understood: SAN (`Nbd7`, `exd8=N+`, `O-O`) in and out, coordinates in.

Reading is lenient where people and programs are: `0-0`, `e8Q`, `e7e8=q`, `Ng1-f3`, `exd6 e.p.` and `Nf3!?` are all
understood. It is strict where a guess could be wrong: an ambiguous or illegal move raises an error that says so.
"""

import cython
from cython.cimports.nowchess_uci.rules.constants import (
    BISHOP,
    EMPTY,
    KING,
    KNIGHT,
    MAX_MOVES,
    PAWN,
    QUEEN,
    ROOK,
    file_of,
    rank_of,
    type_of,
)
from cython.cimports.nowchess_uci.rules.move import (
    CASTLING,
    EN_PASSANT,
    NO_MOVE,
    PROMOTION,
    Move,
    castled_king_square,
    kind_of,
    origin_of,
    pack,
    promotion_of,
    target_of,
)
from cython.cimports.nowchess_uci.rules.movegen import ALL, generate, has_legal_move, is_legal
from cython.cimports.nowchess_uci.rules.notation import ANY, Wanted
from cython.cimports.nowchess_uci.rules.position import Position

from nowchess_uci.rules.fen import shown
from nowchess_uci.rules.move import square_name

MAX_LENGTH = 20


class MoveTextError(ValueError):
    """A text that names no move of this position."""


class MoveFormatError(MoveTextError):
    """A text that is no move in any position."""


class IllegalMoveError(MoveTextError):
    """A move text that fits no legal move here."""


class AmbiguousMoveError(MoveTextError):
    """A move text that fits several legal moves."""


class PromotionPieceMissingError(MoveTextError):
    """A legal pawn move to the last rank that does not say which piece the pawn becomes."""

    def __init__(self, text: str, origin: int, target: int) -> None:
        super().__init__(f"{shown(text)} does not say what the pawn becomes; add q, r, b or n")
        self.origin = origin
        self.target = target


def render_san(position: Position, move: Move) -> str:
    """The shortest SAN of a legal move that fits no other one, with `+` or `#`."""
    if not is_legal(position, move):
        raise IllegalMoveError(f"move number {move} is not legal here")
    piece_type: cython.int = type_of(position.board[origin_of(move)])
    target: cython.int = target_of(move)
    captures: cython.bint = position.board[target] != EMPTY or kind_of(move) == EN_PASSANT
    if kind_of(move) == CASTLING:
        text = "O-O" if target > origin_of(move) else "O-O-O"
    elif piece_type == PAWN:
        text = "abcdefgh"[file_of(origin_of(move))] + "x" if captures else ""
        text += square_name(target)
        if kind_of(move) == PROMOTION:
            text += "=" + "PNBRQ"[promotion_of(move)]
    else:
        text = "PNBRQK"[piece_type] + render_origin(position, move) + ("x" if captures else "") + square_name(target)
    position.reserve(1)
    position.make(move)
    if position.state.checkers:
        text += "+" if has_legal_move(position) else "#"
    position.unmake()
    return text


def render_origin(position: Position, move: Move) -> str:
    """As much of the origin square as other pieces of the same type with the same target require."""
    origin: cython.int = origin_of(move)
    piece: cython.int = position.board[origin]
    moves = cython.declare(Move[MAX_MOVES])
    shared: cython.bint = False
    file_shared: cython.bint = False
    rank_shared: cython.bint = False
    index: cython.int
    for index in range(generate(position, ALL, moves)):
        rival: cython.int = origin_of(moves[index])
        if (
            rival != origin
            and position.board[rival] == piece
            and target_of(moves[index]) == target_of(move)
            and kind_of(moves[index]) != CASTLING
        ):
            shared = True
            file_shared |= file_of(rival) == file_of(origin)
            rank_shared |= rank_of(rival) == rank_of(origin)
    name = square_name(origin)
    if not shared:
        return ""
    if not file_shared:
        return name[0]
    return name if rank_shared else name[1]


def parse_move(position: Position, text: str) -> int:
    """The legal move that a SAN or coordinate text names; raises a MoveTextError if there is not exactly one."""
    trimmed = text.strip()
    if len(trimmed) > MAX_LENGTH or not trimmed.isascii():
        raise MoveFormatError(f"{shown(trimmed)} is not a move")
    bare = trimmed
    if trimmed and trimmed[len(trimmed) - 1] in ".+#!? ":  # most moves say nothing after the square
        bare = trimmed.removesuffix("e.p.").rstrip("+#!? ")
    if bare and bare[0] in "O0o" and bare[:3] in ("O-O", "0-0", "o-o"):
        return parse_castling(position, trimmed, bare)
    raw: bytes = bare.encode("ascii")
    wanted = cython.declare(Wanted)
    if not read_text(raw, len(raw), cython.address(wanted)):
        raise MoveFormatError(f"{shown(trimmed)} is not a move")
    moves = cython.declare(Move[MAX_MOVES])
    found: Move = NO_MOVE
    count: cython.int = 0
    index: cython.int
    for index in range(generate(position, ALL, moves)):
        if is_wanted(position, moves[index], cython.address(wanted)):
            found = moves[index]
            count += 1
    if count == 1:
        return found
    if count == 0:
        if wanted.piece_type == ANY:
            origin: cython.int = 8 * wanted.origin_rank + wanted.origin_file
            found = find_castling(position, origin, wanted.target)
        if found == NO_MOVE:
            raise IllegalMoveError(f"{shown(trimmed)} is not a legal move here")
        return found
    if count == 4 and kind_of(found) == PROMOTION and wanted.promotion == ANY:
        raise PromotionPieceMissingError(trimmed, origin_of(found), target_of(found))
    raise AmbiguousMoveError(f"{shown(trimmed)} fits several legal moves")


def play_texts(position: Position, texts: list[str]) -> None:
    """Make the moves that some texts name, up to the first that names none, which raises a MoveTextError."""
    number: cython.int
    for number in range(len(texts)):
        try:
            move: Move = parse_move(position, texts[number])
        except MoveTextError as error:
            raise MoveTextError(f"move {number + 1}: {error}") from None
        position.reserve(1)
        position.make(move)


def parse_castling(position: Position, text: str, bare: str) -> int:
    """The castling that `O-O` or `O-O-O`, with letters or zeros, names."""
    king: cython.int = position.king_square(position.side)
    shape = bare.replace("0", "O").replace("o", "O")
    if shape not in ("O-O", "O-O-O"):
        raise MoveFormatError(f"{shown(text)} is not a move")
    right: cython.int = 2 * position.side + (1 if shape == "O-O-O" else 0)
    move: Move = NO_MOVE
    if position.state.castling >> right & 1:
        move = pack(king, position.castling_rook[right], CASTLING)
    if move == NO_MOVE or not is_legal(position, move):
        raise IllegalMoveError(f"{shown(text)} is not a legal move here")
    return move


def find_castling(position: Position, origin: cython.int, target: cython.int) -> Move:
    """The legal castling that coordinates mean: king takes own rook, or king two squares sideways."""
    king: cython.int = position.king_square(position.side)
    right: cython.int
    for right in range(2 * position.side, 2 * position.side + 2):
        if origin == king and position.state.castling >> right & 1:
            move: Move = pack(king, position.castling_rook[right], CASTLING)
            two_squares: cython.bint = target == castled_king_square(move) and abs(target - origin) == 2
            if (target == position.castling_rook[right] or two_squares) and is_legal(position, move):
                return move
    return NO_MOVE


def is_wanted(position: Position, move: Move, wanted: cython.pointer[Wanted]) -> cython.bint:
    """True if a legal move, castling excepted, fits what a text says."""
    origin: cython.int = origin_of(move)
    if target_of(move) != wanted.target or kind_of(move) == CASTLING:
        return False
    if wanted.piece_type != ANY and wanted.piece_type != type_of(position.board[origin]):
        return False
    if wanted.origin_file != ANY and wanted.origin_file != file_of(origin):
        return False
    if wanted.origin_rank != ANY and wanted.origin_rank != rank_of(origin):
        return False
    if kind_of(move) == PROMOTION:
        return wanted.promotion == ANY or wanted.promotion == promotion_of(move)
    return wanted.promotion == ANY


def read_text(
    text: cython.pointer[cython.const[cython.uchar]], length: cython.int, wanted: cython.pointer[Wanted]
) -> cython.bint:
    """Take a SAN or coordinate text apart: [piece] [origin file] [origin rank] [x or -] target [=] [promotion].

    Returns False if it has another shape.
    """
    wanted.piece_type = ANY
    wanted.origin_file = ANY
    wanted.origin_rank = ANY
    wanted.target = ANY
    wanted.promotion = ANY
    start: cython.int = 0
    if length > 0:
        wanted.piece_type = piece_type_of(text[0])
        if wanted.piece_type != ANY:
            start = 1
    end: cython.int = length
    if end - start > 2 and (text[end - 2] == "=" or is_digit(text[end - 2])):
        letter: cython.uchar = text[end - 1]
        wanted.promotion = piece_type_of(letter - 32 if letter >= 97 else letter)
        if wanted.promotion < KNIGHT or wanted.promotion > QUEEN:
            return False
        end -= 2 if text[end - 2] == "=" else 1
    if end - start < 2 or not is_file(text[end - 2]) or not is_digit(text[end - 1]):
        return False
    wanted.target = 8 * (text[end - 1] - 49) + text[end - 2] - 97
    end -= 2
    captures: cython.bint = end > start and (text[end - 1] == "x" or text[end - 1] == ":")
    if captures or (end > start and text[end - 1] == "-"):
        end -= 1
    if start < end and is_file(text[start]):
        wanted.origin_file = text[start] - 97
        start += 1
    if start < end and is_digit(text[start]):
        wanted.origin_rank = text[start] - 49
        start += 1
    if start != end:
        return False
    if wanted.piece_type == ANY and (wanted.origin_file == ANY or wanted.origin_rank == ANY):
        wanted.piece_type = PAWN  # without a letter it is a pawn, unless both squares are given
        if wanted.origin_file == ANY:
            if captures:
                return False
            wanted.origin_file = file_of(wanted.target)  # `d5` is never a capture
    return True


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def is_file(letter: cython.uchar) -> cython.bint:
    return 97 <= letter <= 104  # a to h


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def is_digit(letter: cython.uchar) -> cython.bint:
    return 49 <= letter <= 56  # 1 to 8


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def piece_type_of(letter: cython.uchar) -> cython.int:
    """The piece type of an English capital letter, or ANY."""
    if letter == "P":
        return PAWN
    if letter == "N":
        return KNIGHT
    if letter == "B":
        return BISHOP
    if letter == "R":
        return ROOK
    if letter == "Q":
        return QUEEN
    if letter == "K":
        return KING
    return ANY
