from nowchess_uci.rules.move cimport Move
from nowchess_uci.rules.position cimport Position
from nowchess_uci.tablebases.tables cimport Tables

cdef enum:
    FREE_CLOCK = 20         # until this half-move clock any move that wins in time will do
    NEAR_DRAW = 80          # from this many plies on, the 50-move draw is what the losing side plays for

# How good a move is by the tables.
cdef struct Verdict:
    int dtz                 # plies to the next zeroing move, this one counted; sign and 100s as everywhere
    int result              # LOSS to WIN, clock and repetitions counted
    int rank                # greater is better; the best are as good as each other
    bint is_repetition      # the position after it has been there

# By what the moves of a position were ranked.
cdef enum:
    BY_NOTHING = 0
    BY_WDL = 1
    BY_DTZ = 2

cdef int rank_moves(
    Tables tables, Position position, const Move* moves, int count, bint fifty_moves, Verdict* verdicts
) noexcept nogil
cdef bint judge_by_dtz(Tables tables, Position position, Move move, bint fifty_moves, Verdict* verdict) noexcept nogil
cdef bint judge_by_wdl(Tables tables, Position position, Move move, bint fifty_moves, Verdict* verdict) noexcept nogil
cdef int result_of(int dtz, int clock, bint fifty_moves) noexcept nogil
cdef int rank_of_move(
    Verdict* verdict, int clock, bint fifty_moves, bint must_progress, int longest
) noexcept nogil
cdef bint has_repeated(Position position) noexcept nogil
