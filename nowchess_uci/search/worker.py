"""One thread's view of the search: its position, its line, and what it has learnt about moves.

Owns the histories and their updates. The search itself is in `alphabeta` and `quiescence`, which work on it.
"""
# mypy: disable-error-code="attr-defined"

import cython
from cython.cimports.cpython.time import monotonic
from cython.cimports.libc.stdlib import calloc, free
from cython.cimports.libc.string import memset
from cython.cimports.nowchess_uci.evaluation.accumulators import update_sums, use_network
from cython.cimports.nowchess_uci.evaluation.endings import is_lone_king
from cython.cimports.nowchess_uci.evaluation.network import Network
from cython.cimports.nowchess_uci.rules.constants import (
    BLACK,
    EMPTY,
    MAX_MOVES,
    PAWN,
    WHITE,
    type_of,
)
from cython.cimports.nowchess_uci.rules.move import EN_PASSANT, Move, kind_of, origin_of, target_of
from cython.cimports.nowchess_uci.rules.position import Position
from cython.cimports.nowchess_uci.search.scores import NO_SCORE
from cython.cimports.nowchess_uci.search.shared import load_double, load_int, store_int, store_u64
from cython.cimports.nowchess_uci.search.table import Table
from cython.cimports.nowchess_uci.search.worker import (
    CHECK_INTERVAL,
    CORRECTION_LIMIT,
    CORRECTION_STEP,
    HISTORY_LIMIT,
    PAWN_SLOTS,
    Histories,
    RootMove,
    slot_of,
)


class Worker:
    """Everything one thread needs to search."""

    def __cinit__(self, table: Table, number: cython.int, network: Network) -> None:
        self.table = table
        self.number = number
        self.position = Position()
        self.histories = cython.cast(cython.pointer[Histories], calloc(1, cython.sizeof(Histories)))
        self.root_moves = cython.cast(cython.pointer[RootMove], calloc(MAX_MOVES, cython.sizeof(RootMove)))
        if self.histories == cython.NULL or self.root_moves == cython.NULL:
            raise MemoryError("no memory for a search thread")
        self.forget()  # the system gives the pages now, not one by one in the search
        self.use_network(network)
        self.on_static = cython.NULL
        self.static_context = cython.NULL

    def __dealloc__(self) -> None:
        free(self.histories)
        free(self.root_moves)
        free(self.memory.memory)

    def use_network(self, network: Network) -> cython.int:
        """Evaluate with another network; only the first may raise MemoryError. No search is running."""
        use_network(cython.address(self.memory), network)
        self.network = network
        return 0

    def forget(self) -> cython.void:
        """Start a new game: what was learnt in the last one is gone."""
        memset(self.histories, 0, cython.sizeof(Histories))

    def start(self) -> cython.void:
        """Make ready for a search of the position, which has room for MAX_PLY + 8 more moves; signals are set."""
        self.nodes = 0
        store_u64(cython.address(self.told_nodes), 0)
        self.table_hits = 0
        store_u64(cython.address(self.told_table_hits), 0)
        self.next_check = CHECK_INTERVAL if self.signals.node_limit > CHECK_INTERVAL else self.signals.node_limit
        self.null_guard = 0
        self.is_mating = is_lone_king(self.position, WHITE) or is_lone_king(self.position, BLACK)
        memset(self.plies, 0, cython.sizeof(self.plies))
        index: cython.int
        for index in range(4):
            self.plies[index].static_score = NO_SCORE

    def make(self, move: Move, ply: cython.int) -> cython.void:
        """Make a move and note it in the line.

        The network's sums are brought up to date at once: most positions need them, and what the table and the
        corrections know of the new position is still on its way from the memory.
        """
        self.at(ply).move = move
        self.at(ply).slot = slot_of(self.position.board[origin_of(move)], move)
        self.position.make(move)
        self.prefetch_corrections()
        update_sums(self.position, cython.address(self.memory))

    def look_at_clock(self) -> cython.void:
        """Called every so many nodes: raise the stop signal if a limit is reached."""
        self.next_check = self.nodes + CHECK_INTERVAL
        if self.number != 0:
            store_u64(cython.address(self.told_nodes), self.nodes)
            store_u64(cython.address(self.told_table_hits), self.table_hits)
            return
        ticking: cython.bint = not load_int(cython.address(self.signals.pondering))
        late: cython.bint = ticking and monotonic() >= load_double(cython.address(self.signals.deadline))
        if late or self.nodes >= self.signals.node_limit:
            store_int(cython.address(self.signals.stop), 1)
        if self.next_check > self.signals.node_limit:
            self.next_check = self.signals.node_limit

    def tell_root_move(self, move: Move, number: cython.int) -> cython.void:
        """Say which root move comes now, once the search has lasted a while."""
        if self.on_root_move is not None and monotonic() >= self.chatty_from:
            with cython.gil:
                self.on_root_move(self.root_depth, move, number)

    def tell_bound(self, number: cython.int, is_lower: cython.bint) -> cython.void:
        """Say that a line's score is outside the window, once the search has lasted a while."""
        if self.on_bound is not None and monotonic() >= self.chatty_from:
            with cython.gil:
                self.on_bound(number, "lowerbound" if is_lower else "upperbound")

    def save_pv(self, ply: cython.int, move: Move) -> cython.void:
        """The best line from here is this move and the best line after it."""
        index: cython.int
        length: cython.int = self.pv_length[ply + 1]
        self.pv[ply][0] = move
        for index in range(length):
            self.pv[ply][index + 1] = self.pv[ply + 1][index]
        self.pv_length[ply] = length + 1

    # What is known about a move, and learning from what the search found.

    def capture_score(self, move: Move) -> cython.int:
        """How well capturing this victim with this piece has done."""
        return self.histories.capture[slot_of(self.position.board[origin_of(move)], move)][
            victim_of(self.position, move)
        ]

    def learn_quiet(self, move: Move, ply: cython.int, bonus: cython.int) -> cython.void:
        """Reward or blame a quiet move in every history."""
        slot: cython.int = slot_of(self.position.board[origin_of(move)], move)
        pawns: cython.int = self.position.state.pawn_key & (PAWN_SLOTS - 1)
        adjust(self.plain_history(move, ply), bonus, HISTORY_LIMIT)
        adjust(cython.address(self.histories.pawn[pawns][slot]), bonus, HISTORY_LIMIT)
        self.learn_answer(slot, ply, bonus)

    def learn_answer(self, slot: cython.int, ply: cython.int, bonus: cython.int) -> cython.void:
        """Reward or blame a quiet move of a ply as an answer to the moves before it."""
        adjust(cython.address(self.histories.continuation[self.at(ply - 1).slot][slot]), bonus, HISTORY_LIMIT)
        adjust(cython.address(self.histories.continuation[self.at(ply - 2).slot][slot]), bonus, HISTORY_LIMIT)
        adjust(cython.address(self.histories.continuation[self.at(ply - 4).slot][slot]), bonus, HISTORY_LIMIT)

    def learn_capture(self, move: Move, bonus: cython.int) -> cython.void:
        """Reward or blame a capture."""
        slot: cython.int = slot_of(self.position.board[origin_of(move)], move)
        adjust(cython.address(self.histories.capture[slot][victim_of(self.position, move)]), bonus, HISTORY_LIMIT)

    def correction(self) -> cython.int:
        """What the static score of such pawns, such pieces and such moves has lacked so far, in centipawns.

        Nothing in a search against a lone king: it would blur the small steps that lead to mate. Two bishops then
        needed up to 40 moves instead of 23 (30 positions, 100,000 nodes a move).
        """
        if self.is_mating:
            return 0
        return (
            self.pawn_correction()[0]
            + self.piece_correction(WHITE)[0]
            + self.piece_correction(BLACK)[0]
            + self.line_correction()[0]
        ) // 24

    def learn_correction(self, error: cython.int, depth: cython.int) -> cython.void:
        """The search found the static score wrong by `error`, though corrected: add some of it to the memories.

        Each learns only what all of them together still lack, so their sum converges to the error.
        """
        bonus: cython.int = error * min(depth + 1, 16) // 8
        bonus = max(-CORRECTION_STEP, min(CORRECTION_STEP, bonus))
        adjust(self.pawn_correction(), bonus, CORRECTION_LIMIT)
        adjust(self.piece_correction(WHITE), bonus, CORRECTION_LIMIT)
        adjust(self.piece_correction(BLACK), bonus, CORRECTION_LIMIT)
        adjust(self.line_correction(), bonus, CORRECTION_LIMIT)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def victim_of(position: Position, move: Move) -> cython.int:
    """The type of the captured piece; a promotion without capture counts as a pawn's."""
    captured: cython.int = position.board[target_of(move)]
    return PAWN if captured == EMPTY or kind_of(move) == EN_PASSANT else type_of(captured)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def adjust(entry: cython.pointer[cython.short], bonus: cython.int, limit: cython.int) -> cython.void:
    """Move a history towards its limit, the less the nearer it is."""
    entry[0] += bonus - entry[0] * abs(bonus) // limit
