from nowchess_uci.search.table cimport Table
from nowchess_uci.search.worker cimport Worker

cdef class Pool:
    cdef readonly Table table
    cdef readonly list workers
