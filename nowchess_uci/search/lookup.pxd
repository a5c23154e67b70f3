from nowchess_uci.rules.position cimport Position
from nowchess_uci.search.worker cimport Worker
from nowchess_uci.tablebases.root cimport Verdict

cdef int look_up(Worker worker, Position position, int depth, int ply) noexcept nogil
cdef void rank_root_moves(Worker worker) noexcept nogil
cdef int score_of_result(int result) noexcept nogil
