from nowchess_uci.rules.bits cimport U64, popcount
from nowchess_uci.rules.move cimport Move
from nowchess_uci.rules.position cimport Position
from nowchess_uci.tablebases.tables cimport Tables

# A result for the side to move. Cursed and blessed: the 50-move rule makes a draw of it.
cdef enum:
    LOSS = -2
    BLESSED_LOSS = -1
    TABLE_DRAW = 0
    CURSED_WIN = 1
    WIN = 2

# What the zeroing moves (captures and maybe pawn moves) of a position come to.
cdef struct Zeroing:
    int best            # result of the best one, or below LOSS if there is none
    bint is_all         # there are legal moves, and all of them were looked at
    bint is_known       # a table was missing otherwise

cdef int probe_wdl(Tables tables, Position position, int alpha, int beta) noexcept nogil
cdef int probe_dtz(Tables tables, Position position) noexcept nogil
cdef int dtz_by_moves(Tables tables, Position position, int wdl) noexcept nogil
cdef Zeroing search_zeroing(Tables tables, Position position, bint pawn_moves, int alpha, int beta) noexcept nogil
cdef bint is_zeroing(Position position, Move move) noexcept nogil
cdef bint is_capture(Position position, Move move) noexcept nogil


cdef inline int sign_of(int value) noexcept nogil:
    """1, 0 or -1."""
    return (value > 0) - (value < 0)


cdef inline int dtz_of_zeroing(int wdl) noexcept nogil:
    """The DTZ of a position whose best move is a zeroing one with this result."""
    return sign_of(wdl) * (1 if wdl == WIN or wdl == LOSS else 101)


cdef inline bint can_be_probed(Tables tables, Position position) noexcept nogil:
    """True unless there are too many men, or castling is possible, which tables do not know."""
    return position.state.castling == 0 and popcount(position.occupied()) <= tables.largest
