# A move is 16 bits: origin (6), target (6), promotion piece (2, knight to queen), kind (2).
# Castling is king-takes-rook inside, so one form serves standard chess and Chess960.

from nowchess_uci.rules.constants cimport KNIGHT

ctypedef unsigned short Move

cdef enum:
    NO_MOVE = 0
    NORMAL = 0
    PROMOTION = 0x4000
    EN_PASSANT = 0x8000
    CASTLING = 0xC000
    KIND_MASK = 0xC000


cdef inline int origin_of(Move move) noexcept nogil:
    return move & 63


cdef inline int target_of(Move move) noexcept nogil:
    return move >> 6 & 63


cdef inline int kind_of(Move move) noexcept nogil:
    return move & KIND_MASK


cdef inline int promotion_of(Move move) noexcept nogil:
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
