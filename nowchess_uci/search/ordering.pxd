from nowchess_uci.rules.constants cimport EMPTY, MAX_MOVES
from nowchess_uci.rules.move cimport CASTLING, EN_PASSANT, PROMOTION, Move, kind_of, target_of
from nowchess_uci.search.worker cimport Worker

# The order in which a picker hands out moves.
cdef enum:
    TABLE_MOVE = 0
    START_TACTICAL = 1
    GOOD_TACTICAL = 2
    KILLER = 3
    START_QUIET = 4
    GOOD_QUIET = 5
    BAD_TACTICAL = 6
    FINISHED = 7

cdef struct Picker:
    int stage
    int ply
    bint tactical_only      # quiescence: no quiet moves, no losing captures
    bint skip_quiets        # set by the search when only captures are still worth it
    Move table_move
    Move killer
    int next
    int count
    int bad_count           # losing captures, kept at the front of `moves` for the end
    int exchange_margin     # what a good capture may lose
    Move moves[MAX_MOVES]
    int scores[MAX_MOVES]

cdef void start_picker(Worker worker, Picker* picker, int ply, Move table_move, bint tactical_only) noexcept nogil
cdef Move pick(Worker worker, Picker* picker) noexcept nogil
cdef void score_tactical(Worker worker, Picker* picker) noexcept nogil
cdef void score_quiets(Worker worker, Picker* picker) noexcept nogil
cdef Move next_best(Picker* picker) noexcept nogil


cdef inline bint is_tactical(Worker worker, Move move) noexcept nogil:
    """True if the move captures or promotes."""
    cdef int kind = kind_of(move)
    return kind == PROMOTION or kind == EN_PASSANT or (
        kind != CASTLING and worker.position.board[target_of(move)] != EMPTY
    )
