# Scores are centipawns for the side to move; near MATE they count the plies to the mate, and below the mates the plies
# to a position that is won by the tablebases. All fit 16 bits.

cdef enum:
    MAX_PLY = 240           # deepest line, extensions included
    MATE = 32000
    MATE_BOUND = MATE - 2 * MAX_PLY     # beyond this a score is a forced mate; ask the functions below
    TABLEBASE_WIN = MATE_BOUND          # the best that tables alone can say
    DECISIVE_BOUND = TABLEBASE_WIN - 2 * MAX_PLY    # beyond this the game is decided, by mate or by the tables
    SHOWN_WIN = 20000       # centipawns in which a win by the tables is shown, less its plies: GUIs know it so
    INFINITE = 32500
    NO_SCORE = 32600        # no static score: the side to move is in check
    DRAW = 0
    TRUSTED_CLOCK = 90      # from this half-move clock on, scores in the table, which know no clock, are not trusted


cdef inline bint is_win(int score) noexcept nogil:
    """True if the side to move wins by force."""
    return score > DECISIVE_BOUND


cdef inline bint is_loss(int score) noexcept nogil:
    """True if the side to move loses by force."""
    return score < -DECISIVE_BOUND


cdef inline bint is_decisive(int score) noexcept nogil:
    """True if the game is decided by force: such a score counts plies and must not be mixed with centipawns."""
    return is_win(score) or is_loss(score)


cdef inline bint is_mate(int score) noexcept nogil:
    """True if one side mates by force, as the search itself has seen."""
    return score > MATE_BOUND or score < -MATE_BOUND


cdef inline int plies_to_end(int score) noexcept nogil:
    """How many plies away the mate of a decisive score is, or the position that the tables know."""
    return (MATE if is_mate(score) else TABLEBASE_WIN) - abs(score)
