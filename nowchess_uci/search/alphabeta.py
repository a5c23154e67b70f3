"""The search tree: principal variation search with pruning, reductions and extensions.

`search` is one node, its steps numbered; a search inside it (null move, probcut, the search without the table's move)
is a function of its own. What can be decided by numbers alone (margins, reductions, which moves to skip) is in
`pruning`. The position handed around is the worker's own. Elo in the comments is what an idea gained at 10,000 nodes a
move; docs/records/strength.md has the table.
"""

import cython
from cython.cimports.nowchess_uci.rules.bits import U64
from cython.cimports.nowchess_uci.rules.constants import BISHOP, EMPTY, KNIGHT, QUEEN, ROOK
from cython.cimports.nowchess_uci.rules.exchange import wins_exchange
from cython.cimports.nowchess_uci.rules.move import NO_MOVE, Move
from cython.cimports.nowchess_uci.rules.movegen import gives_check
from cython.cimports.nowchess_uci.rules.position import Position
from cython.cimports.nowchess_uci.search.alphabeta import NO_CUTOFF, Tried, note_tried
from cython.cimports.nowchess_uci.search.contracts import require
from cython.cimports.nowchess_uci.search.lookup import look_up
from cython.cimports.nowchess_uci.search.ordering import GOOD_TACTICAL, Picker, is_tactical, pick, start_picker
from cython.cimports.nowchess_uci.search.params import params
from cython.cimports.nowchess_uci.search.pruning import (
    PLY,
    Singular,
    asks_exchange,
    belies_static,
    doubt_reduction,
    exchange_margin,
    has_bad_history,
    history_bonus,
    history_reduction,
    is_futile,
    is_late,
    is_safely_above,
    judge_singular,
    move_reduction,
    node_reduction,
    null_move_depth,
    null_move_lead,
    reduction,
    revised_depth,
    singular_limit,
)
from cython.cimports.nowchess_uci.search.quiescence import corrected, is_draw, quiesce, raw_score
from cython.cimports.nowchess_uci.search.scores import (
    DRAW,
    INFINITE,
    MATE,
    MAX_PLY,
    NO_SCORE,
    is_decisive,
    is_loss,
    is_win,
)
from cython.cimports.nowchess_uci.search.table import EXACT, LOWER, UPPER, Hit, bound_of
from cython.cimports.nowchess_uci.search.worker import RootMove, Worker


def search(
    worker: Worker,
    position: Position,
    alpha: cython.int,
    beta: cython.int,
    depth: cython.int,
    ply: cython.int,
    cut_node: cython.bint,
) -> cython.int:
    """The score of the position after `depth` more plies, exact if it lies between alpha and beta.

    A result of alpha or less is an upper bound, one of beta or more a lower bound. After a stop it is 0 and means
    nothing.
    """
    require(alpha >= -INFINITE)
    require(alpha < beta)
    require(beta <= INFINITE)
    require(ply >= 0)
    require(ply <= MAX_PLY)
    require(depth < 256)  # the table has eight bits for it
    require(cython.cast(cython.p_void, position) == cython.cast(cython.p_void, worker.position))

    # Step 1. Horizon. Quiescence answers a check with all moves, so that none has to be answered here.
    if depth <= 0:
        return quiesce(worker, position, alpha, beta, ply)
    in_check: cython.bint = position.state.checkers != 0

    # Step 2. Stop, draw, deepest ply.
    pv_node: cython.bint = beta - alpha > 1
    worker.pv_length[ply] = 0
    if worker.stopped():
        return 0
    worker.nodes += 1
    if worker.nodes >= worker.next_check and worker.ends_here():
        return 0
    if is_draw(position, ply):
        return DRAW
    if ply >= MAX_PLY:
        return DRAW if in_check else corrected(worker, raw_score(worker))
    if ply > worker.selective_depth:
        worker.selective_depth = ply

    # Step 3. Mate distance: a shorter mate than one already found is impossible from here. No risk: it only narrows the
    # window. Not measured.
    alpha = max(alpha, -MATE + ply)
    beta = min(beta, MATE - ply - 1)
    if alpha >= beta:
        return alpha

    # Step 4. Table. What was searched as deep need not be searched again, if its bound decides. Not on the principal
    # variation, whose line would end here. Risk: another position with the same key, and the way to this one, which
    # the table does not know. Not measured.
    excluded: Move = worker.at(ply).excluded
    key: U64 = position.state.key
    hit = cython.declare(Hit)
    hit.found = False
    hit.move = NO_MOVE
    hit.bound = 0
    hit.was_pv = False
    if excluded == NO_MOVE:
        worker.table.probe(key, ply, position.state.half_move_clock, cython.address(hit))
        if hit.found and not pv_node and hit.depth >= depth and hit.bound & (LOWER if hit.score >= beta else UPPER):
            return hit.score

    was_pv: cython.bint = pv_node or hit.was_pv

    # Step 5. Tablebases, right after a capture or pawn move. A draw is exact; a win or a loss may be a mate as well, so
    # on the principal variation they only bound what the moves come to. Kept as if searched deeper. Not measured.
    value: cython.int
    floor: cython.int = -INFINITE
    ceiling: cython.int = INFINITE
    if worker.probe_men and excluded == NO_MOVE and not position.state.half_move_clock and not position.state.castling:
        value = look_up(worker, position, depth, ply)
        if value != NO_SCORE:
            bound: cython.int = LOWER if is_win(value) else (UPPER if is_loss(value) else EXACT)
            if bound == EXACT or (value >= beta if bound == LOWER else value <= alpha):
                worker.table.store(key, ply, NO_MOVE, value, NO_SCORE, min(depth + 6, MAX_PLY), bound, pv_node)
                return value
            if pv_node and bound == LOWER:
                floor = value
                alpha = max(alpha, value)
            elif pv_node:
                ceiling = value

    # Step 6. Static score, and whether it is rising from our last move to this one. It is corrected by what the search
    # has found wrong about such positions (+28 Elo ±39); the table's score is better still where its bound allows. A
    # search without the table's move is the same position again, whose static score is known.
    raw: cython.int = NO_SCORE
    score: cython.int = NO_SCORE
    improving: cython.bint = False
    worker.at(ply + 1).killer = NO_MOVE
    worker.at(ply + 2).cutoffs = 0
    if in_check:
        worker.at(ply).static_score = NO_SCORE
    else:
        if excluded == NO_MOVE:
            raw = hit.static_score if hit.found and hit.static_score != NO_SCORE else raw_score(worker)
            worker.at(ply).static_score = corrected(worker, raw)
            if not hit.found:  # whatever becomes of this node, its static score is known next time
                worker.table.store(key, ply, NO_MOVE, DRAW, raw, 0, 0, was_pv)
        score = worker.at(ply).static_score
        improving = worker.is_improving(ply)
        if hit.found and hit.bound & (LOWER if hit.score > score else UPPER):
            score = hit.score

    # Step 7. Pruning of the whole node, each by an idea with its own risk: see the functions. Never on the principal
    # variation, in check, or near mate scores, where a margin in centipawns means nothing.
    if not pv_node and not in_check and excluded == NO_MOVE and not is_decisive(beta):
        if not was_pv and is_safely_above(score, beta, depth, improving):
            return (score + beta) // 2
        value = try_null_move(worker, position, beta, depth, ply, score, cut_node)
        if value != NO_CUTOFF:
            return value
        if depth >= 5 and not (hit.found and hit.depth >= depth - 3 and hit.score < beta + params.probcut_margin):
            value = try_probcut(worker, position, beta, depth, ply, hit.move, raw, cut_node, was_pv)
            if value != NO_CUTOFF:
                return value

    # Step 8. Internal reduction: without a table move this node is likely not important, or soon will have one. Risk:
    # the first visit of an important node is shallow. A search without the table's move has none by design. -14 Elo
    # ±42: no gain is proven.
    if depth >= 4 and hit.move == NO_MOVE and (pv_node or cut_node) and excluded == NO_MOVE and not in_check:
        depth -= 1

    # Step 9. Moves.
    picker = cython.declare(Picker)
    worker.at(ply).attacked = position.attacked_by(position.side ^ 1)
    start_picker(worker, cython.address(picker), ply, hit.move, False)
    tried = cython.declare(Tried)
    tried.quiet_count = 0
    tried.capture_count = 0
    number: cython.int = 0
    best: cython.int = floor
    best_move: Move = NO_MOVE
    first_alpha: cython.int = alpha
    tactical_table_move: cython.bint = picker.table_move != NO_MOVE and is_tactical(worker, picker.table_move)
    doubt: cython.int = 0 if in_check else abs(worker.correction())
    while True:
        move: Move = pick(worker, cython.address(picker))
        if move == NO_MOVE:
            break
        if move == excluded:
            continue
        worker.table.prefetch(position.likely_key(move))  # on its way while this move is being judged
        number += 1
        quiet: cython.bint = not is_tactical(worker, move)
        history: cython.int = worker.quiet_score(move, ply) if quiet else worker.capture_score(move)
        reduced: cython.int = reduction(depth, number, quiet)

        # Step 10. Pruning of single moves, once a move is known that does not lose by force. Not without pieces, where
        # zugzwang belies every estimate, and not while looking for a shorter mate: against such an alpha every quiet
        # move would seem hopeless. The cheapest question comes first.
        if not is_loss(best) and not is_win(alpha) and has_pieces(position):
            if quiet:
                shallow: cython.int = max(depth - (reduced + history_reduction(history)) // PLY, 0)
                if is_late(number - 1, depth, improving):
                    picker.skip_quiets = True
                    continue
                if (
                    not in_check
                    and is_futile(worker.at(ply).static_score, alpha, shallow)
                    and not gives_check(position, move)
                ):
                    continue
                if has_bad_history(history, depth, shallow):
                    continue
                if asks_exchange(shallow, True) and not wins_exchange(position, move, exchange_margin(shallow, True)):
                    continue
            elif (
                picker.stage != GOOD_TACTICAL  # those have passed a stricter test
                and asks_exchange(depth, False)
                and not wins_exchange(position, move, exchange_margin(depth, False))
            ):
                continue

        # Step 11. Extension of a table move that is much better than all others: a search of half the depth without it
        # tells. Only where that search is cheap compared with this one, and not inside itself.
        extension: cython.int = 0
        if (
            move == hit.move
            and excluded == NO_MOVE
            and depth >= 6
            and ply < 2 * worker.root_depth
            and hit.depth >= depth - 3
            and hit.bound & LOWER
            and not is_decisive(hit.score)
        ):
            limit: cython.int = singular_limit(hit.score, depth, was_pv and not pv_node)
            value = search_without(worker, move, limit, (depth - 1) // 2, ply, cut_node)
            singular: Singular = judge_singular(value, limit, hit.score, beta, pv_node, cut_node)
            if singular.is_cutoff:
                return singular.score
            extension = singular.extension
            worker.pv_length[ply] = 0

        # Step 12. Make and search. If the order is good the first move is the best, and of the others it is enough to
        # prove that they are worse: a null window asks only that, and late ones are asked at less depth. Whoever
        # answers otherwise is searched again, in full if on the principal variation.
        new_depth: cython.int = depth - 1 + extension
        worker.make(move, ply)
        value = -INFINITE
        if depth >= 2 and number > 1 + pv_node:
            reduced += node_reduction(improving, cut_node, pv_node, was_pv)
            reduced += doubt_reduction(tactical_table_move, worker.at(ply + 1).cutoffs, doubt)
            reduced += move_reduction(position.state.checkers != 0, history, move == picker.killer)
            plies: cython.int = max(0, min(reduced // PLY, new_depth - 1))
            value = -search(worker, position, -alpha - 1, -alpha, new_depth - plies, ply + 1, True)
            if value > alpha and plies > 0:
                new_depth += revised_depth(value, best, new_depth)
                value = -search(worker, position, -alpha - 1, -alpha, new_depth, ply + 1, not cut_node)
                if quiet and (value <= alpha or value >= beta):
                    bonus: cython.int = history_bonus(new_depth) * (1 if value >= beta else -1)
                    worker.learn_answer(worker.at(ply).slot, ply, bonus)
        elif not pv_node or number > 1:
            value = -search(worker, position, -alpha - 1, -alpha, new_depth, ply + 1, not cut_node)
        if pv_node and (number == 1 or value > alpha):
            value = -search(worker, position, -beta, -alpha, new_depth, ply + 1, False)
        position.unmake()
        if worker.stopped():
            return 0

        # Step 13. Best so far, cutoff.
        if value > best:
            best = value
            if value > alpha:
                alpha = value
                best_move = move
                if pv_node:
                    worker.save_pv(ply, move)
                if value >= beta:
                    worker.at(ply).cutoffs += 1
                    learn_from_cutoff(worker, move, cython.address(tried), depth, ply)
                    break
        note_tried(cython.address(tried), move, quiet)

    # Step 14. Mate or stalemate.
    if number == 0:
        if excluded != NO_MOVE:
            return alpha
        return -MATE + ply if in_check else DRAW

    # Step 15. Learn and store. A capture says nothing about the static score, which is meant for quiet positions.
    best = min(best, ceiling)
    if excluded == NO_MOVE:
        bound = bound_of(best, first_alpha, beta)
        if bound == UPPER and ply > 0 and worker.at(ply - 1).move != NO_MOVE and position.state.captured == EMPTY:
            worker.learn_answer(worker.at(ply - 1).slot, ply - 1, history_bonus(depth) // 2)
        quiet = best_move == NO_MOVE or not is_tactical(worker, best_move)
        if not in_check and quiet and belies_static(best, worker.at(ply).static_score, bound):
            worker.learn_correction(best - worker.at(ply).static_score, depth)
        worker.table.store(key, ply, best_move, best, raw, depth, bound, was_pv)
    return best


def has_pieces(position: Position) -> cython.bint:
    """True if the side to move has more than king and pawns; without, passing may be the best move."""
    pieces: U64 = position.by_type[KNIGHT] | position.by_type[BISHOP] | position.by_type[ROOK] | position.by_type[QUEEN]
    return pieces & position.by_color[position.side] != 0


def try_null_move(
    worker: Worker,
    position: Position,
    beta: cython.int,
    depth: cython.int,
    ply: cython.int,
    score: cython.int,
    cut_node: cython.bint,
) -> cython.int:
    """Null move: if even passing keeps the score above beta, a real move will too.

    Only where a cutoff is expected: elsewhere the question costs more than its rare success saves. Not twice in a row,
    which would only lower the depth. Wrong in zugzwang, hence not without pieces, and verified by a search without null
    moves at high depth. +28 Elo ±54.
    """
    if (
        not cut_node
        or depth < 3
        or score < beta
        or worker.at(ply).static_score < beta + null_move_lead(depth)
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
    value: cython.int = -search(worker, position, -beta, -beta + 1, shallow, ply + 1, False)
    position.unmake_null()
    if worker.stopped() or value < beta:
        return NO_CUTOFF
    if is_win(value):
        value = beta  # a mate after passing is not proven
    if worker.null_guard > 0 or depth < 12:
        return value
    worker.null_guard = ply + 3 * shallow // 4
    verified: cython.int = search(worker, position, beta - 1, beta, shallow, ply, False)
    worker.null_guard = 0
    return value if verified >= beta else NO_CUTOFF


def try_probcut(
    worker: Worker,
    position: Position,
    beta: cython.int,
    depth: cython.int,
    ply: cython.int,
    table_move: Move,
    raw: cython.int,
    cut_node: cython.bint,
    was_pv: cython.bint,
) -> cython.int:
    """Probcut: a good capture that beats beta by a margin at low depth will beat beta at full depth.

    Only from depth 5 on, where four plies less are much cheaper, and not if the table says already that the margin is
    not reached. Risk: what needs the full depth to be refuted. -24 Elo ±37: no gain is proven.
    """
    high: cython.int = beta + params.probcut_margin
    picker = cython.declare(Picker)
    start_picker(worker, cython.address(picker), ply, table_move, True)
    if worker.at(ply).static_score < high:
        picker.exchange_margin = worker.at(ply).static_score - high
    while True:
        move: Move = pick(worker, cython.address(picker))
        if move == NO_MOVE:
            return NO_CUTOFF
        worker.table.prefetch(position.likely_key(move))
        worker.make(move, ply)
        value: cython.int = -quiesce(worker, position, -high, -high + 1, ply + 1)
        if value >= high:
            value = -search(worker, position, -high, -high + 1, depth - 4, ply + 1, not cut_node)
        position.unmake()
        if worker.stopped():
            return NO_CUTOFF
        if value >= high:
            worker.table.store(position.state.key, ply, move, value, raw, depth - 3, LOWER, was_pv)
            return value


def search_without(
    worker: Worker, move: Move, limit: cython.int, depth: cython.int, ply: cython.int, cut_node: cython.bint
) -> cython.int:
    """The score of the same node if a move were not there, as far as it is below `limit` or not."""
    worker.at(ply).excluded = move
    value: cython.int = search(worker, worker.position, limit - 1, limit, depth, ply, cut_node)
    worker.at(ply).excluded = NO_MOVE
    return value


def learn_from_cutoff(
    worker: Worker, best: Move, tried: cython.pointer[Tried], depth: cython.int, ply: cython.int
) -> cython.void:
    """Reward the move that cut off, blame those tried before it."""
    bonus: cython.int = history_bonus(depth)
    index: cython.int
    if is_tactical(worker, best):
        worker.learn_capture(best, bonus)
    else:
        worker.at(ply).killer = best
        worker.learn_quiet(best, ply, bonus)
        for index in range(tried.quiet_count):
            worker.learn_quiet(tried.quiets[index], ply, -bonus)
    for index in range(tried.capture_count):
        worker.learn_capture(tried.captures[index], -bonus)


def search_root(
    worker: Worker, position: Position, alpha: cython.int, beta: cython.int, depth: cython.int, first: cython.int
) -> cython.int:
    """Search the root moves from number `first` on; each one's score and line end up in `worker.root_moves`.

    Only those of the same rank: what the tablebases put behind is not better, whatever the search would say.
    """
    require(alpha < beta)
    require(depth > 0)
    require(first < worker.root_count)
    require(cython.cast(cython.p_void, position) == cython.cast(cython.p_void, worker.position))
    best: cython.int = -INFINITE
    best_move: Move = NO_MOVE
    first_alpha: cython.int = alpha
    index: cython.int
    step: cython.int
    worker.pv_length[0] = 0
    worker.at(0).static_score = NO_SCORE if position.state.checkers else corrected(worker, raw_score(worker))
    worker.at(0).excluded = NO_MOVE
    worker.at(1).killer = NO_MOVE
    for index in range(first, worker.end_of_rank(first)):
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
                reduced = max(0, min(reduction(depth, number, True) // PLY - 1, depth - 2))
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
            root.is_exact = alpha < value < beta
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
    if first == 0:
        raw: cython.int = NO_SCORE if position.state.checkers else raw_score(worker)
        worker.table.store(position.state.key, 0, best_move, best, raw, depth, bound_of(best, first_alpha, beta), True)
    return best
