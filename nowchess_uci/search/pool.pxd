from nowchess_uci.evaluation.network cimport Network
from nowchess_uci.search.table cimport Table
from nowchess_uci.search.worker cimport Worker
from nowchess_uci.tablebases.tables cimport Tables

cdef class Pool:
    cdef readonly Table table
    cdef readonly list workers
    cdef public Tables tablebases       # or None; the next search uses them
    cdef readonly Network network
