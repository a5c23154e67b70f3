from nowchess_uci.evaluation.network cimport Network
from nowchess_uci.search.table cimport Table
from nowchess_uci.search.worker cimport Worker

cdef class Pool:
    cdef readonly Table table
    cdef readonly list workers
    cdef readonly Network network
