"""The score of a position for the side to move, in centipawns: the network's, scaled by material, and corrected where
endings are known."""
# mypy: disable-error-code="attr-defined,has-type"

import cython
from cython.cimports.libc.stdlib import free
from cython.cimports.nowchess_uci.evaluation.accumulators import (
    BEST_SCORE,
    Accumulators,
    forget_sums,
    network_score,
    use_network,
)
from cython.cimports.nowchess_uci.evaluation.endings import with_endings
from cython.cimports.nowchess_uci.evaluation.network import Network
from cython.cimports.nowchess_uci.rules.bits import U64, popcount
from cython.cimports.nowchess_uci.rules.constants import BISHOP, EMPTY, KING, KNIGHT, QUEEN, ROOK, type_of
from cython.cimports.nowchess_uci.rules.position import Position

from nowchess_uci.evaluation.network import default_network


def evaluate(position: Position, memory: cython.pointer[Accumulators]) -> cython.int:
    """The score of a position; the memory, which each thread has for itself, holds the network."""
    return with_endings(position, weighed(position, network_score(position, memory)))


def weighed(position: Position, score: cython.int) -> cython.int:
    """A score that counts the more, the more pieces there are to use a lead with: a tenth more than the network says
    with all of them, a sixth less with none. +11 Elo ±19.
    """
    minors: U64 = position.by_type[KNIGHT] | position.by_type[BISHOP]
    material: cython.int = (
        3 * popcount(minors) + 5 * popcount(position.by_type[ROOK]) + 9 * popcount(position.by_type[QUEEN])
    )
    score = score * (200 + material) // 240
    return max(-BEST_SCORE, min(BEST_SCORE, score))


# For people, tools and tests.


class Evaluator:
    """`evaluate` for Python callers, with a memory of its own."""

    def __init__(self, network: Network | None = None) -> None:
        if self.network is not None:
            raise TypeError("an evaluator is made once")
        self.network = default_network() if network is None else network
        use_network(cython.address(self.memory), self.network)

    def __dealloc__(self) -> None:
        free(self.memory.memory)

    def score(self, position: Position) -> int:
        """What the search is told."""
        return evaluate(position, cython.address(self.memory))

    def network_score(self, position: Position) -> int:
        """What the network says."""
        return network_score(position, cython.address(self.memory))

    def worth(self, position: Position, square: int) -> int | None:
        """What the piece on a square adds to what the network says; None for a king or an empty square."""
        if not 0 <= square < 64:
            raise ValueError(f"squares are numbered from 0 to 63, not {square}")
        piece: cython.int = position.board[square]
        if piece == EMPTY or type_of(piece) == KING:
            return None
        without: Position = position.copy()
        without.take(piece, square)
        forget_sums(cython.address(self.memory))  # the position without a piece has no key of its own
        rest: cython.int = network_score(without, cython.address(self.memory))
        forget_sums(cython.address(self.memory))
        return network_score(position, cython.address(self.memory)) - rest
