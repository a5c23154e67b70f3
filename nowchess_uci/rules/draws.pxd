from nowchess_uci.rules.move cimport Move
from nowchess_uci.rules.position cimport Position

cpdef bint is_dead_position(Position position) noexcept nogil
cpdef int repetitions(Position position) noexcept nogil
