from nowchess_uci.rules.move cimport Move
from nowchess_uci.rules.position cimport Position

cdef bint wins_exchange(Position position, Move move, int threshold) noexcept nogil
