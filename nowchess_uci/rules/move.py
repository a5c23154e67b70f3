"""A move as one small integer, what can be read off it, and its UCI text.

Owns the encoding and the words of en passant, promotion and castling. Knows no position: whether a move is legal
is asked of `movegen`, and text that needs a board to be understood is read by `notation`.
"""

import cython
from cython.cimports.nowchess_uci.rules.constants import C1, D1, F1, G1, NO_SQUARE, WHITE
from cython.cimports.nowchess_uci.rules.move import (
    CASTLING,
    EN_PASSANT,
    NO_MOVE,
    NORMAL,
    PROMOTION,
    Move,
    kind_of,
    origin_of,
    promotion_of,
    target_of,
)

__all__ = [
    "CASTLING",
    "EN_PASSANT",
    "NORMAL",
    "NO_MOVE",
    "PROMOTION",
    "captured_pawn_square",
    "castled_king_square",
    "castled_rook_square",
    "en_passant_target",
    "is_castling",
    "is_en_passant",
    "is_promotion",
    "kind_of",
    "origin_of",
    "parse_square",
    "promotion_of",
    "render_move",
    "square_name",
    "target_of",
]


def is_promotion(move: Move) -> cython.bint:
    """True if a pawn reaches the last rank and becomes another piece (FIDE 3.7.3.3)."""
    return kind_of(move) == PROMOTION


def is_en_passant(move: Move) -> cython.bint:
    """True if a pawn captures a pawn that has just passed it by a double step (FIDE 3.7.3.1)."""
    return kind_of(move) == EN_PASSANT


def is_castling(move: Move) -> cython.bint:
    """True if king and rook move together (FIDE 3.8.2); the target is then the rook's square."""
    return kind_of(move) == CASTLING


def castled_king_square(move: Move) -> cython.int:
    """Where the king of a castling move ends: the g- or c-file, in Chess960 too."""
    return (origin_of(move) & 56) + (G1 if target_of(move) > origin_of(move) else C1)


def castled_rook_square(move: Move) -> cython.int:
    """Where the rook of a castling move ends: the f- or d-file, in Chess960 too."""
    return (origin_of(move) & 56) + (F1 if target_of(move) > origin_of(move) else D1)


def en_passant_target(origin: cython.int, target: cython.int) -> cython.int:
    """The square that a pawn going from `origin` to `target` passed over, or NO_SQUARE if it took a single step."""
    return (origin + target) >> 1 if abs(target - origin) == 16 else NO_SQUARE


def captured_pawn_square(target: cython.int, color: cython.int) -> cython.int:
    """Where the captured pawn stands when a pawn of `color` captures en passant to `target`."""
    return target - 8 if color == WHITE else target + 8


def square_name(square: cython.int) -> str:
    """`0` is `a1`, `63` is `h8`."""
    if not 0 <= square < 64:
        raise ValueError(f"no square has the number {square}")
    return "abcdefgh"[square & 7] + "12345678"[square >> 3]


def parse_square(name: str) -> int:
    """`a1` is `0`, `h8` is `63`."""
    if len(name) != 2 or name[0] not in "abcdefgh" or name[1] not in "12345678":
        raise ValueError(f"{name!a} is not a square")
    return 8 * "12345678".index(name[1]) + "abcdefgh".index(name[0])


def render_move(move: Move, chess960: cython.bint = False) -> str:
    """The move in UCI text: `e2e4`, `e7e8q`, castling `e1g1` or, for Chess960, king-takes-rook `e1h1`."""
    if move == NO_MOVE:
        return "0000"
    target: cython.int = target_of(move)
    if kind_of(move) == CASTLING and not chess960:
        target = castled_king_square(move)
    text = square_name(origin_of(move)) + square_name(target)
    if kind_of(move) == PROMOTION:
        text += "?nbrq"[promotion_of(move)]
    return text
