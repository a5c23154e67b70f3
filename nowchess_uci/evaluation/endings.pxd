from nowchess_uci.rules.bits cimport has_several
from nowchess_uci.rules.position cimport Position
from nowchess_uci.rules.constants cimport file_of, rank_of

cdef enum:
    KNOWN_WIN = 500     # centipawns on top of the material that can mate a lone king

cdef int with_endings(Position position, int score) noexcept nogil
cdef int material(Position position, int color) noexcept nogil
cdef int mating_drive(Position position, int strong) noexcept nogil


cdef inline bint is_lone_king(Position position, int color) noexcept nogil:
    """True if a side has nothing but its king."""
    return not has_several(position.by_color[color])


cdef inline int distance(int a, int b) noexcept nogil:
    """King moves from one square to another on an empty board."""
    return max(abs(file_of(a) - file_of(b)), abs(rank_of(a) - rank_of(b)))
