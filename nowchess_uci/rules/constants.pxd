# The names of squares, colours and pieces, shared by every compiled module and, through `cpdef`, by Python modules.

from nowchess_uci.rules.bits cimport U64

cpdef enum:
    WHITE = 0
    BLACK = 1

# A piece is its type times two plus its colour: dense, so that it can index a table.
cpdef enum:
    PAWN = 0
    KNIGHT = 1
    BISHOP = 2
    ROOK = 3
    QUEEN = 4
    KING = 5

cpdef enum:
    EMPTY = 12

cpdef enum:
    C1 = 2
    D1 = 3
    E1 = 4
    F1 = 5
    G1 = 6
    NO_SQUARE = 64

# What pieces are worth, in centipawns, wherever a rough count of material will do. The evaluation has its own, fitted.
cdef enum:
    PAWN_VALUE = 100
    MINOR_VALUE = 300
    ROOK_VALUE = 500
    QUEEN_VALUE = 900

# Castling rights are bits; `2 * colour + side` is the index of one.
cpdef enum:
    KING_SIDE = 0
    QUEEN_SIDE = 1
    CASTLINGS = 4
    ALL_CASTLING = 15

# No legal placement of 16 pieces has as many moves: 15 queens with 27 each, a king with 8.
cpdef enum:
    MAX_MOVES = 416


cpdef inline int piece_of(int piece_type, int color) noexcept nogil:
    """The code of a piece."""
    return piece_type << 1 | color


cpdef inline int type_of(int piece) noexcept nogil:
    """The type of a piece, whatever its colour."""
    return piece >> 1


cpdef inline int file_of(int square) noexcept nogil:
    """0 is the a-file."""
    return square & 7


cpdef inline int rank_of(int square) noexcept nogil:
    """0 is the first rank."""
    return square >> 3


cdef inline U64 rank_mask(int rank) noexcept nogil:
    return <U64>0xFF << (8 * rank)


cdef inline U64 file_mask(int file) noexcept nogil:
    return <U64>0x0101010101010101 << file


cdef inline U64 dark_squares() noexcept nogil:
    return <U64>0xAA55AA55AA55AA55
