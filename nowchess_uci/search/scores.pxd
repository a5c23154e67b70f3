# Scores are centipawns for the side to move; near MATE they count the plies to the mate. All fit 16 bits.

cdef enum:
    MAX_PLY = 240           # deepest line, extensions included
    MATE = 32000
    MATE_BOUND = MATE - 2 * MAX_PLY     # beyond this a score is a forced mate; ask the functions below
    INFINITE = 32500
    NO_SCORE = 32600        # no static score: the side to move is in check
    DRAW = 0
    TRUSTED_CLOCK = 90      # from this half-move clock on, scores in the table, which know no clock, are not trusted


cdef inline bint is_win(int score) noexcept nogil:
    """True if the side to move mates by force."""
    return score > MATE_BOUND


cdef inline bint is_loss(int score) noexcept nogil:
    """True if the side to move is mated by force."""
    return score < -MATE_BOUND


cdef inline bint is_decisive(int score) noexcept nogil:
    """True if the game is decided by force: such a score counts plies and must not be mixed with centipawns."""
    return is_win(score) or is_loss(score)


cdef inline int plies_to_mate(int score) noexcept nogil:
    """How many plies away the mate of a decisive score is."""
    return MATE - abs(score)
