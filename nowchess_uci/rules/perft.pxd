from nowchess_uci.rules.bits cimport U64
from nowchess_uci.rules.position cimport Position

cdef U64 count_leaves(Position position, int depth) noexcept nogil
