from nowchess_uci.search.worker cimport Worker

cdef void sort_root_moves(Worker worker, int first) noexcept nogil
