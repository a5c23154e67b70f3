"""The end of every line: captures are played out until the position is quiet enough for the evaluation."""

import cython
from cython.cimports.nowchess_uci.evaluation.evaluate import evaluate
from cython.cimports.nowchess_uci.rules.bits import U64
from cython.cimports.nowchess_uci.rules.constants import (
    EMPTY,
    MINOR_VALUE,
    PAWN_VALUE,
    QUEEN_VALUE,
    ROOK_VALUE,
    type_of,
)
from cython.cimports.nowchess_uci.rules.draws import is_dead_position
from cython.cimports.nowchess_uci.rules.move import (
    NO_MOVE,
    PROMOTION,
    Move,
    kind_of,
    target_of,
)
from cython.cimports.nowchess_uci.rules.movegen import has_legal_move
from cython.cimports.nowchess_uci.rules.position import Position, State
from cython.cimports.nowchess_uci.search.contracts import require
from cython.cimports.nowchess_uci.search.ordering import BAD_TACTICAL, Picker, pick, start_picker
from cython.cimports.nowchess_uci.search.params import params
from cython.cimports.nowchess_uci.search.scores import (
    DRAW,
    INFINITE,
    MATE,
    MAX_PLY,
    NO_SCORE,
    is_decisive,
    is_loss,
)
from cython.cimports.nowchess_uci.search.table import LOWER, UPPER, Hit, Table
from cython.cimports.nowchess_uci.search.worker import Signals, Worker

from nowchess_uci.evaluation.network import default_network

# How much the evaluation may rise when a pawn, knight, bishop, rook or queen is captured. A bishop counts a little more
# than in an exchange, as it does in the evaluation; what that gains is not measured.
gain_values = cython.declare(cython.int[6], (PAWN_VALUE, MINOR_VALUE, MINOR_VALUE + 10, ROOK_VALUE, QUEEN_VALUE, 0))


def quiesce(worker: Worker, position: Position, alpha: cython.int, beta: cython.int, ply: cython.int) -> cython.int:
    """The score with captures played out; in check all moves are tried, so mates are seen."""
    require(alpha >= -INFINITE)
    require(alpha < beta)
    require(beta <= INFINITE)
    require(ply >= 0)
    require(ply <= MAX_PLY)
    require(cython.cast(cython.p_void, position) == cython.cast(cython.p_void, worker.position))
    worker.pv_length[ply] = 0
    if worker.stopped():
        return 0
    worker.nodes += 1
    if worker.nodes >= worker.next_check and worker.ends_here():
        return 0
    if is_draw(position, ply):
        return DRAW
    in_check: cython.bint = position.state.checkers != 0
    if ply >= MAX_PLY:
        return DRAW if in_check else corrected(worker, raw_score(worker))
    if ply > worker.selective_depth:
        worker.selective_depth = ply

    # The network is asked while the table's answer is still on its way from the memory, though that may have made it
    # needless: 3 % more nodes per second.
    asked: cython.int = NO_SCORE if in_check else evaluate(position, cython.address(worker.memory))
    key: U64 = position.state.key
    hit = cython.declare(Hit)
    worker.table.probe(key, ply, position.state.half_move_clock, cython.address(hit))
    if hit.found and beta - alpha == 1 and hit.bound & (LOWER if hit.score >= beta else UPPER):
        return hit.score

    best: cython.int = -MATE + ply
    raw: cython.int = NO_SCORE
    standing: cython.int = best
    if not in_check:
        # Standing pat: the side to move need not capture anything.
        raw = hit.static_score if hit.found and hit.static_score != NO_SCORE else watched(worker, asked)
        standing = corrected(worker, raw)
        if hit.found and hit.bound & (LOWER if hit.score > standing else UPPER) and not is_decisive(hit.score):
            standing = hit.score
        best = standing
        if best >= beta:
            if not hit.found:
                worker.table.store(key, ply, NO_MOVE, best, raw, 0, LOWER, False)
            return best
        alpha = max(alpha, best)

    best_move: Move = NO_MOVE
    picker = cython.declare(Picker)
    if in_check:  # then quiet moves are tried too
        worker.at(ply).attacked = position.attacked_by(position.side ^ 1)
    start_picker(worker, cython.address(picker), ply, hit.move, not in_check)
    count: cython.int = 0
    first_alpha: cython.int = alpha
    while True:
        move: Move = pick(worker, cython.address(picker))
        if move == NO_MOVE:
            break
        worker.table.prefetch(position.likely_key(move))
        count += 1
        if not in_check and kind_of(move) != PROMOTION:
            # Even with the captured piece and a margin the score stays below alpha. Risk: a capture that wins more
            # than its piece. Not measured.
            captured: cython.int = position.board[target_of(move)]
            gain: cython.int = gain_values[type_of(captured)] if captured != EMPTY else PAWN_VALUE
            if standing + gain + params.delta_margin <= alpha:
                best = max(best, standing + gain + params.delta_margin)
                continue
        elif in_check and not is_loss(best) and picker.stage >= BAD_TACTICAL:
            break  # an evasion that holds is known: losing captures are not needed
        worker.make(move, ply)
        score: cython.int = -quiesce(worker, position, -beta, -alpha, ply + 1)
        position.unmake()
        if worker.stopped():
            return 0
        if score > best:
            best = score
            if score > alpha:
                alpha = score
                best_move = move
                if beta - first_alpha > 1:
                    worker.save_pv(ply, move)
                if score >= beta:
                    break
    if in_check and count == 0:
        return -MATE + ply
    worker.table.store(key, ply, best_move, best, raw, 0, LOWER if best >= beta else UPPER, hit.was_pv)
    return best


def raw_score(worker: Worker) -> cython.int:
    """The evaluation, as the table keeps it: of the position alone."""
    return watched(worker, evaluate(worker.position, cython.address(worker.memory)))


def watched(worker: Worker, score: cython.int) -> cython.int:
    """The evaluation that is used, which whoever makes training data wants to hear of."""
    if worker.on_static != cython.NULL:
        worker.on_static(worker.static_context, worker.position, score)
    return score


def corrected(worker: Worker, raw: cython.int) -> cython.int:
    """The evaluation with what the search has learnt about its errors.

    Less and less of it counts as the half-move clock runs towards the 50-move draw.
    """
    return raw * (220 - worker.position.state.half_move_clock) // 220 + worker.correction()


def is_draw(position: Position, ply: cython.int) -> cython.bint:
    """A draw in the tree: 50 moves unless it is mate, a repetition, or material that cannot mate.

    A position that comes back once after the root will come back again; one from before the root counts when it has
    stood there twice.
    """
    clock: cython.int = position.state.half_move_clock
    if clock >= 100:
        return not position.state.checkers or has_legal_move(position)
    limit: cython.int = min(clock, position.ply())
    seen_before_root: cython.bint = False
    state: cython.pointer[State] = position.state
    if limit >= 4 and (state.move == NO_MOVE or (state - 1).move == NO_MOVE):
        limit = 0
    back: cython.int
    for back in range(4, limit + 1, 2):
        if (state - back + 1).move == NO_MOVE or (state - back + 2).move == NO_MOVE:
            break  # the same position after passing is none that can be played
        if (state - back).key == state.key:
            if back < ply or seen_before_root:
                return True
            seen_before_root = True
    return is_dead_position(position)


# For tools and tests.


def draws_after(position: Position, moves: tuple[int, ...], ply: int) -> bool:
    """`is_draw` at a ply of the tree, after these moves; NO_MOVE passes."""
    line: Position = position.copy()
    line.reserve(len(moves))
    for move in moves:
        if move == NO_MOVE:
            line.make_null()
        else:
            line.make(move)
    return is_draw(line, ply)


def quiet_score(position: Position, alpha: cython.int = -INFINITE, beta: cython.int = INFINITE) -> int:
    """`quiesce` for Python callers: by a worker that has learnt nothing, without any limit."""
    signals = cython.declare(Signals)
    signals.stop = 0
    signals.pondering = 1  # no clock
    signals.deadline = 0
    signals.node_limit = ~cython.cast(U64, 0)
    worker = Worker(Table(1), 0, default_network())
    worker.position = position.copy()
    worker.position.reserve(MAX_PLY + 8)
    worker.signals = cython.address(signals)
    worker.start()
    return quiesce(worker, worker.position, alpha, beta, 0)
