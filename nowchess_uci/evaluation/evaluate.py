"""The score of a position: a sum of weights, one value for the middlegame and one for the ending, blended.

Every term is a weight times a count, so that scripts/tune.py can fit all weights to the results of games; the same
code counts the terms for it (`trace`). Scores are centipawns for the side to move.
"""

import cython
from cython.cimports.nowchess_uci.evaluation.evaluate import (
    BISHOP_MOBILITY,
    BISHOP_PAIR,
    DOUBLED_PAWN,
    FULL_PHASE,
    ISOLATED_PAWN,
    KING_OPEN_FILE,
    KING_PRESSURE,
    KING_SHELTER,
    KNIGHT_MOBILITY,
    MATERIAL,
    MINOR_THREAT,
    PASSED_BLOCKED,
    PASSED_PAWN,
    PAWN_SUPPORT,
    PAWN_THREAT,
    PLACEMENT,
    QUEEN_MOBILITY,
    ROOK_HALF_OPEN_FILE,
    ROOK_MOBILITY,
    ROOK_OPEN_FILE,
    TEMPO,
    TERMS,
    Sum,
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

from nowchess_uci.evaluation.weights import WEIGHTS

DARK_SQUARES = cython.declare(U64, 0xAA55AA55AA55AA55)
middle_weights = cython.declare(cython.int[TERMS])
end_weights = cython.declare(cython.int[TERMS])


def load_weights(weights: tuple[tuple[int, int], ...]) -> None:
    """Use these (middlegame, ending) pairs from now on; only for start-up and for tools."""
    if len(weights) != TERMS:
        raise ValueError(f"{TERMS} weights expected, not {len(weights)}")
    index: cython.int
    for index in range(TERMS):
        middle_weights[index], end_weights[index] = weights[index]


load_weights(WEIGHTS)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def add(total: cython.pointer[Sum], term: cython.int, color: cython.int) -> cython.void:
    """Count a term once for a colour."""
    if color == WHITE:
        total.middle += middle_weights[term]
        total.end += end_weights[term]
    else:
        total.middle -= middle_weights[term]
        total.end -= end_weights[term]
    if total.trace != cython.NULL:
        total.trace[term] += 1 if color == WHITE else -1


def evaluate(position: Position) -> cython.int:
    """The score of a position for the side to move."""
    total = cython.declare(Sum)
    total.trace = cython.NULL
    sum_terms(position, cython.address(total))
    score: cython.int = scaled(position, total.middle, total.end)
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


def sum_terms(position: Position, total: cython.pointer[Sum]) -> cython.void:
    """Add up all terms, White minus Black."""
    total.middle = 0
    total.end = 0
    color: cython.int
    for color in range(2):
        add_pawns(position, color, total)
        add_pieces(position, color, total)
        add_king(position, color, total)
    add(total, TEMPO, position.side)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def pawn_attacks_of(pawns: U64, color: cython.int) -> U64:
    """Everything a colour's pawns attack."""
    if color == WHITE:
        return (pawns & ~file_mask(0)) << 7 | (pawns & ~file_mask(7)) << 9
    return (pawns & ~file_mask(0)) >> 9 | (pawns & ~file_mask(7)) >> 7


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def ahead_of(square: cython.int, color: cython.int) -> U64:
    """All ranks before a square, as the colour sees it."""
    if color == WHITE:
        return ~cython.cast(U64, 0) << (8 * rank_of(square)) << 8
    return ~cython.cast(U64, 0) >> (56 - 8 * rank_of(square)) >> 8


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def neighbour_files(square: cython.int) -> U64:
    """The files left and right of a square's."""
    own: U64 = file_mask(file_of(square))
    return (own & ~file_mask(0)) >> 1 | (own & ~file_mask(7)) << 1


def add_pawns(position: Position, color: cython.int, total: cython.pointer[Sum]) -> cython.void:
    """Material, placement and structure of one side's pawns."""
    own: U64 = position.by_type[PAWN] & position.by_color[color]
    enemy: U64 = position.by_type[PAWN] & position.by_color[color ^ 1]
    protected: U64 = pawn_attacks_of(own, color)
    flip: cython.int = 56 if color == BLACK else 0
    pawns: U64 = own
    while pawns:
        square: cython.int = lsb(pawns)
        pawns &= pawns - 1
        rank: cython.int = rank_of(square ^ flip)
        ahead: U64 = ahead_of(square, color)
        same_file: U64 = file_mask(file_of(square))
        sides: U64 = neighbour_files(square)
        add(total, MATERIAL + PAWN, color)
        add(total, PLACEMENT + 64 * PAWN + (square ^ flip), color)
        if not own & sides:
            add(total, ISOLATED_PAWN, color)
        if own & ahead & same_file:
            add(total, DOUBLED_PAWN, color)
        elif not enemy & ahead & (same_file | sides):
            add(total, PASSED_PAWN + rank, color)
            if position.occupied() & bit(square + 8 if color == WHITE else square - 8):
                add(total, PASSED_BLOCKED + rank, color)
        if protected & bit(square):
            add(total, PAWN_SUPPORT + rank, color)


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
            add(total, MATERIAL + piece_type, color)
            add(total, PLACEMENT + 64 * piece_type + (square ^ flip), color)
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
    add(total, PLACEMENT + 64 * KING + (king ^ (56 if color == BLACK else 0)), color)
    add(total, KING_SHELTER + min(popcount(pawns & shelter), 3), color)
    if not pawns & own_file:
        add(total, KING_OPEN_FILE, color)


# For tools and tests.

GROUP_STARTS = (
    ("material", MATERIAL),
    ("placement", PLACEMENT),
    ("mobility", KNIGHT_MOBILITY),
    ("king pressure", KING_PRESSURE),
    ("passed pawns", PASSED_PAWN),
    ("pawn structure", ISOLATED_PAWN),
    ("king shelter", KING_SHELTER),
    ("bishop pair", BISHOP_PAIR),
    ("rook files", ROOK_OPEN_FILE),
    ("threats", PAWN_THREAT),
    ("tempo", TEMPO),
    ("", TERMS),
)
# The terms in groups, each with its first one and the one after its last.
GROUPS = tuple((name, start, GROUP_STARTS[index + 1][1]) for index, (name, start) in enumerate(GROUP_STARTS[:-1]))


def weight_of(term: cython.int) -> tuple[int, int]:
    """The (middlegame, ending) pair of a term."""
    if not 0 <= term < TERMS:
        raise IndexError(f"no term has the number {term}")
    return middle_weights[term], end_weights[term]


def score_of(position: Position) -> int:
    """`evaluate` for Python callers."""
    return evaluate(position)


def trace_of(position: Position) -> tuple[dict[int, int], int, int, int]:
    """The terms used (White minus Black), the phase, and the ending's scale if White or Black is the stronger side."""
    counts = cython.declare(cython.short[TERMS])
    index: cython.int
    for index in range(TERMS):
        counts[index] = 0
    total = cython.declare(Sum)
    total.trace = counts
    sum_terms(position, cython.address(total))
    used = {index: counts[index] for index in range(TERMS) if counts[index]}
    return used, game_phase(position), end_scale(position, WHITE), end_scale(position, BLACK)
