# The decisions of every node and every move are here, so that they cost no call; the rare ones are in pruning.py, with
# the introduction to all of them.

from nowchess_uci.search.params cimport params
from nowchess_uci.search.scores cimport is_decisive, is_win
from nowchess_uci.search.table cimport LOWER, UPPER

cdef enum:
    # Down to which depth an idea is used.
    REVERSE_FUTILITY_DEPTH = 9
    FUTILITY_DEPTH = 8
    HISTORY_DEPTH = 4
    QUIET_EXCHANGE_DEPTH = 8
    TACTICAL_EXCHANGE_DEPTH = 7
    PLY = 1024              # reductions are counted in parts of a ply

# What a search without the table's move says about that move.
cdef struct Singular:
    int extension       # plies to search the move deeper; negative: less deep
    bint is_cutoff      # other moves beat beta too: the node can return `score` at once
    int score

cdef int reductions[64][2][64]      # by depth, quiet or not, number of the move

cpdef int null_move_lead(int depth) noexcept nogil
cpdef int null_move_depth(int depth, int static_score, int beta) noexcept nogil
cpdef int singular_limit(int table_score, int depth, bint was_pv) noexcept nogil
cpdef Singular judge_singular(int value, int limit, int table_score, int beta, bint pv_node, bint cut_node) noexcept nogil
cpdef int history_bonus(int depth) noexcept nogil


# The whole node.


cdef inline int reverse_futility_margin(int depth, bint improving) noexcept nogil:
    """How far above beta a static score must be to trust that it stays there."""
    return params.reverse_futility_margin * depth - (params.reverse_futility_improving if improving else 0)


cdef inline bint is_safely_above(int score, int beta, int depth, bint improving) noexcept nogil:
    """Reverse futility: so far above beta that a shallow search will not bring the score down.

    The margin grows with depth and shrinks while the score is rising. Risk: a threat that the evaluation does not see.
    Not for mate scores, which are no estimates. +123 Elo ±72.
    """
    return (
        depth <= REVERSE_FUTILITY_DEPTH
        and score - reverse_futility_margin(depth, improving) >= beta
        and not is_win(score)
    )


# The decision to skip a move. `shallow` is the depth that a late move would be searched to after its reduction.


cdef inline int late_move_count(int depth, bint improving) noexcept nogil:
    """How many moves to look at before the remaining quiet ones are skipped."""
    cdef int count = params.late_move_base + depth * depth
    return count if improving else count // 2 + 1


cdef inline bint is_late(int moves_before, int depth, bint improving) noexcept nogil:
    """Late-move pruning: after so many moves, the order says that the quiet ones left are no better.

    At every depth, though the count soon exceeds what a position has. Risk: a quiet move that no history knows. +120
    Elo ±55.
    """
    return moves_before >= late_move_count(depth, improving)


cdef inline int futility_margin(int depth) noexcept nogil:
    """How far below alpha the static score makes a quiet move hopeless."""
    return params.futility_base + params.futility_margin * depth


cdef inline bint is_futile(int static_score, int alpha, int shallow) noexcept nogil:
    """Futility: so far below alpha that no quiet move will bring the score up.

    Only near the leaves. Risk: a quiet move with a threat, hence not for checks, which the caller looks at. +49 Elo
    ±43.
    """
    return shallow <= FUTILITY_DEPTH and static_score + futility_margin(shallow) <= alpha


cdef inline bint has_bad_history(int history, int depth, int shallow) noexcept nogil:
    """Pruning by history: a quiet move that has failed again and again will fail here too.

    Only next to the leaves, and the deeper the node, the worse the history must be. Risk: the move was never tried in
    such a position. -19 Elo ±36, in a longer test +3 ±15: no gain is proven.
    """
    return shallow <= HISTORY_DEPTH and history < -params.history_prune_margin * depth


cdef inline bint asks_exchange(int depth, bint quiet) noexcept nogil:
    """True near the leaves, where a move that loses material by plain exchange is not worth a search."""
    return depth <= (QUIET_EXCHANGE_DEPTH if quiet else TACTICAL_EXCHANGE_DEPTH)


cdef inline int exchange_margin(int depth, bint quiet) noexcept nogil:
    """Pruning by exchange: what the exchange that a move starts must gain at least, a negative number.

    Risk: a sacrifice, hence a move may lose the more, the deeper the node. +80 Elo ±46 for quiet moves, +17 ±40 for
    captures.
    """
    return -(params.quiet_exchange_margin if quiet else params.tactical_exchange_margin) * depth


# Reductions: the sum of the three is by how many plies a late move is searched shallower at first. If it then beats
# alpha it is searched again in full, so that the risk is time, and what the shallow search overlooks. Together +164
# Elo ±63; the terms one by one are not measured, but for the killer as a whole, whose gain is not proven (-21 ±40, in a
# longer test +6 ±21).


cdef inline int reduction(int depth, int move_number, bint quiet) noexcept nogil:
    """The more, the deeper the node and the later the move; captures less than quiet moves. In 1024ths, as all."""
    return reductions[min(depth, 63)][quiet][min(move_number, 63)]


cdef inline int node_reduction(bint improving, bint cut_node, bint pv_node, bint was_pv) noexcept nogil:
    """What the node adds: more if the score is not rising, and if the first move should have cut off.

    Less on the principal variation, where a mistake would be played, and where one has led through before.
    """
    return PLY * (not improving) + PLY * 3 // 2 * cut_node - PLY * pv_node - PLY * was_pv


cdef inline int doubt_reduction(bint tactical_table_move, int cutoffs_after, int correction) noexcept nogil:
    """What the node's surroundings add: more if the best move seems to be a capture, or if the answers cut off readily.

    Less where the static score has been wrong, which makes every decision that rests on it doubtful.
    """
    return PLY * 3 // 4 * tactical_table_move + PLY * 3 // 4 * (cutoffs_after > 3) - PLY // 2 * (correction > 50)


cdef inline int history_reduction(int history) noexcept nogil:
    """Less for a move that has done well, more for one that has done badly."""
    return -history * PLY // params.reduction_history_divisor


cdef inline int move_reduction(bint gives_check, int history, bint is_killer) noexcept nogil:
    """What the move adds: less for a check, for a killer and for a good history, more for a bad one."""
    return history_reduction(history) - PLY * gives_check - PLY * is_killer


cdef inline int revised_depth(int value, int best, int depth) noexcept nogil:
    """What the full search of a move that did well when reduced adds to its depth.

    A ply more if it was much better than the best so far, and a ply less if hardly, for then little has changed.
    """
    return (value > best + params.deeper_margin + 2 * depth) - (value < best + params.shallower_margin)


# What a node has learnt.


cdef inline bint belies_static(int score, int static_score, int bound) noexcept nogil:
    """True if a result proves the static score wrong: a bound on its far side proves nothing, and mates are no error.

    Part of the correction of static scores, +28 Elo ±39.
    """
    if is_decisive(score):
        return False
    return not (bound == LOWER and score <= static_score) and not (bound == UPPER and score >= static_score)
