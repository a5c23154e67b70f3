from nowchess_uci.rules.move cimport Move
from nowchess_uci.rules.position cimport Position
from nowchess_uci.search.table cimport Hit
from nowchess_uci.search.worker cimport Worker

cdef enum:
    NO_CUTOFF = 32700       # a sub-search that decided nothing

cdef int search(Worker worker, Position position, int alpha, int beta, int depth, int ply, bint cut_node) noexcept nogil
cdef int search_root(Worker worker, Position position, int alpha, int beta, int depth, int first) noexcept nogil
cdef int try_null_move(Worker worker, Position position, int beta, int depth, int ply, int score) noexcept nogil
cdef int try_probcut(Worker worker, Position position, int beta, int depth, int ply, Move table_move) noexcept nogil
cdef int singular_extension(
    Worker worker, Position position, Hit* hit, int beta, int depth, int ply, bint cut_node, bint pv_node
) noexcept nogil
cdef void learn_from_cutoff(
    Worker worker, Position position, Move best, Move* quiets, int quiet_count, Move* captures, int capture_count,
    int depth, int ply
) noexcept nogil
cdef bint has_pieces(Position position) noexcept nogil
