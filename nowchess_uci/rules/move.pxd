# A move is 16 bits: origin (6), target (6), promotion piece (2, knight to queen), kind (2).
# Castling is king-takes-rook inside, so one form serves standard chess and Chess960.

from nowchess_uci.rules.constants cimport KNIGHT

ctypedef unsigned short Move

cpdef enum:
    NO_MOVE = 0
    NORMAL = 0
    PROMOTION = 0x4000
    EN_PASSANT = 0x8000
    CASTLING = 0xC000
    KIND_MASK = 0xC000


cpdef inline int origin_of(Move move) noexcept nogil:
    """The square that a piece leaves."""
    return move & 63


cpdef inline int target_of(Move move) noexcept nogil:
    """The square that it goes to; of a castling, the rook's."""
    return move >> 6 & 63


cpdef inline int kind_of(Move move) noexcept nogil:
    """NORMAL, PROMOTION, EN_PASSANT or CASTLING."""
    return move & KIND_MASK


cpdef inline int promotion_of(Move move) noexcept nogil:
    """The promotion piece type; meaningful only when the kind is PROMOTION."""
    return (move >> 12 & 3) + KNIGHT


cdef inline Move pack(int origin, int target, int kind) noexcept nogil:
    return <Move>(origin | target << 6 | kind)


cdef inline Move pack_promotion(int origin, int target, int piece_type) noexcept nogil:
    return <Move>(origin | target << 6 | (piece_type - KNIGHT) << 12 | PROMOTION)


cpdef bint is_promotion(Move move) noexcept nogil
cpdef bint is_en_passant(Move move) noexcept nogil
cpdef bint is_castling(Move move) noexcept nogil
cpdef int castled_king_square(Move move) noexcept nogil
cpdef int castled_rook_square(Move move) noexcept nogil
cpdef int en_passant_target(int origin, int target) noexcept nogil
cpdef int captured_pawn_square(int target, int color) noexcept nogil
