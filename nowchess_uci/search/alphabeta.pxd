from nowchess_uci.rules.move cimport Move
from nowchess_uci.rules.position cimport Position
from nowchess_uci.search.worker cimport Worker

cdef enum:
    NO_CUTOFF = 32700       # a sub-search that decided nothing
    MAX_TRIED = 64          # moves of a kind that are remembered; later ones teach little

# The moves that a node has searched without a cutoff, in their order.
cdef struct Tried:
    int quiet_count
    int capture_count
    Move quiets[MAX_TRIED]
    Move captures[MAX_TRIED]

cdef int search(Worker worker, Position position, int alpha, int beta, int depth, int ply, bint cut_node) noexcept nogil
cdef int search_root(Worker worker, Position position, int alpha, int beta, int depth, int first) noexcept nogil
cdef int try_null_move(Worker worker, Position position, int beta, int depth, int ply, int score, bint cut_node) noexcept nogil
cdef int try_probcut(
    Worker worker, Position position, int beta, int depth, int ply, Move table_move, int raw, bint cut_node, bint was_pv
) noexcept nogil
cdef int search_without(Worker worker, Move move, int limit, int depth, int ply, bint cut_node) noexcept nogil
cdef void learn_from_cutoff(Worker worker, Move best, Tried* tried, int depth, int ply) noexcept nogil
cdef bint has_pieces(Position position) noexcept nogil


cdef inline void note_tried(Tried* tried, Move move, bint quiet) noexcept nogil:
    """Remember a move that did not cut off."""
    if quiet:
        if tried.quiet_count < MAX_TRIED:
            tried.quiets[tried.quiet_count] = move
            tried.quiet_count += 1
    elif tried.capture_count < MAX_TRIED:
        tried.captures[tried.capture_count] = move
        tried.capture_count += 1
