"""What not to look at, and what less: decisions, margins and reductions as functions of plain numbers, without a board.

The search asks these at every node; the numbers themselves stand in `params`. Those that are asked often are written
in `pruning.pxd`. What an idea is worth was measured by playing without it at 10,000 nodes a move: the table is in
docs/records/strength.md.
"""

from types import SimpleNamespace

import cython
from cython.cimports.libc.math import log
from cython.cimports.nowchess_uci.search.params import params
from cython.cimports.nowchess_uci.search.pruning import (
    PLY,
    Singular,
    asks_exchange,
    belies_static,
    doubt_reduction,
    exchange_margin,
    futility_margin,
    has_bad_history,
    history_reduction,
    is_futile,
    is_late,
    is_safely_above,
    late_move_count,
    move_reduction,
    node_reduction,
    reduction,
    reductions,
    reverse_futility_margin,
    revised_depth,
)
from cython.cimports.nowchess_uci.search.scores import is_decisive

from nowchess_uci.search.params import when_set


def fill_reductions() -> None:
    """Late moves are reduced by the product of two logarithms; captures by half of it."""
    depth: cython.int
    number: cython.int
    for depth in range(1, 64):
        for number in range(1, 64):
            product: cython.double = log(depth) * log(number) * 100.0 / params.reduction_divisor
            reductions[depth][0][number] = cython.cast(cython.int, PLY * product / 2)
            reductions[depth][1][number] = cython.cast(cython.int, PLY * (product + params.reduction_base / 100.0))


when_set(fill_reductions)


def null_move_lead(depth: cython.int) -> cython.int:
    """How far above beta the static score must be before passing is tried; with depth even a deficit will do.

    A shallow search that passes sees no threat in time, so only a clear lead is convincing there.
    """
    return params.null_lead - params.null_lead_slope * depth


def null_move_depth(depth: cython.int, static_score: cython.int, beta: cython.int) -> cython.int:
    """The depth left for proving that even passing keeps the score above beta."""
    extra: cython.int = min((static_score - beta) // params.null_score_divisor, 3)
    return depth - params.null_base - depth // params.null_depth_divisor - extra


def singular_limit(table_score: cython.int, depth: cython.int, was_pv: cython.bint) -> cython.int:
    """The score that all other moves must stay below for the table's move to be singular.

    Farther below where the principal variation has led through before: there the others have been searched well.
    """
    return table_score - params.singular_margin * depth * (2 if was_pv else 1)


def judge_singular(
    value: cython.int,
    limit: cython.int,
    table_score: cython.int,
    beta: cython.int,
    pv_node: cython.bint,
    cut_node: cython.bint,
) -> Singular:
    """What to do with the table's move, if the best of all others reaches `value` in a search around `limit`.

    All others are worse: search it one ply deeper, or two if they are much worse. The others beat beta as well: the
    node will fail high whatever comes (multicut). The table alone says so: two plies less, since the others come close,
    and one less wherever a cutoff is expected. Not two plies more on the principal variation, where the tree would
    explode. +23 Elo ±40 at 10,000 nodes; it needs depth.
    """
    result = cython.declare(Singular)
    result.extension = 0
    result.is_cutoff = False
    result.score = value
    if value < limit:
        result.extension = 2 if not pv_node and value < limit - params.double_extension_margin else 1
    elif value >= beta and not is_decisive(value):
        result.is_cutoff = True
    elif table_score >= beta:
        result.extension = -2
    elif cut_node:
        result.extension = -1
    return result


def history_bonus(depth: cython.int) -> cython.int:
    """What a cutoff at this depth teaches: the more, the larger the tree that it saved."""
    return min(params.history_bonus_slope * depth - params.history_bonus_offset, params.history_bonus_limit)


# For Python callers, who do not see the functions of the `.pxd`; the others can be called as they are.
decisions = SimpleNamespace(
    asks_exchange=asks_exchange,
    belies_static=belies_static,
    doubt_reduction=doubt_reduction,
    exchange_margin=exchange_margin,
    futility_margin=futility_margin,
    has_bad_history=has_bad_history,
    history_reduction=history_reduction,
    is_futile=is_futile,
    is_late=is_late,
    is_safely_above=is_safely_above,
    late_move_count=late_move_count,
    move_reduction=move_reduction,
    node_reduction=node_reduction,
    reduction=reduction,
    reverse_futility_margin=reverse_futility_margin,
    revised_depth=revised_depth,
)
