"""The names of squares, colours and pieces, for Python modules; compiled ones take them from the `.pxd`."""

from cython.cimports.nowchess_uci.rules.constants import (
    BISHOP,
    BLACK,
    EMPTY,
    KING,
    KING_SIDE,
    KNIGHT,
    NO_SQUARE,
    PAWN,
    QUEEN,
    QUEEN_SIDE,
    ROOK,
    WHITE,
    file_of,
    piece_of,
    rank_of,
    type_of,
)

__all__ = [
    "BISHOP",
    "BLACK",
    "EMPTY",
    "KING",
    "KING_SIDE",
    "KNIGHT",
    "NO_SQUARE",
    "PAWN",
    "QUEEN",
    "QUEEN_SIDE",
    "ROOK",
    "WHITE",
    "file_of",
    "piece_of",
    "rank_of",
    "type_of",
]
