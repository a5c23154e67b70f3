from nowchess_uci.evaluation.accumulators cimport Accumulators
from nowchess_uci.evaluation.network cimport Network
from nowchess_uci.rules.bits cimport U64, prefetch_line
from nowchess_uci.rules.constants cimport BLACK, WHITE
from nowchess_uci.rules.move cimport NO_MOVE, Move, origin_of, target_of
from nowchess_uci.rules.position cimport Position, State
from nowchess_uci.search.scores cimport MAX_PLY, NO_SCORE
from nowchess_uci.search.shared cimport load_int
from nowchess_uci.search.table cimport Table
from nowchess_uci.tablebases.tables cimport Tables

cimport cython

cdef enum:
    HISTORY_LIMIT = 16384
    PAWN_SLOTS = 512
    CORRECTION_SLOTS = 16384
    CORRECTION_LIMIT = 1024
    CORRECTION_STEP = 256       # what one result changes at most
    CHECK_INTERVAL = 1024       # nodes between two looks at the clock
    FIRST_NODES = 4096          # even a search stopped at once may look at so many

# What all threads of one search look at; all but `node_limit` may change meanwhile: read and write them by `shared`.
cdef struct Signals:
    int stop
    int pondering       # the clock does not count yet
    double deadline     # hard limit, in seconds of the monotonic clock
    U64 node_limit

# Told of every position that the evaluation was asked about, with its score for the side to move.
ctypedef void (*StaticWatcher)(void* context, Position position, int score) noexcept nogil

# What was learnt about moves: higher is better. Indexed by piece and target unless said otherwise.
cdef struct Histories:
    short quiet[2][2][2][4096]      # by colour, whether origin and target are attacked, origin and target
    short capture[768][6]           # and by victim
    short continuation[768][768]    # by an earlier move, then by this one
    short pawn[PAWN_SLOTS][768]     # by the placement of all pawns
    # How wrong the static score was: by side to move for such pawns and for such pieces of either colour, and after the
    # last two moves.
    short pawn_correction[2][CORRECTION_SLOTS]
    short piece_correction[2][2][CORRECTION_SLOTS]
    short line_correction[768][768]

# What a line of the search remembers of each ply.
cdef struct Ply:
    Move move               # the move made from here
    int slot                # its piece and target, index of the continuation history
    int static_score
    U64 attacked            # squares that the enemy attacks; known where quiet moves are tried
    Move killer
    int cutoffs             # of the children of the node before, so far
    Move excluded           # the move left out to see whether it is singular

cdef struct RootMove:
    Move move
    int score
    bint is_exact           # the score was found in this iteration, and is no bound
    int previous_score
    int rank                # by the tablebases; greater ones are searched first, and alone
    int table_score         # likewise, or NO_SCORE
    int selective_depth
    U64 nodes
    int pv_length
    Move pv[MAX_PLY + 1]


cdef inline int slot_of(int piece, Move move) noexcept nogil:
    """Piece and target as one index."""
    return 64 * piece + target_of(move)


@cython.final
cdef class Worker:
    cdef readonly Position position
    cdef readonly Table table
    cdef Tables tablebases      # or None
    cdef int probe_men          # look positions of so many men up, 0 for none
    cdef int probe_depth        # those of exactly so many only from this depth on
    cdef bint counts_fifty_moves
    cdef Signals* signals
    cdef Histories* histories
    cdef Accumulators memory    # the evaluation's
    cdef readonly Network network   # the one it holds
    cdef Ply plies[MAX_PLY + 8]
    cdef Move pv[MAX_PLY + 2][MAX_PLY + 2]
    cdef int pv_length[MAX_PLY + 2]
    cdef RootMove* root_moves
    cdef int root_count
    cdef U64 nodes
    cdef U64 told_nodes     # the same, as other threads see it: a little late
    cdef U64 table_hits     # positions found in the tablebases
    cdef U64 told_table_hits
    cdef U64 next_check
    cdef int selective_depth
    cdef int root_depth
    cdef int number         # 0 is the one that watches the clock
    cdef double chatty_from     # when to start telling of root moves and bounds
    cdef object on_root_move    # called with depth, move and number; None if nobody listens
    cdef object on_bound        # called with a line's number and the kind of bound; likewise
    cdef StaticWatcher on_static    # for making training data; NULL otherwise
    cdef void* static_context       # its first argument
    cdef bint is_mating     # the root has a lone king in it
    cdef int null_guard     # no null move before this ply, while one is being verified

    cdef inline Ply* at(self, int ply) noexcept nogil:
        """The record of a ply; a few negative plies are there too, empty."""
        return &self.plies[ply + 4]

    cdef inline bint stopped(self) noexcept nogil:
        """True if the search has to end. The first iteration goes on, so that there is a move to play."""
        return load_int(&self.signals.stop) != 0 and (self.root_depth > 1 or self.nodes > FIRST_NODES)

    cdef inline bint ends_here(self) noexcept nogil:
        """Look at the clock; True if the search has to end."""
        self.look_at_clock()
        return self.stopped()

    cdef inline bint is_improving(self, int ply) noexcept nogil:
        """True if the static score has risen since the same side's last move, or the one before if that was in check."""
        cdef int before = self.at(ply - 2).static_score
        if before == NO_SCORE:
            before = self.at(ply - 4).static_score
        return before != NO_SCORE and self.at(ply).static_score > before

    cdef inline int quiet_score(self, Move move, int ply) noexcept nogil:
        """How well a quiet move has done: by itself, among such pawns, and as an answer to moves one, two and four
        plies ago."""
        cdef int slot = slot_of(self.position.board[origin_of(move)], move)
        return (
            self.plain_history(move, ply)[0]
            + self.histories.pawn[self.position.state.pawn_key & (PAWN_SLOTS - 1)][slot]
            + self.histories.continuation[self.at(ply - 1).slot][slot]
            + self.histories.continuation[self.at(ply - 2).slot][slot]
            + self.histories.continuation[self.at(ply - 4).slot][slot] // 2
        )

    cdef inline short* plain_history(self, Move move, int ply) noexcept nogil:
        """How well a quiet move has done by itself: flights and moves into danger apart from the others."""
        cdef U64 attacked = self.at(ply).attacked
        return &self.histories.quiet[self.position.side][attacked >> origin_of(move) & 1][
            attacked >> target_of(move) & 1
        ][move & 4095]

    cdef inline short* pawn_correction(self) noexcept nogil:
        """How wrong the static score was with such pawns."""
        return &self.histories.pawn_correction[self.position.side][
            self.position.state.pawn_key & (CORRECTION_SLOTS - 1)
        ]

    cdef inline short* piece_correction(self, int color) noexcept nogil:
        """How wrong the static score was with such pieces of one colour."""
        return &self.histories.piece_correction[self.position.side][color][
            self.position.state.piece_key[color] & (CORRECTION_SLOTS - 1)
        ]

    cdef inline short* line_correction(self) noexcept nogil:
        """How wrong the static score was after the last two moves; one entry for all where there are no two."""
        cdef State* state = self.position.state
        if self.position.ply() < 2 or state.move == NO_MOVE or (state - 1).move == NO_MOVE:
            return &self.histories.line_correction[0][0]
        return &self.histories.line_correction[slot_of((state - 1).moved, (state - 1).move)][
            slot_of(state.moved, state.move)
        ]

    cdef inline void prefetch_corrections(self) noexcept nogil:
        """Ask the memory for what `correction` will look at: 5 % more nodes per second."""
        prefetch_line(self.pawn_correction())
        prefetch_line(self.piece_correction(WHITE))
        prefetch_line(self.piece_correction(BLACK))
        prefetch_line(self.line_correction())

    cdef inline int end_of_rank(self, int first) noexcept nogil:
        """The number after the last root move of the same rank; all have the same if no tablebase knows them."""
        cdef int index = first
        while index < self.root_count and self.root_moves[index].rank == self.root_moves[first].rank:
            index += 1
        return index

    cdef int use_network(self, Network network) except -1
    cpdef void forget(self) noexcept nogil
    cdef void start(self) noexcept nogil
    cdef void make(self, Move move, int ply) noexcept nogil
    cdef void look_at_clock(self) noexcept nogil
    cdef void tell_root_move(self, Move move, int number) noexcept nogil
    cdef void tell_bound(self, int number, bint is_lower) noexcept nogil
    cdef void save_pv(self, int ply, Move move) noexcept nogil
    cdef int capture_score(self, Move move) noexcept nogil
    cdef void learn_quiet(self, Move move, int ply, int bonus) noexcept nogil
    cdef void learn_answer(self, int slot, int ply, int bonus) noexcept nogil
    cdef void learn_capture(self, Move move, int bonus) noexcept nogil
    cpdef int correction(self) noexcept nogil
    cpdef void learn_correction(self, int error, int depth) noexcept nogil
