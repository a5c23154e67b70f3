"""The score of a position: a network's, if the memory has one, or else a sum of weights.

A weight has one value for the middlegame and one for the ending, which are blended.

Every term is a weight times a count, only the danger for a king is the square of such a sum: so
scripts/training/tune.py can fit all weights to the results of games; the same code counts the terms for it (`trace`).
Scores are centipawns for the side to move.
"""
# mypy: disable-error-code="has-type"

import cython
from cython.cimports.libc.stdlib import calloc, free
from cython.cimports.libc.string import memset
from cython.cimports.nowchess_uci.evaluation.accumulators import network_score, use_network
from cython.cimports.nowchess_uci.evaluation.endings import (
    distance,
    end_scale,
    is_lone_king,
    lead,
    mating_drive,
    scale_without_pawns,
)
from cython.cimports.nowchess_uci.evaluation.evaluate import FULL_PHASE, HARDLY_WON, KNOWN_WIN, Memory
from cython.cimports.nowchess_uci.evaluation.king import add_attack, add_king
from cython.cimports.nowchess_uci.evaluation.network import Network
from cython.cimports.nowchess_uci.evaluation.pawns import PawnEntry, add_pawn_structure, ahead_of
from cython.cimports.nowchess_uci.evaluation.pieces import Reach, add_pieces, add_threats, start_reach
from cython.cimports.nowchess_uci.evaluation.terms import (
    PASSED_BLOCKED,
    PASSED_ENEMY_KING,
    PASSED_FREE,
    PASSED_OWN_KING,
    PASSED_PATH,
    PASSED_ROOK_BEHIND,
    PASSED_UNSTOPPABLE,
    TEMPO,
    TERMS,
    Sum,
    add,
    add_times,
    end_of,
    middle_of,
)
from cython.cimports.nowchess_uci.rules.bits import U64, bit, lsb, popcount
from cython.cimports.nowchess_uci.rules.constants import (
    BISHOP,
    BLACK,
    KING,
    KNIGHT,
    PAWN,
    PAWN_VALUE,
    QUEEN,
    ROOK,
    WHITE,
    file_mask,
    file_of,
    rank_of,
)
from cython.cimports.nowchess_uci.rules.position import Position


def evaluate(position: Position, memory: cython.pointer[Memory]) -> cython.int:
    """The score of a position for the side to move; the memory makes it faster and may be NULL."""
    if memory != cython.NULL and memory.accumulators.layers != cython.NULL:
        return with_endings(position, network_score(position, cython.address(memory.accumulators)))
    return score_by_hand(position, memory)


def with_endings(position: Position, score: cython.int) -> cython.int:
    """A network's score with what it cannot know: endings that nobody wins, and how a lone king is mated.

    Against a lone king the network is not asked at all: what it thinks of this square or that would hide the way.
    """
    side: cython.int = position.side
    color: cython.int
    for color in range(2):
        if is_lone_king(position, color ^ 1):
            drive: cython.int = mating_drive(position, color)
            if drive:
                pawns: cython.int = popcount(position.by_type[PAWN] & position.by_color[color])
                won: cython.int = KNOWN_WIN + lead(position, color) + PAWN_VALUE * pawns + drive
                return won if side == color else -won
    strong: cython.int = side if score > 0 else side ^ 1
    if not position.by_type[PAWN] & position.by_color[strong]:
        scale: cython.int = scale_without_pawns(position, strong)
        if scale <= HARDLY_WON:
            score = score * scale // 64
    if not position.by_type[PAWN]:
        score += mating_drive(position, side) - mating_drive(position, side ^ 1)
    return score


def score_by_hand(position: Position, memory: cython.pointer[Memory]) -> cython.int:
    """The sum of terms for the side to move."""
    total = cython.declare(Sum)
    total.trace = cython.NULL
    total.danger = cython.NULL
    sum_terms(position, cython.address(total), memory)
    score: cython.int = blended(position, middle_of(total.score), end_of(total.score))
    score += mating_drive(position, WHITE) - mating_drive(position, BLACK)
    return score if position.side == WHITE else -score


def game_phase(position: Position) -> cython.int:
    """24 with all pieces on the board, 0 with kings and pawns only."""
    phase: cython.int = (
        popcount(position.by_type[KNIGHT] | position.by_type[BISHOP])
        + 2 * popcount(position.by_type[ROOK])
        + 4 * popcount(position.by_type[QUEEN])
    )
    return FULL_PHASE if phase > FULL_PHASE else phase


def blended(position: Position, middle: cython.int, end: cython.int) -> cython.int:
    """One score of both values by the material left, endings that are hard to win pulled towards a draw."""
    phase: cython.int = game_phase(position)
    end = end * end_scale(position, WHITE if end > 0 else BLACK) // 64
    return (middle * phase + end * (FULL_PHASE - phase)) // FULL_PHASE


def sum_terms(position: Position, total: cython.pointer[Sum], memory: cython.pointer[Memory]) -> cython.void:
    """Add up all terms, White minus Black."""
    total.score = 0
    spare = cython.declare(PawnEntry)
    entries: cython.pointer[PawnEntry] = memory.pawns if memory != cython.NULL else cython.NULL
    reach = cython.declare(Reach)
    start_reach(position, cython.address(reach))
    pawns: cython.pointer[PawnEntry] = add_pawn_structure(position, total, entries, cython.address(spare))
    color: cython.int
    for color in range(2):
        add_pieces(position, color, total, cython.address(reach))
        add_king(position, color, total, pawns)
    for color in range(2):
        add_threats(position, color, total, cython.address(reach))
        add_attack(position, color, total, cython.address(reach))
        add_passed(position, pawns.passed & position.by_color[color], color, total, cython.address(reach))
    add(total, TEMPO, position.side)


def add_passed(
    position: Position, passed: U64, color: cython.int, total: cython.pointer[Sum], reach: cython.pointer[Reach]
) -> cython.void:
    """What pieces and kings mean for one side's passed pawns."""
    while passed:
        square: cython.int = lsb(passed)
        passed &= passed - 1
        rank: cython.int = rank_of(square ^ (56 if color == BLACK else 0))
        stop: cython.int = square + 8 if color == WHITE else square - 8
        if position.occupied() & bit(stop):
            add(total, PASSED_BLOCKED + rank, color)
        elif not reach.all[color ^ 1] & bit(stop):
            add(total, PASSED_FREE + rank, color)
        path: U64 = ahead_of(square, color) & file_mask(file_of(square))
        if not path & (position.occupied() | reach.all[color ^ 1]):
            add(total, PASSED_PATH + rank, color)
        behind: U64 = position.by_type[ROOK] & file_mask(file_of(square)) & ahead_of(square, color ^ 1)
        if behind & position.by_color[color]:
            add(total, PASSED_ROOK_BEHIND, color)
        if behind & position.by_color[color ^ 1]:
            add(total, PASSED_ROOK_BEHIND + 1, color)
        if not path & position.occupied() and outruns_king(position, square, rank, color):
            add(total, PASSED_UNSTOPPABLE, color)
        if rank >= 3:
            add_times(total, PASSED_OWN_KING + distance(stop, position.king_square(color)), color, rank - 2)
            add_times(total, PASSED_ENEMY_KING + distance(stop, position.king_square(color ^ 1)), color, rank - 2)


def outruns_king(position: Position, square: cython.int, rank: cython.int, color: cython.int) -> cython.bint:
    """True if the enemy has a king only to stop a pawn whose path is free, and it comes too late."""
    if position.by_color[color ^ 1] & ~(position.by_type[KING] | position.by_type[PAWN]):
        return False
    goal: cython.int = file_of(square) + (56 if color == WHITE else 0)
    moves: cython.int = min(7 - rank, 5)
    return moves < distance(goal, position.king_square(color ^ 1)) - (position.side != color)


# For tools and tests.


class Evaluator:
    """`evaluate` for Python callers, with a memory of its own and, perhaps, a network."""

    def __init__(self, network: Network | None = None) -> None:
        if self.memory != cython.NULL:
            raise TypeError("an evaluator is made once")
        self.memory = cython.cast(cython.pointer[Memory], calloc(1, cython.sizeof(Memory)))
        if self.memory == cython.NULL:
            raise MemoryError("no memory for an evaluation")
        self.network = network
        use_network(cython.address(self.memory.accumulators), network)

    def __dealloc__(self) -> None:
        if self.memory != cython.NULL:
            free(self.memory.accumulators.memory)
        free(self.memory)

    def score(self, position: Position) -> int:
        """In centipawns for the side to move."""
        return evaluate(position, self.memory)


def score_of(position: Position) -> int:
    """`evaluate` for Python callers, without a network."""
    return evaluate(position, cython.NULL)


def trace_of(position: Position) -> tuple[dict[int, int], tuple[dict[int, int], dict[int, int]], int, int, int]:
    """The terms used (White minus Black), the units of White's and Black's attack, the phase, and the ending's scale if
    White or Black is the stronger side."""
    counts = cython.declare(cython.short[TERMS])
    danger = cython.declare(cython.short[TERMS][2])
    memset(counts, 0, cython.sizeof(counts))
    memset(danger, 0, cython.sizeof(danger))
    total = cython.declare(Sum)
    total.trace = counts
    total.danger = danger[0]
    sum_terms(position, cython.address(total), cython.NULL)
    used = {index: counts[index] for index in range(TERMS) if counts[index]}
    white = {index: danger[0][index] for index in range(TERMS) if danger[0][index]}
    black = {index: danger[1][index] for index in range(TERMS) if danger[1][index]}
    return used, (white, black), game_phase(position), end_scale(position, WHITE), end_scale(position, BLACK)
