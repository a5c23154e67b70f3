# The terms of the evaluation, their weights, and how to add one up.

from nowchess_uci.rules.constants cimport WHITE, file_of

# Where each group of weights starts; the weights of a group follow each other.
cdef enum:
    MATERIAL = 0                        # by piece type, king left out
    # By piece type and square, as its own side sees it; all but the king's mirrored so that a king is on the right:
    PLACEMENT = MATERIAL + 5            # the enemy king for knight to queen, the own one for pawns
    SECOND_PLACEMENT = PLACEMENT + 384  # and the other way round, king left out
    KNIGHT_MOBILITY = SECOND_PLACEMENT + 320    # by number of safe squares
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
    MINOR_KING_DISTANCE = SPACE + 1         # a knight's, a bishop's distance from its king
    PASSED_PAWN = MINOR_KING_DISTANCE + 2   # by rank, then the next groups too
    PASSED_BLOCKED = PASSED_PAWN + 8
    PASSED_FREE = PASSED_BLOCKED + 8    # the square before it is empty and not attacked
    PASSED_OWN_KING = PASSED_FREE + 8   # by the king's distance to that square, the more the farther the pawn is
    PASSED_ENEMY_KING = PASSED_OWN_KING + 8
    PASSED_PATH = PASSED_ENEMY_KING + 8 # nothing stands or looks before it, by rank
    PASSED_ROOK_BEHIND = PASSED_PATH + 8    # an own rook, an enemy rook behind it
    PASSED_UNSTOPPABLE = PASSED_ROOK_BEHIND + 2
    # Pawn structure; where two stand for one, the second is for a pawn with an enemy pawn before it on its file.
    ISOLATED_PAWN = PASSED_UNSTOPPABLE + 1  # twice
    DOUBLED_PAWN = ISOLATED_PAWN + 2
    BACKWARD_PAWN = DOUBLED_PAWN + 1    # twice; left behind by its neighbours, and it cannot advance safely
    PAWN_SUPPORT = BACKWARD_PAWN + 2    # twice; protected by a pawn, by rank
    PAWN_PHALANX = PAWN_SUPPORT + 16    # twice; beside a pawn, by rank
    BLOCKED_PAWN = PAWN_PHALANX + 16    # by an enemy pawn, by rank
    CANDIDATE_PAWN = BLOCKED_PAWN + 8   # no enemy pawn on its file, and enough helpers to become passed, by rank
    PASSED_CONNECTED = CANDIDATE_PAWN + 8   # another passed pawn on a file beside it, by rank
    KING_SHELTER = PASSED_CONNECTED + 8 # rank of the own pawn on a file next to the king's (8), on the king's (8)
    KING_STORM = KING_SHELTER + 16      # and of the enemy pawn
    KING_PAWNS = KING_STORM + 16        # by the king's distance to the nearest pawn of any colour
    KING_PRESSURE = KING_PAWNS + 8      # by attacker's type (knight to queen) and squares hit near the king, 0 to 7
    PAWN_THREAT = KING_PRESSURE + 32    # by type of the piece attacked, then the next groups too
    MINOR_THREAT = PAWN_THREAT + 5
    ROOK_THREAT = MINOR_THREAT + 5
    QUEEN_THREAT = ROOK_THREAT + 5
    KING_THREAT = QUEEN_THREAT + 5
    PUSH_THREAT = KING_THREAT + 5       # pieces that a safe pawn move would attack
    RESTRICTED = PUSH_THREAT + 1        # squares where both fight and the enemy does not hold sway
    TEMPO = RESTRICTED + 1
    # Danger for the enemy king. The middlegame values are units, and the square of their sum counts: see king.py.
    DANGER = TEMPO + 1                      # some piece looks at the squares around it
    DANGER_ATTACKER = DANGER + 1            # each piece that does, knight to queen
    DANGER_HIT = DANGER_ATTACKER + 4        # each of those squares, for each piece that attacks it
    DANGER_WEAK = DANGER_HIT + 1            # attacked, and not defended but by the king or the queen
    DANGER_DEFENDED = DANGER_WEAK + 1       # defended by more than the king
    DANGER_PAWN_HIT = DANGER_DEFENDED + 1   # attacked by a pawn
    DANGER_CHECK = DANGER_PAWN_HIT + 1      # a check that cannot be taken, by type
    DANGER_UNSAFE_CHECK = DANGER_CHECK + 4  # one that can, any type
    DANGER_NO_QUEEN = DANGER_UNSAFE_CHECK + 1
    DANGER_OPEN_FILE = DANGER_NO_QUEEN + 1  # the king's file and its neighbours without a pawn of its own
    DANGER_GUARD = DANGER_OPEN_FILE + 1     # a knight of its own covers a square around it
    DANGER_FLANK = DANGER_GUARD + 1         # squares attacked on the king's side of the board, and defended there
    TERMS = DANGER_FLANK + 2
    DANGER_DIVISOR = 1024                   # squared units in a centipawn

# A weight's middlegame and ending value share one number, `65536 * ending + middlegame`: one addition for both.
cdef struct Weights:
    int term[TERMS]
    int piece[5][64]        # material and placement together

cdef struct Sum:
    int score           # White minus Black, both values in one
    short* trace        # how often each weight was used, White minus Black; NULL when playing
    short* danger       # the same for the units of danger, White's attack, then Black's

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


cdef inline int view(int king, int color) noexcept nogil:
    """What turns a square into the one that a colour sees there, mirrored so that the king is on the right."""
    return (0 if color == WHITE else 56) | (7 if file_of(king) < 4 else 0)


cdef inline void add_piece(Sum* total, int piece_type, int square, int second, int color) noexcept nogil:
    """Count a piece's material and placement, all but the king's; both squares as terms.pxd says."""
    cdef int value = weights.piece[piece_type][square] + weights.term[SECOND_PLACEMENT + 64 * piece_type + second]
    cdef int sign = 1 if color == WHITE else -1
    total.score += value if color == WHITE else -value
    if total.trace != NULL:
        total.trace[MATERIAL + piece_type] += sign
        total.trace[PLACEMENT + 64 * piece_type + square] += sign
        total.trace[SECOND_PLACEMENT + 64 * piece_type + second] += sign


cdef inline short* trace_of_danger(Sum* total, int color) noexcept nogil:
    """Where the units of one side's attack are noted; NULL when playing."""
    return NULL if total.danger == NULL else total.danger + TERMS * color


cdef inline int units(int term, int times, short* trace) noexcept nogil:
    """What a term adds to the danger for a king."""
    if trace != NULL:
        trace[term] += times
    return weights.term[term] * times


cdef inline int middle_of(int score) noexcept nogil:
    return <short>(score & 0xFFFF)


cdef inline int end_of(int score) noexcept nogil:
    return (score - middle_of(score)) // 65536
