from nowchess_uci.rules.bits cimport U64
from nowchess_uci.rules.move cimport Move
from nowchess_uci.rules.position cimport Position

# Which moves to generate: bits, so that ALL is both. In check either stage yields only evasions.
cdef enum:
    TACTICAL = 1    # captures, en passant, all promotions
    QUIET = 2       # everything else, castling included
    ALL = 3

cdef int generate(Position position, int stage, Move* moves) noexcept nogil
cdef int count_moves(Position position) noexcept nogil
cdef bint has_legal_move(Position position) noexcept nogil
cdef bint is_legal(Position position, Move move) noexcept nogil
cdef bint gives_check(Position position, Move move) noexcept nogil

cdef int add_pieces(Position position, U64 wanted, Move* moves, int count) noexcept nogil
cdef int add_king(Position position, U64 wanted, Move* moves, int count) noexcept nogil
cdef int add_pawns(Position position, int stage, U64 pawns, U64 allowed, Move* moves, int count) noexcept nogil
cdef int add_en_passant(Position position, Move* moves, int count) noexcept nogil
cdef int add_castling(Position position, Move* moves, int count) noexcept nogil
cdef bint is_castling_legal(Position position, int right) noexcept nogil
cdef bint is_pawn_move_legal(Position position, Move move) noexcept nogil
