from nowchess_uci.evaluation.accumulators cimport Accumulators
from nowchess_uci.evaluation.network cimport Network
from nowchess_uci.rules.position cimport Position

cdef int evaluate(Position position, Accumulators* memory) noexcept nogil
cdef int weighed(Position position, int score) noexcept nogil


cdef class Evaluator:
    cdef Accumulators memory
    cdef readonly Network network
