"""What scores mean, for Python callers, who do not see the C constants and functions of `scores.pxd`."""

import cython
from cython.cimports.nowchess_uci.search.scores import INFINITE, MATE, MAX_PLY, is_decisive, plies_to_mate

MATE_SCORE = MATE
INFINITE_SCORE = INFINITE
DEEPEST_PLY = MAX_PLY


def is_mate_score(score: cython.int) -> bool:
    """True if a score means that one side mates by force."""
    return is_decisive(score)


def moves_to_mate(score: cython.int) -> int | None:
    """In how many moves the side to move mates (positive) or is mated (negative or 0); None if neither is forced."""
    if not is_decisive(score):
        return None
    plies: cython.int = plies_to_mate(score)
    return (plies + 1) // 2 if score > 0 else -(plies // 2)
