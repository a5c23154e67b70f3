"""The weights in use, and the groups they belong to."""

from itertools import pairwise

import cython
from cython.cimports.nowchess_uci.evaluation.terms import (
    DANGER,
    DANGER_DIVISOR,
    ISOLATED_PAWN,
    KING_PRESSURE,
    KING_SHELTER,
    KNIGHT_MOBILITY,
    MATERIAL,
    OUTPOST,
    PASSED_PAWN,
    PAWN_THREAT,
    PLACEMENT,
    TEMPO,
    TERMS,
    end_of,
    middle_of,
    weights,
)

from nowchess_uci.evaluation.weights import WEIGHTS

GROUP_STARTS = (
    ("material", MATERIAL),
    ("placement", PLACEMENT),
    ("mobility", KNIGHT_MOBILITY),
    ("pieces", OUTPOST),
    ("passed pawns", PASSED_PAWN),
    ("pawn structure", ISOLATED_PAWN),
    ("king shelter", KING_SHELTER),
    ("king pressure", KING_PRESSURE),
    ("threats", PAWN_THREAT),
    ("tempo", TEMPO),
    ("king danger", DANGER),
    ("", TERMS),
)
# The terms in groups, each with its first one and the one after its last.
GROUPS = tuple((name, start, following) for (name, start), (_, following) in pairwise(GROUP_STARTS))

DANGER_SCALE = DANGER_DIVISOR  # for Python callers, who do not see the C constant


def load_weights(pairs: tuple[tuple[int, int], ...]) -> None:
    """Use these (middlegame, ending) pairs from now on; only for start-up and for tools."""
    if len(pairs) != TERMS:
        raise ValueError(f"{TERMS} weights expected, not {len(pairs)}")
    index: cython.int
    for index in range(TERMS):
        weights.term[index] = 65536 * pairs[index][1] + pairs[index][0]
    piece_type: cython.int
    square: cython.int
    for piece_type in range(5):
        for square in range(64):
            placement: cython.int = weights.term[PLACEMENT + 64 * piece_type + square]
            weights.piece[piece_type][square] = weights.term[MATERIAL + piece_type] + placement


load_weights(WEIGHTS)


def weight_of(term: cython.int) -> tuple[int, int]:
    """The (middlegame, ending) pair of a term."""
    if not 0 <= term < TERMS:
        raise IndexError(f"no term has the number {term}")
    return middle_of(weights.term[term]), end_of(weights.term[term])
