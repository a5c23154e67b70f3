from nowchess_uci.search.worker cimport Worker

cdef void list_root_moves(Worker worker) noexcept nogil
cdef bint run_iteration(Worker worker, int depth, int multi_pv) noexcept nogil
cdef void search_window(Worker worker, int depth, int first) noexcept nogil
cdef void sort_root_moves(Worker worker, int first) noexcept nogil
