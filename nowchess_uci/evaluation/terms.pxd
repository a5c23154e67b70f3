# The terms of the evaluation, their weights, and how to add one up.

from nowchess_uci.rules.constants cimport WHITE

# Where each group of weights starts; the weights of a group follow each other.
cdef enum:
    MATERIAL = 0                        # by piece type, king left out
    PLACEMENT = MATERIAL + 5            # by piece type and square, as White sees it
    KNIGHT_MOBILITY = PLACEMENT + 384   # by number of safe squares
    BISHOP_MOBILITY = KNIGHT_MOBILITY + 9
    ROOK_MOBILITY = BISHOP_MOBILITY + 14
    QUEEN_MOBILITY = ROOK_MOBILITY + 15
    KING_PRESSURE = QUEEN_MOBILITY + 28 # by attacker's type (knight to queen) and squares hit near the king, 0 to 7
    PASSED_PAWN = KING_PRESSURE + 32    # by rank, then the next groups too
    PASSED_BLOCKED = PASSED_PAWN + 8
    ISOLATED_PAWN = PASSED_BLOCKED + 8
    DOUBLED_PAWN = ISOLATED_PAWN + 1
    PAWN_SUPPORT = DOUBLED_PAWN + 1     # pawns protected by pawns, by rank
    KING_SHELTER = PAWN_SUPPORT + 8     # own pawns before the king, 0 to 3
    KING_OPEN_FILE = KING_SHELTER + 4
    BISHOP_PAIR = KING_OPEN_FILE + 1
    ROOK_OPEN_FILE = BISHOP_PAIR + 1
    ROOK_HALF_OPEN_FILE = ROOK_OPEN_FILE + 1
    PAWN_THREAT = ROOK_HALF_OPEN_FILE + 1   # by type of the piece a pawn attacks
    MINOR_THREAT = PAWN_THREAT + 5          # by type of the piece a minor attacks
    TEMPO = MINOR_THREAT + 5
    TERMS = TEMPO + 1

# A weight's middlegame and ending value share one number, `65536 * ending + middlegame`: one addition for both.
cdef struct Weights:
    int term[TERMS]
    int piece[6][64]        # material and placement together, as White sees them

cdef struct Sum:
    int score           # White minus Black, both values in one
    short* trace        # how often each weight was used, White minus Black; NULL when playing

cdef Weights weights


cdef inline void add_times(Sum* total, int term, int color, int times) noexcept nogil:
    """Count a term several times for a colour."""
    if color != WHITE:
        times = -times
    total.score += weights.term[term] * times
    if total.trace != NULL:
        total.trace[term] += times


cdef inline void add(Sum* total, int term, int color) noexcept nogil:
    """Count a term once for a colour."""
    add_times(total, term, color, 1)


cdef inline void add_piece(Sum* total, int piece_type, int square, int color) noexcept nogil:
    """Count a piece's material and placement; the square is as its own side sees it."""
    cdef int value = weights.piece[piece_type][square]
    total.score += value if color == WHITE else -value
    if total.trace != NULL:
        total.trace[PLACEMENT + 64 * piece_type + square] += 1 if color == WHITE else -1
        if piece_type < 5:
            total.trace[MATERIAL + piece_type] += 1 if color == WHITE else -1


cdef inline int middle_of(int score) noexcept nogil:
    return <short>(score & 0xFFFF)


cdef inline int end_of(int score) noexcept nogil:
    return (score - middle_of(score)) // 65536
