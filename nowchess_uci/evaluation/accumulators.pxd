from nowchess_uci.evaluation.network cimport Layers, Network
from nowchess_uci.rules.bits cimport U64
from nowchess_uci.rules.position cimport Position, State

cdef enum:
    RING = 64               # entries, by the number of the state in its position's past
    MOST_STEPS = 8          # further back it is cheaper to begin anew
    BEST_SCORE = 8000       # what the net thinks of a position at most

# The sums of the first layer for the positions of a line; each thread has its own.
cdef struct Accumulators:
    Layers* layers
    short* sums             # of each entry, White's view and then Black's
    void* memory
    U64 keys[RING][2]       # the position whose sums a view of an entry holds

cdef int use_network(Accumulators* accumulators, Network network) except -1
cdef void forget_sums(Accumulators* accumulators) noexcept nogil
cdef int network_score(Position position, Accumulators* accumulators) noexcept nogil
cdef void update_sums(Position position, Accumulators* accumulators) noexcept nogil
cdef short* view_of(Position position, Accumulators* accumulators, int view) noexcept nogil
cdef void follow_move(
    Accumulators* accumulators, const State* state, const short* before, int view, int turn, short* after
) noexcept nogil
cdef void begin_anew(Position position, Layers* layers, int view, short* sums) noexcept nogil
cdef bint turns_view(const State* state, int view) noexcept nogil
