from nowchess_uci.search.worker cimport RootMove, Worker

cdef void list_root_moves(Worker worker) noexcept nogil
cdef bint run_iteration(Worker worker, int depth, int multi_pv) noexcept nogil
cdef void search_window(Worker worker, int depth, int first) noexcept nogil
cdef void sort_root_moves(Worker worker, int first) noexcept nogil


cdef inline bint comes_before(RootMove* move, RootMove* other) noexcept nogil:
    """True if a root move is better than another: by the tablebases first, then by its score."""
    return move.rank > other.rank or (move.rank == other.rank and move.score > other.score)
