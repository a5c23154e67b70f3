from nowchess_uci.rules.bits cimport U64

cdef struct Keys:
    U64 piece[12][64]
    U64 castling[16]
    U64 en_passant[65]      # by square; 0 for NO_SQUARE, so that no test is needed
    U64 black_to_move

cdef Keys keys

cdef void fill_keys() noexcept nogil
