from nowchess_uci.vectors cimport Kernel

cdef enum:
    FEATURES = 768          # six types of either colour on 64 squares
    ACTIVE_UNITS = 181      # an activation of 1: its square just fits 16 bits
    FIRST_SHIFT = 2
    FIRST_UNITS = ACTIVE_UNITS << FIRST_SHIFT   # a weight of 1 in the first layer
    MOST_SQUARES = 2048     # of both sides, with as many neurons as a file may have
    MOST_PIECES = 32

# A network as the kernels see it.
cdef struct Layers:
    int neurons             # a multiple of 16
    int buckets
    long long scale         # centipawns for an output of 1
    long long units         # an output of 1 in the sums of the second layer
    short* first            # a row for each feature
    short* biases
    short* second           # a row for each bucket: the side to move, then the other
    int* second_biases


cdef class Network:
    cdef Layers layers
    cdef void* memory
    cdef readonly str digest
    cdef int prove(self, str name) except -1


cdef inline int feature_of(int view, int piece, int square, int turn) noexcept nogil:
    """A piece on a square as one side sees it: own pieces first, the board turned as `turn_of` says."""
    return 384 * ((piece & 1) ^ view) + 64 * (piece >> 1) + (square ^ turn)


cdef inline int turn_of(int view, int king) noexcept nogil:
    """How a side's view is turned: Black's upside down, each mirrored so that its own king is on the e- to h-file."""
    return (56 if view else 0) ^ (0 if king & 4 else 7)


cdef Kernel sum_rows(const short* biases, short** rows, int count, int width, short* sums) noexcept nogil
cdef Kernel move_row(const short* before, const short* gone, const short* come, int width, short* after) noexcept nogil
cdef Kernel move_and_take(
    const short* before, const short* gone, const short* taken, const short* come, int width, short* after
) noexcept nogil
cdef Kernel squared_product(const short* own, const short* other, const short* weights, int width) noexcept nogil
