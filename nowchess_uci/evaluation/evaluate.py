"""The score of a position: a sum of weights, one value for the middlegame and one for the ending, blended.

Every term is a weight times a count, so that scripts/tune.py can fit all weights to the results of games; the same
code counts the terms for it (`trace`). Scores are centipawns for the side to move.
"""

import cython
from cython.cimports.nowchess_uci.evaluation.evaluate import FULL_PHASE, Memory
from cython.cimports.nowchess_uci.evaluation.pawns import (
    PawnEntry,
    add_pawn_structure,
    ahead_of,
    pawn_attacks_of,
)
from cython.cimports.nowchess_uci.evaluation.terms import (
    BISHOP_MOBILITY,
    BISHOP_PAIR,
    KING_OPEN_FILE,
    KING_PRESSURE,
    KING_SHELTER,
    KNIGHT_MOBILITY,
    MINOR_THREAT,
    PASSED_BLOCKED,
    PAWN_THREAT,
    QUEEN_MOBILITY,
    ROOK_HALF_OPEN_FILE,
    ROOK_MOBILITY,
    ROOK_OPEN_FILE,
    TEMPO,
    TERMS,
    Sum,
    add,
    add_piece,
    end_of,
    middle_of,
)
from cython.cimports.nowchess_uci.rules.attacks import bishop_attacks, rook_attacks, tables
from cython.cimports.nowchess_uci.rules.bits import U64, bit, has_several, lsb, popcount
from cython.cimports.nowchess_uci.rules.constants import (
    BISHOP,
    BLACK,
    KING,
    KNIGHT,
    PAWN,
    QUEEN,
    ROOK,
    WHITE,
    file_mask,
    file_of,
    rank_of,
)
from cython.cimports.nowchess_uci.rules.position import Position

DARK_SQUARES = cython.declare(U64, 0xAA55AA55AA55AA55)


def evaluate(position: Position, memory: cython.pointer[Memory]) -> cython.int:
    """The score of a position for the side to move; the memory makes it faster and may be NULL."""
    total = cython.declare(Sum)
    total.trace = cython.NULL
    sum_terms(position, cython.address(total), memory)
    score: cython.int = scaled(position, middle_of(total.score), end_of(total.score))
    return score if position.side == WHITE else -score


def game_phase(position: Position) -> cython.int:
    """24 with all pieces on the board, 0 with kings and pawns only."""
    phase: cython.int = (
        popcount(position.by_type[KNIGHT] | position.by_type[BISHOP])
        + 2 * popcount(position.by_type[ROOK])
        + 4 * popcount(position.by_type[QUEEN])
    )
    return FULL_PHASE if phase > FULL_PHASE else phase


def scaled(position: Position, middle: cython.int, end: cython.int) -> cython.int:
    """Blend both values by the material left, and pull endings that are hard to win towards a draw."""
    phase: cython.int = game_phase(position)
    end = end * end_scale(position, WHITE if end > 0 else BLACK) // 64
    return (middle * phase + end * (FULL_PHASE - phase)) // FULL_PHASE


def end_scale(position: Position, strong: cython.int) -> cython.int:
    """How much of an ending's advantage counts, in 64ths."""
    pawns: U64 = position.by_type[PAWN] & position.by_color[strong]
    rooks_queens: U64 = position.by_type[ROOK] | position.by_type[QUEEN]
    minors: U64 = position.by_type[KNIGHT] | position.by_type[BISHOP]
    own_minors: U64 = minors & position.by_color[strong]
    if not pawns and not rooks_queens & position.by_color[strong] and not has_several(own_minors):
        return 4  # a single minor piece wins nothing
    bishops: U64 = position.by_type[BISHOP]
    if (
        not rooks_queens
        and not position.by_type[KNIGHT]
        and popcount(bishops & position.by_color[WHITE]) == 1
        and popcount(bishops & position.by_color[BLACK]) == 1
        and bishops & DARK_SQUARES
        and bishops & ~DARK_SQUARES
    ):
        return 32  # bishops of opposite colours
    if not has_several(pawns):
        return 48  # with one pawn or none, trading it draws
    return 64


def sum_terms(position: Position, total: cython.pointer[Sum], memory: cython.pointer[Memory]) -> cython.void:
    """Add up all terms, White minus Black."""
    total.score = 0
    entries: cython.pointer[PawnEntry] = memory.pawns if memory != cython.NULL else cython.NULL
    passed: U64 = add_pawn_structure(position, total, entries)
    color: cython.int
    for color in range(2):
        add_passed(position, passed & position.by_color[color], color, total)
        add_pieces(position, color, total)
        add_king(position, color, total)
    add(total, TEMPO, position.side)


def add_passed(position: Position, passed: U64, color: cython.int, total: cython.pointer[Sum]) -> cython.void:
    """What the pieces mean for one side's passed pawns."""
    while passed:
        square: cython.int = lsb(passed)
        passed &= passed - 1
        rank: cython.int = rank_of(square ^ (56 if color == BLACK else 0))
        if position.occupied() & bit(square + 8 if color == WHITE else square - 8):
            add(total, PASSED_BLOCKED + rank, color)


def add_pieces(position: Position, color: cython.int, total: cython.pointer[Sum]) -> cython.void:
    """Material, placement, mobility, threats and pressure on the enemy king of one side's pieces."""
    own: U64 = position.by_color[color]
    enemy: U64 = position.by_color[color ^ 1]
    occupied: U64 = own | enemy
    pawns: U64 = position.by_type[PAWN]
    unsafe: U64 = pawn_attacks_of(pawns & enemy, color ^ 1)
    free: U64 = ~(unsafe | (own & (pawns | position.by_type[KING])))
    zone: U64 = tables.king[position.king_square(color ^ 1)]
    flip: cython.int = 56 if color == BLACK else 0
    piece_type: cython.int
    victims: U64
    for piece_type in range(KNIGHT, KING):
        pieces: U64 = position.by_type[piece_type] & own
        while pieces:
            square: cython.int = lsb(pieces)
            pieces &= pieces - 1
            add_piece(total, piece_type, square ^ flip, color)
            reach: U64
            if piece_type == KNIGHT:
                reach = tables.knight[square]
                add(total, KNIGHT_MOBILITY + popcount(reach & free), color)
            elif piece_type == BISHOP:
                reach = bishop_attacks(square, occupied ^ (position.by_type[QUEEN] & own))
                add(total, BISHOP_MOBILITY + popcount(reach & free), color)
            elif piece_type == ROOK:
                reach = rook_attacks(square, occupied ^ ((position.by_type[QUEEN] | position.by_type[ROOK]) & own))
                add(total, ROOK_MOBILITY + popcount(reach & free), color)
                if not pawns & file_mask(file_of(square)):
                    add(total, ROOK_OPEN_FILE, color)
                elif not pawns & own & file_mask(file_of(square)):
                    add(total, ROOK_HALF_OPEN_FILE, color)
            else:
                reach = bishop_attacks(square, occupied) | rook_attacks(square, occupied)
                add(total, QUEEN_MOBILITY + popcount(reach & free), color)
            near_king: cython.int = popcount(reach & zone)
            if near_king:
                add(total, KING_PRESSURE + 8 * (piece_type - KNIGHT) + min(near_king, 7), color)
            if piece_type <= BISHOP:
                victims = reach & enemy & (position.by_type[ROOK] | position.by_type[QUEEN])
                while victims:
                    add(total, MINOR_THREAT + (position.board[lsb(victims)] >> 1), color)
                    victims &= victims - 1
    victims = pawn_attacks_of(pawns & own, color) & enemy & ~(pawns | position.by_type[KING])
    while victims:
        add(total, PAWN_THREAT + (position.board[lsb(victims)] >> 1), color)
        victims &= victims - 1
    if has_several(position.by_type[BISHOP] & own):
        add(total, BISHOP_PAIR, color)


def add_king(position: Position, color: cython.int, total: cython.pointer[Sum]) -> cython.void:
    """Placement and shelter of one side's king."""
    king: cython.int = position.king_square(color)
    pawns: U64 = position.by_type[PAWN] & position.by_color[color]
    own_file: U64 = file_mask(file_of(king))
    shelter: U64 = tables.king[king] & ahead_of(king, color)
    shelter |= shelter << 8 if color == WHITE else shelter >> 8
    add_piece(total, KING, king ^ (56 if color == BLACK else 0), color)
    add(total, KING_SHELTER + min(popcount(pawns & shelter), 3), color)
    if not pawns & own_file:
        add(total, KING_OPEN_FILE, color)


# For tools and tests.


def score_of(position: Position) -> int:
    """`evaluate` for Python callers."""
    return evaluate(position, cython.NULL)


def trace_of(position: Position) -> tuple[dict[int, int], int, int, int]:
    """The terms used (White minus Black), the phase, and the ending's scale if White or Black is the stronger side."""
    counts = cython.declare(cython.short[TERMS])
    index: cython.int
    for index in range(TERMS):
        counts[index] = 0
    total = cython.declare(Sum)
    total.trace = counts
    sum_terms(position, cython.address(total), cython.NULL)
    used = {index: counts[index] for index in range(TERMS) if counts[index]}
    return used, game_phase(position), end_scale(position, WHITE), end_scale(position, BLACK)
