# Scores are centipawns for the side to move; near MATE they count the plies to the mate. All fit 16 bits.

cdef enum:
    MAX_PLY = 240           # deepest line, extensions included
    MATE = 32000
    MATE_BOUND = MATE - 2 * MAX_PLY     # beyond this a score is a forced mate
    INFINITE = 32500
    NO_SCORE = 32600        # no static score: the side to move is in check
    DRAW = 0
    TRUSTED_CLOCK = 90      # from this half-move clock on, scores in the table, which know no clock, are not trusted
