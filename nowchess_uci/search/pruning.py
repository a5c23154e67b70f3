"""How much to cut: margins, reductions and bonuses as functions of plain numbers, without a board.

The search asks these when it decides what not to look at; the numbers themselves stand in `params`.
"""

import cython
from cython.cimports.libc.math import log
from cython.cimports.nowchess_uci.search.params import params

reductions = cython.declare(cython.int[64][2][64])


def fill_reductions() -> None:
    """Late moves are reduced by the product of two logarithms; captures by half of it."""
    depth: cython.int
    number: cython.int
    for depth in range(1, 64):
        for number in range(1, 64):
            product: cython.double = log(depth) * log(number) * 100.0 / params.reduction_divisor
            reductions[depth][0][number] = cython.cast(cython.int, product / 2)
            reductions[depth][1][number] = cython.cast(cython.int, product + params.reduction_base / 100.0)


fill_reductions()


def reverse_futility_margin(depth: cython.int, improving: cython.bint) -> cython.int:
    """How far above beta a static score must be to trust that it stays there."""
    return params.reverse_futility_margin * depth - (params.reverse_futility_improving if improving else 0)


def null_move_depth(depth: cython.int, static_score: cython.int, beta: cython.int) -> cython.int:
    """The depth left for proving that even passing keeps the score above beta."""
    extra: cython.int = min((static_score - beta) // params.null_score_divisor, 3)
    return depth - params.null_base - depth // params.null_depth_divisor - extra


def late_move_count(depth: cython.int, improving: cython.bint) -> cython.int:
    """How many moves to try before the remaining quiet ones are skipped."""
    count: cython.int = params.late_move_base + depth * depth
    return count if improving else count // 2 + 1


def futility_margin(depth: cython.int) -> cython.int:
    """How far below alpha the static score makes a quiet move hopeless."""
    return params.futility_base + params.futility_margin * depth


def exchange_margin(depth: cython.int, quiet: cython.bint) -> cython.int:
    """The worst exchange a move may start and still be looked at."""
    if quiet:
        return -params.quiet_exchange_margin * depth
    return -params.tactical_exchange_margin * depth


def reduction(depth: cython.int, move_number: cython.int, quiet: cython.bint) -> cython.int:
    """By how many plies a late move is searched shallower at first."""
    return reductions[min(depth, 63)][quiet][min(move_number, 63)]


def history_bonus(depth: cython.int) -> cython.int:
    """What a cutoff at this depth teaches."""
    return min(170 * depth - 60, 1800)
