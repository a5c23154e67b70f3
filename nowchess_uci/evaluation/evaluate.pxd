from nowchess_uci.rules.bits cimport U64
from nowchess_uci.rules.position cimport Position

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

cdef enum:
    FULL_PHASE = 24     # both sides with all pieces: minors count 1, rooks 2, queens 4

cdef struct Sum:
    int middle
    int end
    short* trace        # how often each weight was used, White minus Black; NULL when playing

cdef int evaluate(Position position) noexcept nogil
cdef int game_phase(Position position) noexcept nogil
cdef void sum_terms(Position position, Sum* total) noexcept nogil
cdef void add_pawns(Position position, int color, Sum* total) noexcept nogil
cdef void add_pieces(Position position, int color, Sum* total) noexcept nogil
cdef void add_king(Position position, int color, Sum* total) noexcept nogil
cdef int scaled(Position position, int middle, int end) noexcept nogil
cdef int end_scale(Position position, int strong) noexcept nogil
