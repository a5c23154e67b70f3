cimport cython

from nowchess_uci.rules.bits cimport U64, high_half, prefetch_line
from nowchess_uci.rules.move cimport Move

cdef enum:
    UPPER = 1       # the true score is at most this
    LOWER = 2       # the true score is at least this
    EXACT = 3

cdef enum:
    CLUSTER_BYTES = 64
    GENERATIONS = 32


cdef inline int bound_of(int score, int alpha, int beta) noexcept nogil:
    """What a search with this window has proven by its score."""
    return LOWER if score >= beta else (EXACT if score > alpha else UPPER)


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
    bint was_pv         # the position was on a principal variation, or of interest to one


@cython.final
cdef class Table:
    cdef Entry* entries
    cdef U64 clusters
    cdef int generation
    cdef bint is_empty          # nothing was searched since it was made or cleared
    cdef object memory
    cdef readonly int size_mib

    cdef void probe(self, U64 key, int ply, int clock, Hit* hit) noexcept nogil
    cdef void store(
        self, U64 key, int ply, Move move, int score, int static_score, int depth, int bound, bint was_pv
    ) noexcept nogil
    cdef void new_search(self) noexcept nogil
    cdef int fullness(self) noexcept nogil
    cdef void clear_part(self, int part, int parts) noexcept nogil

    cdef inline Entry* cluster_of(self, U64 key) noexcept nogil:
        """The four entries where a key may be; the product spreads keys evenly over any table size."""
        return self.entries + 4 * high_half(key, self.clusters)

    cdef inline void prefetch(self, U64 key) noexcept nogil:
        """Ask the memory for a key's cache line ahead of its use."""
        prefetch_line(self.cluster_of(key))
