from nowchess_uci.evaluation.terms cimport Sum
from nowchess_uci.rules.bits cimport U64
from nowchess_uci.rules.position cimport Position

# Who attacks what, collected while the pieces are counted.
cdef struct Reach:
    U64 by_type[2][6]       # squares attacked, by colour and piece type
    U64 all[2]              # by any piece of a colour
    U64 twice[2]            # by at least two of them
    int danger[2]           # how much of a colour's force looks at the enemy king

cdef void start_reach(Position position, Reach* reach) noexcept nogil
cdef void add_pieces(Position position, int color, Sum* total, Reach* reach) noexcept nogil
cdef void add_threats(Position position, int color, Sum* total, Reach* reach) noexcept nogil
cdef void add_victims(Position position, U64 victims, int term, int color, Sum* total) noexcept nogil
