from nowchess_uci.rules.bits cimport U64
from nowchess_uci.rules.position cimport Position

cdef enum:
    MAX_PIECES = 32
    HELD_OUT = 64           # every 64th game
    BLACK_TO_MOVE = 1       # bits of `flags`; castling rights follow
    CASTLING_SHIFT = 1

# One training position, 32 bytes, in memory as in the files (little-endian).
cdef packed struct Sample:
    U64 occupied
    unsigned char pieces[16]    # four bits each, in the order of their squares
    short score                 # for the side to move
    unsigned char result        # likewise: 0 lost, 1 drawn, 2 won
    unsigned char flags
    unsigned int game

cdef void pack_sample(Position position, int score, unsigned int game, Sample* sample) noexcept nogil
cdef int features_of(const Sample* sample, short* own, short* other) noexcept nogil
cdef bint is_well_formed(const Sample* sample) noexcept nogil
cdef void unpack_board(const Sample* sample, unsigned char* board) noexcept nogil


cdef inline int relative_result(int result, int side) noexcept nogil:
    """A result for White (0 lost, 1 drawn, 2 won) as a side sees it, or the other way round."""
    return result if side == 0 else 2 - result


cdef class Samples:
    cdef Sample* items
    cdef U64 count
    cdef U64 capacity

    cdef Sample* room_for(self, U64 more) except NULL
