# The number of a placement of pieces within a table.

from nowchess_uci.rules.bits cimport U64
from nowchess_uci.rules.position cimport Position

cdef enum:
    MOST_MEN = 7
    PAWN_FILES = 4          # of the leading pawn, after mirroring
    THREE_PIECES_TOTAL = 31332
    TWO_KINGS_TOTAL = 462

# What stands at the head of a placement and takes up the symmetry of the board.
cdef enum:
    THREE_PIECES = 0        # three pieces without another of their kind
    TWO_KINGS = 1
    PAWNS = 2               # those of the side that has fewer

# Pieces of one kind make a group, except for those at the head, which are the first group together. The number of a
# placement is the sum of its groups' numbers, each times a factor.
cdef struct Numbering:
    int men
    int head
    bint has_other_pawns                # the second group is the other side's pawns
    unsigned char pieces[MOST_MEN]      # equal ones side by side
    int groups
    int sizes[MOST_MEN]
    U64 factors[MOST_MEN]
    U64 total                           # of placements

cdef U64 number_of(Numbering* numbering, int* squares) noexcept nogil
cdef void place_pieces(Numbering* numbering, Position position, bint swapped, int* squares) noexcept nogil
cdef int leading_file(Numbering* numbering, Position position, bint swapped) noexcept nogil
cdef bint set_factors(Numbering* numbering, int file, int order, int other_order) noexcept nogil
cdef U64 number_of_head(Numbering* numbering, int* squares) noexcept nogil
cdef U64 number_of_pawns(int* squares, int count) noexcept nogil
cdef void put_pawn_first(int* squares, int count) noexcept nogil
cdef void sort_squares(int* squares, int count) noexcept nogil
cdef void fill_tables() noexcept nogil
