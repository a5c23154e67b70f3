from nowchess_uci.rules.move cimport Move
from nowchess_uci.rules.position cimport Position

# What a move text says about the move; ANY where it says nothing.
cdef enum:
    ANY = -1

cdef struct Wanted:
    int piece_type
    int origin_file
    int origin_rank
    int target
    int promotion

cpdef str render_san(Position position, Move move)
cdef str render_origin(Position position, Move move)
cdef bint read_text(const unsigned char* text, int length, Wanted* wanted) noexcept nogil
cdef bint is_wanted(Position position, Move move, Wanted* wanted) noexcept nogil
cdef Move find_castling(Position position, int origin, int target) noexcept nogil
