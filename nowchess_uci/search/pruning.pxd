cdef int reverse_futility_margin(int depth, bint improving) noexcept nogil
cdef int null_move_depth(int depth, int static_score, int beta) noexcept nogil
cdef int late_move_count(int depth, bint improving) noexcept nogil
cdef int futility_margin(int depth) noexcept nogil
cdef int exchange_margin(int depth, bint quiet) noexcept nogil
cdef int reduction(int depth, int move_number, bint quiet) noexcept nogil
cdef int history_bonus(int depth) noexcept nogil
