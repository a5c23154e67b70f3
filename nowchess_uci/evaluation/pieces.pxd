from nowchess_uci.evaluation.terms cimport Sum
from nowchess_uci.rules.attacks cimport tables
from nowchess_uci.rules.bits cimport U64, bit
from nowchess_uci.rules.constants cimport file_of, rank_of
from nowchess_uci.rules.position cimport Position

# Who attacks what, collected while the pieces are counted.
cdef struct Reach:
    U64 by_type[2][6]       # squares attacked, by colour and piece type
    U64 all[2]              # by any piece of a colour
    U64 twice[2]            # by at least two of them
    int danger[2]           # units of danger from pieces that look at the enemy king; 0 if none does

cdef void start_reach(Position position, Reach* reach) noexcept nogil
cdef void add_pieces(Position position, int color, Sum* total, Reach* reach) noexcept nogil
cdef void add_threats(Position position, int color, Sum* total, Reach* reach) noexcept nogil
cdef void add_victims(Position position, U64 victims, int term, int color, Sum* total) noexcept nogil


cdef inline U64 king_zone(int king) noexcept nogil:
    """The nine squares around a king; around its neighbour if it stands on the edge."""
    cdef int file = min(max(file_of(king), 1), 6)
    cdef int rank = min(max(rank_of(king), 1), 6)
    cdef int middle = 8 * rank + file
    return tables.king[middle] | bit(middle)
