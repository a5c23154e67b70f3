"""The search tree: principal variation search with pruning, reductions and extensions.

`search` is one node, its steps numbered; what can be decided apart (null move, probcut, singular moves) is a function
of its own that returns a score or NO_CUTOFF. Margins and reductions come from `pruning`.
The position handed around is the worker's own.
"""

import cython
from cython.cimports.nowchess_uci.rules.bits import U64
from cython.cimports.nowchess_uci.rules.constants import BISHOP, KNIGHT, QUEEN, ROOK
from cython.cimports.nowchess_uci.rules.exchange import wins_exchange
from cython.cimports.nowchess_uci.rules.move import NO_MOVE, Move
from cython.cimports.nowchess_uci.rules.movegen import gives_check
from cython.cimports.nowchess_uci.rules.position import Position
from cython.cimports.nowchess_uci.search.alphabeta import NO_CUTOFF
from cython.cimports.nowchess_uci.search.ordering import Picker, is_tactical, pick, start_picker
from cython.cimports.nowchess_uci.search.params import params
from cython.cimports.nowchess_uci.search.pruning import (
    exchange_margin,
    futility_margin,
    history_bonus,
    late_move_count,
    null_move_depth,
    reduction,
    reverse_futility_margin,
)
from cython.cimports.nowchess_uci.search.quiescence import evaluate_faded, is_draw, quiesce, static_score_of
from cython.cimports.nowchess_uci.search.scores import (
    DRAW,
    INFINITE,
    MATE,
    MATE_BOUND,
    MAX_PLY,
    NO_SCORE,
)
from cython.cimports.nowchess_uci.search.table import EXACT, LOWER, UPPER, Hit
from cython.cimports.nowchess_uci.search.worker import RootMove, Worker

MAX_TRIED = cython.declare(cython.int, 64)


def search(
    worker: Worker,
    position: Position,
    alpha: cython.int,
    beta: cython.int,
    depth: cython.int,
    ply: cython.int,
    cut_node: cython.bint,
) -> cython.int:
    """The score of the position after `depth` more plies, exact if it lies between alpha and beta."""
    # Step 1. Horizon. A check is answered before the line ends.
    in_check: cython.bint = position.state.checkers != 0
    if in_check and ply < 2 * worker.root_depth:
        depth += 1
    if depth <= 0:
        return quiesce(worker, position, alpha, beta, ply)

    # Step 2. Stop, draw, deepest ply.
    pv_node: cython.bint = beta - alpha > 1
    worker.pv_length[ply] = 0
    worker.nodes += 1
    if worker.nodes >= worker.next_check:
        worker.look_at_clock()
    if worker.stopped():
        return 0
    if is_draw(position, ply):
        return DRAW
    if ply >= MAX_PLY:
        return DRAW if in_check else static_score_of(worker)
    if ply > worker.selective_depth:
        worker.selective_depth = ply

    # Step 3. Mate distance: a shorter mate than one already found is impossible from here.
    alpha = max(alpha, -MATE + ply)
    beta = min(beta, MATE - ply - 1)
    if alpha >= beta:
        return alpha

    # Step 4. Table.
    excluded: Move = worker.at(ply).excluded
    key: U64 = position.state.key
    hit = cython.declare(Hit)
    hit.found = False
    hit.move = NO_MOVE
    hit.bound = 0
    if excluded == NO_MOVE:
        worker.table.probe(key, ply, position.state.half_move_clock, cython.address(hit))
        if hit.found and not pv_node and hit.depth >= depth and hit.bound & (LOWER if hit.score >= beta else UPPER):
            return hit.score

    # Step 5. Static score, and whether it is rising from our last move to this one.
    raw: cython.int = NO_SCORE
    score: cython.int = NO_SCORE
    improving: cython.bint = False
    worker.at(ply).static_score = NO_SCORE
    worker.at(ply + 1).killer = NO_MOVE
    if not in_check:
        raw = hit.static_score if hit.found and hit.static_score != NO_SCORE else evaluate_faded(worker)
        score = raw + worker.correction()
        worker.at(ply).static_score = score
        if worker.at(ply - 2).static_score != NO_SCORE:
            improving = score > worker.at(ply - 2).static_score
        elif worker.at(ply - 4).static_score != NO_SCORE:
            improving = score > worker.at(ply - 4).static_score
        if hit.found and hit.bound & (LOWER if hit.score > score else UPPER):
            score = hit.score

    # Step 6. Pruning of the whole node.
    if not pv_node and not in_check and excluded == NO_MOVE and abs(beta) < MATE_BOUND:
        # Reverse futility: so far above beta that a shallow search will not bring it down.
        if depth <= 9 and score - reverse_futility_margin(depth, improving) >= beta and score < MATE_BOUND:
            return (score + beta) // 2
        value: cython.int = try_null_move(worker, position, beta, depth, ply, score)
        if value != NO_CUTOFF:
            return value
        if depth >= 5 and not (hit.found and hit.depth >= depth - 3 and hit.score < beta + params.probcut_margin):
            value = try_probcut(worker, position, beta, depth, ply, hit.move)
            if value != NO_CUTOFF:
                return value

    # Step 7. Internal reduction: without a table move this node is likely not important, or soon will have one.
    if depth >= 4 and hit.move == NO_MOVE and (pv_node or cut_node):
        depth -= 1

    # Step 8. Moves.
    picker = cython.declare(Picker)
    start_picker(worker, cython.address(picker), ply, hit.move, False)
    quiets = cython.declare(Move[64])
    captures = cython.declare(Move[64])
    quiet_count: cython.int = 0
    capture_count: cython.int = 0
    number: cython.int = 0
    best: cython.int = -INFINITE
    best_move: Move = NO_MOVE
    first_alpha: cython.int = alpha
    while True:
        move: Move = pick(worker, cython.address(picker))
        if move == NO_MOVE:
            break
        if move == excluded:
            continue
        number += 1
        quiet: cython.bint = not is_tactical(worker, move)
        history: cython.int = worker.quiet_score(move, ply) if quiet else 0
        reduced: cython.int = reduction(depth, number, quiet)

        # Step 9. Pruning of single moves, once a move is known that does not lose by force. Not while looking for
        # a shorter mate: against such an alpha every quiet move would seem hopeless.
        if best > -MATE_BOUND and alpha < MATE_BOUND and has_pieces(position):
            if quiet:
                shallow: cython.int = max(depth - reduced, 0)
                if quiet_count >= late_move_count(depth, improving):
                    picker.skip_quiets = True
                    continue
                if (
                    not in_check
                    and shallow <= 8
                    and worker.at(ply).static_score + futility_margin(shallow) <= alpha
                    and not gives_check(position, move)
                ):
                    continue
                if shallow <= 4 and history < -params.history_prune_margin * depth:
                    continue
                if shallow <= 8 and not wins_exchange(position, move, exchange_margin(shallow, True)):
                    continue
            elif depth <= 7 and not wins_exchange(position, move, exchange_margin(depth, False)):
                continue

        # Step 10. Extension of a table move that is much better than all others.
        extension: cython.int = 0
        if (
            move == hit.move
            and excluded == NO_MOVE
            and depth >= 7
            and ply < 2 * worker.root_depth
            and hit.depth >= depth - 3
            and hit.bound & LOWER
            and abs(hit.score) < MATE_BOUND
        ):
            extension = singular_extension(worker, position, cython.address(hit), beta, depth, ply, cut_node, pv_node)
            if extension >= NO_CUTOFF:
                return extension - 2 * NO_CUTOFF  # several moves beat beta
            worker.pv_length[ply] = 0

        # Step 11. Make and search: the first move in full, the others with a null window, late ones reduced.
        new_depth: cython.int = depth - 1 + extension
        worker.make(move, ply)
        value = -INFINITE
        if depth >= 2 and number > 1 + pv_node:
            if not improving:
                reduced += 1
            if cut_node:
                reduced += 1
            if pv_node:
                reduced -= 1
            if position.state.checkers:
                reduced -= 1
            if quiet:
                reduced -= history // params.reduction_history_divisor
                if move == picker.killer:
                    reduced -= 1
            reduced = max(0, min(reduced, new_depth - 1))
            value = -search(worker, position, -alpha - 1, -alpha, new_depth - reduced, ply + 1, True)
            if value > alpha and reduced > 0:
                value = -search(worker, position, -alpha - 1, -alpha, new_depth, ply + 1, not cut_node)
        elif not pv_node or number > 1:
            value = -search(worker, position, -alpha - 1, -alpha, new_depth, ply + 1, not cut_node)
        if pv_node and (number == 1 or value > alpha):
            value = -search(worker, position, -beta, -alpha, new_depth, ply + 1, False)
        position.unmake()
        if worker.stopped():
            return 0

        # Step 12. Best so far, cutoff.
        if value > best:
            best = value
            if value > alpha:
                alpha = value
                best_move = move
                if pv_node:
                    worker.save_pv(ply, move)
                if value >= beta:
                    learn_from_cutoff(worker, position, move, quiets, quiet_count, captures, capture_count, depth, ply)
                    break
        if quiet and quiet_count < MAX_TRIED:
            quiets[quiet_count] = move
            quiet_count += 1
        elif not quiet and capture_count < MAX_TRIED:
            captures[capture_count] = move
            capture_count += 1

    # Step 13. Mate or stalemate.
    if number == 0:
        if excluded != NO_MOVE:
            return alpha
        return -MATE + ply if in_check else DRAW

    # Step 14. Learn and store.
    if excluded == NO_MOVE:
        bound: cython.int = LOWER if best >= beta else (EXACT if best > first_alpha else UPPER)
        static: cython.int = worker.at(ply).static_score
        if (
            not in_check
            and (best_move == NO_MOVE or not is_tactical(worker, best_move))
            and abs(best) < MATE_BOUND
            and not (bound == LOWER and best <= static)
            and not (bound == UPPER and best >= static)
        ):
            worker.learn_correction(best - raw, depth)
        worker.table.store(key, ply, best_move, best, raw, depth, bound)
    return best


def has_pieces(position: Position) -> cython.bint:
    """True if the side to move has more than king and pawns; without, passing may be the best move."""
    pieces: U64 = position.by_type[KNIGHT] | position.by_type[BISHOP] | position.by_type[ROOK] | position.by_type[QUEEN]
    return pieces & position.by_color[position.side] != 0


def try_null_move(
    worker: Worker, position: Position, beta: cython.int, depth: cython.int, ply: cython.int, score: cython.int
) -> cython.int:
    """Null move: if even passing keeps the score above beta, a real move will too.

    Wrong in zugzwang, hence not without pieces, and verified by a search without null moves at high depth.
    """
    if (
        depth < 3
        or score < beta
        or worker.at(ply).static_score < beta
        or worker.at(ply - 1).move == NO_MOVE
        or ply < worker.null_guard
        or not has_pieces(position)
    ):
        return NO_CUTOFF
    shallow: cython.int = null_move_depth(depth, score, beta)
    worker.at(ply).move = NO_MOVE
    worker.at(ply).slot = 0
    position.make_null()
    worker.table.prefetch(position.state.key)
    value: cython.int = -search(worker, position, -beta, -beta + 1, shallow, ply + 1, True)
    position.unmake_null()
    if worker.stopped() or value < beta:
        return NO_CUTOFF
    if value >= MATE_BOUND:
        value = beta  # a mate after passing is not proven
    if worker.null_guard > 0 or depth < 12:
        return value
    worker.null_guard = ply + 3 * shallow // 4
    verified: cython.int = search(worker, position, beta - 1, beta, shallow, ply, False)
    worker.null_guard = 0
    return value if verified >= beta else NO_CUTOFF


def try_probcut(
    worker: Worker, position: Position, beta: cython.int, depth: cython.int, ply: cython.int, table_move: Move
) -> cython.int:
    """Probcut: a good capture that beats beta by a margin at low depth will beat beta at full depth."""
    high: cython.int = beta + params.probcut_margin
    picker = cython.declare(Picker)
    start_picker(worker, cython.address(picker), ply, table_move, True)
    if worker.at(ply).static_score < high:
        picker.exchange_margin = worker.at(ply).static_score - high
    while True:
        move: Move = pick(worker, cython.address(picker))
        if move == NO_MOVE:
            return NO_CUTOFF
        worker.make(move, ply)
        value: cython.int = -quiesce(worker, position, -high, -high + 1, ply + 1)
        if value >= high:
            value = -search(worker, position, -high, -high + 1, depth - 4, ply + 1, True)
        position.unmake()
        if worker.stopped():
            return NO_CUTOFF
        if value >= high:
            worker.table.store(
                position.state.key,
                ply,
                move,
                value,
                worker.at(ply).static_score - worker.correction(),
                depth - 3,
                LOWER,
            )
            return value


def singular_extension(
    worker: Worker,
    position: Position,
    hit: cython.pointer[Hit],
    beta: cython.int,
    depth: cython.int,
    ply: cython.int,
    cut_node: cython.bint,
    pv_node: cython.bint,
) -> cython.int:
    """By how much to extend the table's move: more if all others fail well below its score.

    If the others beat beta as well, a result above NO_CUTOFF tells the score to return at once (multicut).
    """
    limit: cython.int = hit.score - params.singular_margin * depth
    worker.at(ply).excluded = hit.move
    value: cython.int = search(worker, position, limit - 1, limit, (depth - 1) // 2, ply, cut_node)
    worker.at(ply).excluded = NO_MOVE
    if value < limit:
        return 2 if not pv_node and value < limit - 20 else 1
    if value >= beta and abs(value) < MATE_BOUND:
        return 2 * NO_CUTOFF + value
    if hit.score >= beta:
        return -1
    return 0


def learn_from_cutoff(
    worker: Worker,
    position: Position,
    best: Move,
    quiets: cython.pointer[Move],
    quiet_count: cython.int,
    captures: cython.pointer[Move],
    capture_count: cython.int,
    depth: cython.int,
    ply: cython.int,
) -> cython.void:
    """Reward the move that cut off, blame those tried before it."""
    bonus: cython.int = history_bonus(depth)
    index: cython.int
    if is_tactical(worker, best):
        worker.learn_capture(best, bonus)
    else:
        worker.at(ply).killer = best
        worker.learn_quiet(best, ply, bonus)
        for index in range(quiet_count):
            worker.learn_quiet(quiets[index], ply, -bonus)
    for index in range(capture_count):
        worker.learn_capture(captures[index], -bonus)


def search_root(
    worker: Worker, position: Position, alpha: cython.int, beta: cython.int, depth: cython.int, first: cython.int
) -> cython.int:
    """Search the root moves from number `first` on; each one's score and line end up in `worker.root_moves`."""
    best: cython.int = -INFINITE
    best_move: Move = NO_MOVE
    first_alpha: cython.int = alpha
    index: cython.int
    step: cython.int
    worker.pv_length[0] = 0
    worker.at(0).static_score = NO_SCORE if position.state.checkers else static_score_of(worker)
    worker.at(0).excluded = NO_MOVE
    worker.at(1).killer = NO_MOVE
    for index in range(first, worker.root_count):
        root: cython.pointer[RootMove] = cython.address(worker.root_moves[index])
        nodes_before: U64 = worker.nodes
        number: cython.int = index - first + 1
        quiet: cython.bint = not is_tactical(worker, root.move)
        worker.selective_depth = 0
        worker.tell_root_move(root.move, index + 1)
        worker.make(root.move, 0)
        value: cython.int = -INFINITE
        if number > 1:
            reduced: cython.int = 0
            if depth >= 3 and number > 3 and quiet:
                reduced = max(0, min(reduction(depth, number, True) - 1, depth - 2))
            value = -search(worker, position, -alpha - 1, -alpha, depth - 1 - reduced, 1, True)
            if value > alpha and reduced > 0:
                value = -search(worker, position, -alpha - 1, -alpha, depth - 1, 1, True)
        if number == 1 or value > alpha:
            value = -search(worker, position, -beta, -alpha, depth - 1, 1, False)
        position.unmake()
        root.nodes += worker.nodes - nodes_before
        if worker.stopped():
            return best
        if number == 1 or value > alpha:
            root.score = value
            root.selective_depth = worker.selective_depth
            root.pv[0] = root.move
            root.pv_length = worker.pv_length[1] + 1
            for step in range(worker.pv_length[1]):
                root.pv[step + 1] = worker.pv[1][step]
        else:
            root.score = -INFINITE  # worse than the best; how much is not known
        if value > best:
            best = value
            if value > alpha:
                alpha = value
                best_move = root.move
                if value >= beta:
                    break
    bound: cython.int = LOWER if best >= beta else (EXACT if best > first_alpha else UPPER)
    if first == 0:
        raw: cython.int = NO_SCORE if position.state.checkers else evaluate_faded(worker)
        worker.table.store(position.state.key, 0, best_move, best, raw, depth, bound)
    return best
