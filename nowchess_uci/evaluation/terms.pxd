# The terms of the evaluation, their weights, and how to add one up.

from nowchess_uci.rules.constants cimport WHITE

# Where each group of weights starts; the weights of a group follow each other.
cdef enum:
    MATERIAL = 0                        # by piece type, king left out
    PLACEMENT = MATERIAL + 5            # by piece type and square, as its own side sees it
    KNIGHT_MOBILITY = PLACEMENT + 384   # by number of safe squares
    BISHOP_MOBILITY = KNIGHT_MOBILITY + 9
    ROOK_MOBILITY = BISHOP_MOBILITY + 14
    QUEEN_MOBILITY = ROOK_MOBILITY + 15
    OUTPOST = QUEEN_MOBILITY + 28       # a knight, a bishop protected by a pawn where no enemy pawn can attack it
    BISHOP_PAWNS = OUTPOST + 2          # own pawns on the colour of a bishop
    BISHOP_PAIR = BISHOP_PAWNS + 1
    ROOK_OPEN_FILE = BISHOP_PAIR + 1
    ROOK_HALF_OPEN_FILE = ROOK_OPEN_FILE + 1
    ROOK_SEVENTH = ROOK_HALF_OPEN_FILE + 1  # on the seventh rank with the enemy king on the eighth
    KNIGHT_PAWNS = ROOK_SEVENTH + 1         # own pawns beyond five, for each knight, each rook
    ROOK_PAWNS = KNIGHT_PAWNS + 1
    MINOR_BEHIND_PAWN = ROOK_PAWNS + 1
    SPACE = MINOR_BEHIND_PAWN + 1           # safe squares in the own half of the centre
    PASSED_PAWN = SPACE + 1                 # by rank, then the next groups too
    PASSED_BLOCKED = PASSED_PAWN + 8
    PASSED_FREE = PASSED_BLOCKED + 8    # the square before it is empty and not attacked
    PASSED_OWN_KING = PASSED_FREE + 8   # by the king's distance to that square, the more the farther the pawn is
    PASSED_ENEMY_KING = PASSED_OWN_KING + 8
    PASSED_PATH = PASSED_ENEMY_KING + 8 # nothing stands or looks before it, by rank
    PASSED_ROOK_BEHIND = PASSED_PATH + 8    # an own rook, an enemy rook behind it
    PASSED_UNSTOPPABLE = PASSED_ROOK_BEHIND + 2
    ISOLATED_PAWN = PASSED_UNSTOPPABLE + 1
    DOUBLED_PAWN = ISOLATED_PAWN + 1
    BACKWARD_PAWN = DOUBLED_PAWN + 1    # left behind by its neighbours, and it cannot advance safely
    PAWN_SUPPORT = BACKWARD_PAWN + 1    # protected by a pawn, by rank
    PAWN_PHALANX = PAWN_SUPPORT + 8     # beside a pawn, by rank
    KING_SHELTER = PAWN_PHALANX + 8     # rank of the own pawn on a file next to the king's (8), on the king's (8)
    KING_STORM = KING_SHELTER + 16      # and of the enemy pawn
    KING_PRESSURE = KING_STORM + 16     # by attacker's type (knight to queen) and squares hit near the king, 0 to 7
    SAFE_CHECK = KING_PRESSURE + 32     # by type, a check that cannot be taken
    KING_PAWN_ATTACK = SAFE_CHECK + 4   # squares near the king hit by pawns
    KING_WEAK = KING_PAWN_ATTACK + 1    # by attacked squares near the king that only the king defends, 0 to 7
    KING_DANGER = KING_WEAK + 8         # by how much of all that comes together, without and with a queen
    PAWN_THREAT = KING_DANGER + 80      # by type of the piece attacked, then the next groups too
    MINOR_THREAT = PAWN_THREAT + 5
    ROOK_THREAT = MINOR_THREAT + 5
    QUEEN_THREAT = ROOK_THREAT + 5
    KING_THREAT = QUEEN_THREAT + 5
    PUSH_THREAT = KING_THREAT + 5       # pieces that a safe pawn move would attack
    TEMPO = PUSH_THREAT + 1
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
