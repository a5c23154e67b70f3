from nowchess_uci.evaluation.accumulators cimport Accumulators
from nowchess_uci.evaluation.network cimport Network
from nowchess_uci.evaluation.pawns cimport PAWN_SLOTS, PawnEntry
from nowchess_uci.evaluation.pieces cimport Reach
from nowchess_uci.evaluation.terms cimport Sum
from nowchess_uci.rules.bits cimport U64
from nowchess_uci.rules.position cimport Position

cdef enum:
    FULL_PHASE = 24     # both sides with all pieces: minors count 1, rooks 2, queens 4
    HARDLY_WON = 16     # 64ths: endings with a smaller scale are drawn, whatever a network thinks
    KNOWN_WIN = 500     # centipawns on top of the material that can mate a lone king

# What the evaluation keeps from one call to the next; each thread has its own.
cdef struct Memory:
    PawnEntry pawns[PAWN_SLOTS]
    Accumulators accumulators

cdef int evaluate(Position position, Memory* memory) noexcept nogil
cdef int score_by_hand(Position position, Memory* memory) noexcept nogil
cdef int with_endings(Position position, int score) noexcept nogil
cdef int game_phase(Position position) noexcept nogil
cdef void sum_terms(Position position, Sum* total, Memory* memory) noexcept nogil
cdef void add_passed(Position position, U64 passed, int color, Sum* total, Reach* reach) noexcept nogil
cdef bint outruns_king(Position position, int square, int rank, int color) noexcept nogil
cdef int blended(Position position, int middle, int end) noexcept nogil


cdef class Evaluator:
    cdef Memory* memory
    cdef readonly Network network
