"""What scores mean, for Python callers, who do not see the C constants and functions of `scores.pxd`."""

import cython
from cython.cimports.nowchess_uci.search.scores import (
    INFINITE,
    MATE,
    MAX_PLY,
    SHOWN_WIN,
    TABLEBASE_WIN,
    is_decisive,
    is_mate,
    plies_to_end,
)

MATE_SCORE = MATE
INFINITE_SCORE = INFINITE
DEEPEST_PLY = MAX_PLY
TABLEBASE_SCORE = TABLEBASE_WIN


def is_mate_score(score: cython.int) -> bool:
    """True if a score means that one side mates by force."""
    return is_mate(score)


def moves_to_mate(score: cython.int) -> int | None:
    """In how many moves the side to move mates (positive) or is mated (negative or 0); None if neither is forced."""
    if not is_mate(score):
        return None
    plies: cython.int = plies_to_end(score)
    return (plies + 1) // 2 if score > 0 else -(plies // 2)


def centipawns(score: cython.int) -> int | None:
    """The score as it is shown, a win by the tablebases as 200 pawns less its plies; None for a mate."""
    if is_mate(score):
        return None
    if not is_decisive(score):
        return score
    plies: cython.int = plies_to_end(score)
    return SHOWN_WIN - plies if score > 0 else plies - SHOWN_WIN
