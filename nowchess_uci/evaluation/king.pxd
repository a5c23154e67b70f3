from nowchess_uci.evaluation.pawns cimport PawnEntry
from nowchess_uci.evaluation.pieces cimport Reach
from nowchess_uci.evaluation.terms cimport Sum
from nowchess_uci.rules.position cimport Position

cdef void add_king(Position position, int color, Sum* total, PawnEntry* pawns) noexcept nogil
cdef void add_shelter(Position position, int king, int color, Sum* total) noexcept nogil
cdef void add_attack(Position position, int color, Sum* total, Reach* reach) noexcept nogil
