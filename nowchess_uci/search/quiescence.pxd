from nowchess_uci.rules.position cimport Position
from nowchess_uci.search.worker cimport Worker

# The position is the worker's own: without the GIL an object can be handed on, but not kept in a local name.
cdef int quiesce(Worker worker, Position position, int alpha, int beta, int ply) noexcept nogil
cdef int raw_score(Worker worker) noexcept nogil
cdef int watched(Worker worker, int score) noexcept nogil
cdef int corrected(Worker worker, int raw) noexcept nogil
cdef bint is_draw(Position position, int ply) noexcept nogil
