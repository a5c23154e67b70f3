cimport cython

from nowchess_uci.rules.attacks cimport bishop_attacks, rook_attacks, tables
from nowchess_uci.rules.bits cimport U64, lsb
from nowchess_uci.rules.constants cimport BISHOP, EMPTY, KING, KNIGHT, PAWN, QUEEN, ROOK
from nowchess_uci.rules.move cimport Move, origin_of, target_of
from nowchess_uci.rules.zobrist cimport keys

# What a move changes and unmake cannot work out backwards, plus what every node asks for.
cdef struct State:
    U64 key
    U64 pawn_key
    U64 piece_key[2]        # by colour, pawns left out
    U64 checkers            # enemy pieces that give check to the side to move
    U64 pinned              # pieces of the side to move that shield their king
    int half_move_clock
    unsigned char castling
    unsigned char en_passant    # a square only if a legal capture exists, else NO_SQUARE
    unsigned char captured      # piece taken by the move that led here, or EMPTY
    unsigned char moved         # the piece that made it, a pawn if it promoted; means nothing without a move
    Move move                   # that move; NO_MOVE for the first position and after a null move


@cython.final
cdef class Position:
    cdef U64 by_type[6]
    cdef U64 by_color[2]
    cdef unsigned char board[64]
    cdef readonly int side
    cdef readonly int full_move_number
    cdef readonly bint chess960
    cdef unsigned char castling_rook[4]     # the rook's square, by `2 * colour + side`
    cdef U64 castling_path[4]               # squares that must be empty
    cdef U64 castling_walk[4]               # squares the king crosses or ends on
    cdef unsigned char castling_kept[64]    # rights that survive a move from or to a square
    cdef State* state                       # the current position's
    cdef State* first                       # the oldest one's, start of the stack
    cdef int capacity

    cdef void make(self, Move move) noexcept nogil
    cdef void unmake(self) noexcept nogil
    cdef void make_null(self) noexcept nogil
    cdef void unmake_null(self) noexcept nogil
    cdef int reserve(self, int plies) except -1
    cdef bint is_en_passant_legal(self, int origin, int target, int color) noexcept nogil
    cdef void put(self, int piece, int square) noexcept nogil
    cdef void take(self, int piece, int square) noexcept nogil
    cdef void find_checks(self) noexcept nogil
    cdef void offer_en_passant(self, int target) noexcept nogil
    cdef void make_castling(self, Move move) noexcept nogil
    cdef void unmake_castling(self, Move move) noexcept nogil
    cdef int add_castling(self, int color, int rook) noexcept nogil
    cdef void find_keys(self) noexcept nogil
    cpdef U64 attacked_by(self, int color) noexcept nogil

    cdef inline U64 occupied(self) noexcept nogil:
        return self.by_color[0] | self.by_color[1]

    cdef inline int king_square(self, int color) noexcept nogil:
        return lsb(self.by_type[KING] & self.by_color[color])

    cdef inline U64 likely_key(self, Move move) noexcept nogil:
        """The key after a move, castling rights and special moves left aside: seldom wrong, and known before it."""
        cdef int origin = origin_of(move)
        cdef int target = target_of(move)
        cdef int piece = self.board[origin]
        cdef U64 key = self.state.key ^ keys.black_to_move ^ keys.piece[piece][origin] ^ keys.piece[piece][target]
        if self.board[target] != EMPTY:
            key ^= keys.piece[self.board[target]][target]
        return key ^ keys.en_passant[self.state.en_passant]

    cdef inline int ply(self) noexcept nogil:
        return <int>(self.state - self.first)

    cdef inline U64 attackers(self, int square, U64 occupied) noexcept nogil:
        """Pieces of both colours that attack `square`, sliders seen through `occupied`."""
        return (
            (tables.pawn[0][square] & self.by_type[PAWN] & self.by_color[1])
            | (tables.pawn[1][square] & self.by_type[PAWN] & self.by_color[0])
            | (tables.knight[square] & self.by_type[KNIGHT])
            | (tables.king[square] & self.by_type[KING])
            | (bishop_attacks(square, occupied) & (self.by_type[BISHOP] | self.by_type[QUEEN]))
            | (rook_attacks(square, occupied) & (self.by_type[ROOK] | self.by_type[QUEEN]))
        )

    cdef inline bint is_attacked(self, int square, int by_color, U64 occupied) noexcept nogil:
        cdef U64 enemy = self.by_color[by_color]
        return (
            (tables.pawn[by_color ^ 1][square] & enemy & self.by_type[PAWN]) != 0
            or (tables.knight[square] & enemy & self.by_type[KNIGHT]) != 0
            or (tables.king[square] & enemy & self.by_type[KING]) != 0
            or (bishop_attacks(square, occupied) & enemy & (self.by_type[BISHOP] | self.by_type[QUEEN])) != 0
            or (rook_attacks(square, occupied) & enemy & (self.by_type[ROOK] | self.by_type[QUEEN])) != 0
        )
