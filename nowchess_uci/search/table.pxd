from nowchess_uci.rules.bits cimport U64
from nowchess_uci.rules.move cimport Move

cdef enum:
    UPPER = 1       # the true score is at most this
    LOWER = 2       # the true score is at least this
    EXACT = 3

cdef enum:
    CLUSTER_BYTES = 64
    GENERATIONS = 64

# 16 bytes, four to a cache line. `check` is the key xor `data`: two halves written by different threads do not fit
# together, so a torn entry is not found, and no lock is needed.
cdef struct Entry:
    U64 check
    U64 data

# What `data` holds, unpacked.
cdef struct Hit:
    bint found
    Move move
    int score
    int static_score
    int depth
    int bound

cdef class Table:
    cdef Entry* entries
    cdef U64 clusters
    cdef int generation
    cdef object memory
    cdef readonly int size_mib

    cdef void probe(self, U64 key, int ply, Hit* hit) noexcept nogil
    cdef void store(self, U64 key, int ply, Move move, int score, int static_score, int depth, int bound) noexcept nogil
    cdef void prefetch(self, U64 key) noexcept nogil
    cdef Entry* cluster_of(self, U64 key) noexcept nogil
    cdef void new_search(self) noexcept nogil
    cdef int fullness(self) noexcept nogil
    cdef void clear_part(self, int part, int parts) noexcept nogil
