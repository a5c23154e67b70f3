from nowchess_uci.evaluation.terms cimport Sum
from nowchess_uci.rules.bits cimport U64
from nowchess_uci.rules.constants cimport WHITE, file_mask, file_of, rank_of
from nowchess_uci.rules.position cimport Position

cdef enum:
    PAWN_SLOTS = 8192

# What is known of a pawn structure. All zero is right for no pawns at all, so an empty table needs no mark.
cdef struct PawnEntry:
    U64 key
    U64 passed          # passed pawns of both sides
    int score
    int shelter[2]      # what the pawns mean for a king, by its colour,
    int sheltered[2]    # if it stands on this square; counted from 1, 0 is none

cdef PawnEntry* add_pawn_structure(Position position, Sum* total, PawnEntry* entries, PawnEntry* spare) noexcept nogil
cdef U64 count_pawns(Position position, int color, Sum* total) noexcept nogil


cdef inline U64 pawn_attacks_of(U64 pawns, int color) noexcept nogil:
    """Everything a colour's pawns attack."""
    if color == WHITE:
        return (pawns & ~file_mask(0)) << 7 | (pawns & ~file_mask(7)) << 9
    return (pawns & ~file_mask(0)) >> 9 | (pawns & ~file_mask(7)) >> 7


cdef inline U64 ahead_of(int square, int color) noexcept nogil:
    """All ranks before a square, as the colour sees it."""
    if color == WHITE:
        return ~(<U64>0) << (8 * rank_of(square)) << 8
    return ~(<U64>0) >> (56 - 8 * rank_of(square)) >> 8


cdef inline U64 neighbour_files(int square) noexcept nogil:
    """The files left and right of a square's."""
    cdef U64 own = file_mask(file_of(square))
    return (own & ~file_mask(0)) >> 1 | (own & ~file_mask(7)) << 1
