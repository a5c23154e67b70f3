from nowchess_uci.rules.position cimport Position
from nowchess_uci.search.pool cimport Pool
from nowchess_uci.search.worker cimport Signals, Worker

cdef class Thinking:
    cdef Signals signals
    cdef Pool pool              # None when it is over
    cdef bint has_begun
    cdef readonly object nodes  # that all threads have searched, when it is over
    cdef Position position
    cdef readonly object task
    cdef object report
    cdef object wake
    cdef bint told_to_stop      # by the user, not by a limit
    cdef object budget
    cdef object error           # what a report inside an iteration has raised
    cdef list settled           # the best lines whose scores are exact, best first
    cdef double clock_start
    cdef double started
    cdef object usage           # of this thread when the search began

    cdef int make_ready(self, Worker worker) except -1
    cdef int use_tablebases(self, Worker main) except -1
