from nowchess_uci.rules.move cimport Move
from nowchess_uci.rules.position cimport Position

# A game in a file, little-endian: this head, the random opening's moves, then the plies that were searched.
cdef packed struct GameHead:
    unsigned int number
    unsigned short plies            # searched
    unsigned char opening_plies
    unsigned char end               # how it ended, see End; the result for White in the two lowest bits

cdef packed struct PlyRecord:
    Move move
    short score                     # for the side to move, of the last complete iteration
    unsigned char info

# The bits of `info`.
cdef enum:
    DEPTH_MASK = 31                 # the last complete iteration; 31 stands for more, too
    IN_CHECK = 32
    TACTICAL_MOVE = 64              # the move captures or promotes
    CUT_OFF = 128                   # the hard limit ended the search inside an iteration

# How a game ended; times four, plus the result.
cdef enum End:
    CHECKMATE = 0
    STALEMATE = 1
    DEAD_POSITION = 2
    FIFTY_MOVES = 3
    REPETITION = 4
    JUDGED_WON = 5
    JUDGED_DRAWN = 6
    TOO_LONG = 7

cdef enum:
    BLACK_WON = 0
    DRAWN = 1
    WHITE_WON = 2
    MAX_OPENING_PLIES = 32
    MAX_GAME_PLIES = 600
    SCORE_LIMIT = 2000              # scores beyond are not trained on

# What reading a game may find wrong.
cdef enum:
    GOOD = 0
    TRUNCATED = 1
    BAD_HEAD = 2
    BAD_MOVE = 3
    BAD_FLAG = 4
    BAD_END = 5
    BAD_NUMBER = 6


cdef inline bint is_kept(int info, int score) noexcept nogil:
    """True if a position is worth training on: quiet, and its score no mate and no certain win."""
    return not info & (IN_CHECK | TACTICAL_MOVE) and -SCORE_LIMIT < score < SCORE_LIMIT


# Decides a game before its end, ply by ply.
cdef struct Judge:
    int win_score
    int win_plies
    int draw_score
    int draw_plies
    int draw_from
    int winning         # for how many plies in a row White (positive) or Black (negative) has been
    int level           # for how many plies in a row the game has been

cdef int start_judge(Judge* judge, object judgement) except -1
cdef int judged_end(Judge* judge, int white_score, int ply) noexcept nogil
cdef int end_by_rule(Position position) noexcept nogil


cdef class Replay:
    cdef readonly Position position
    cdef bytes data
    cdef const unsigned char* here
    cdef const unsigned char* stop
    cdef GameHead head
    cdef PlyRecord ply
    cdef int number         # of plies read of the game
    cdef int wrong          # GOOD, or what is

    cdef bint next_game(self) noexcept nogil
    cdef bint next_ply(self) noexcept nogil
    cdef int proven_end(self, int judged) noexcept nogil
    cdef bint has_right_flags(self) noexcept nogil
