from nowchess_uci.rules.position cimport Position
from nowchess_uci.search.table cimport Table
from nowchess_uci.search.worker cimport Signals, Worker

cdef class Pool:
    cdef Signals signals
    cdef readonly Table table
    cdef readonly list workers
    cdef object wake
    cdef bint told_to_stop      # by the user, not by a limit
    cdef object budget
    cdef object limits
    cdef object clock_start

cdef int ready(Worker worker, Position position, Signals* signals, object limits) except -1
