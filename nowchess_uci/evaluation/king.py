"""The king: the pawns before it, and what the enemy has gathered against it."""

import cython
from cython.cimports.nowchess_uci.evaluation.pawns import PawnEntry, ahead_of
from cython.cimports.nowchess_uci.evaluation.pieces import Reach
from cython.cimports.nowchess_uci.evaluation.terms import (
    KING_DANGER,
    KING_PAWN_ATTACK,
    KING_SHELTER,
    KING_STORM,
    KING_WEAK,
    SAFE_CHECK,
    Sum,
    add,
    add_piece,
    add_times,
)
from cython.cimports.nowchess_uci.rules.attacks import bishop_attacks, rook_attacks, tables
from cython.cimports.nowchess_uci.rules.bits import U64, lsb, msb, popcount
from cython.cimports.nowchess_uci.rules.constants import (
    BISHOP,
    BLACK,
    KING,
    KNIGHT,
    PAWN,
    QUEEN,
    ROOK,
    file_mask,
    file_of,
    rank_mask,
    rank_of,
)
from cython.cimports.nowchess_uci.rules.position import Position

MOST_DANGER = cython.declare(cython.int, 39)
CHECK_UNITS = cython.declare(cython.int, 3)  # what a safe check adds to the danger


def add_king(
    position: Position, color: cython.int, total: cython.pointer[Sum], pawns: cython.pointer[PawnEntry]
) -> cython.void:
    """Placement of a king, and its shelter; the latter is kept with the pawns as long as the king stays."""
    king: cython.int = position.king_square(color)
    add_piece(total, KING, king ^ (56 if color == BLACK else 0), color)
    if pawns.sheltered[color] == king + 1:
        total.score += pawns.shelter[color]
        return
    before: cython.int = total.score
    add_shelter(position, king, color, total)
    pawns.shelter[color] = total.score - before
    pawns.sheltered[color] = king + 1


def add_shelter(position: Position, king: cython.int, color: cython.int, total: cython.pointer[Sum]) -> cython.void:
    """The nearest pawns before a king, on its own and the neighbouring files."""
    before: U64 = position.by_type[PAWN] & (ahead_of(king, color) | rank_mask(rank_of(king)))
    file: cython.int
    for file in range(max(file_of(king) - 1, 0), min(file_of(king) + 1, 7) + 1):
        here: cython.int = 8 if file == file_of(king) else 0
        own: U64 = before & position.by_color[color] & file_mask(file)
        enemy: U64 = before & position.by_color[color ^ 1] & file_mask(file)
        add(total, KING_SHELTER + here + nearest_rank(own, color), color)
        add(total, KING_STORM + here + nearest_rank(enemy, color), color)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def nearest_rank(pawns: U64, color: cython.int) -> cython.int:
    """The rank of the first pawn on a file, as the king's side sees it; 0 if there is none."""
    if not pawns:
        return 0
    if color == BLACK:
        return 7 - rank_of(msb(pawns))
    return rank_of(lsb(pawns))


def add_attack(
    position: Position, color: cython.int, total: cython.pointer[Sum], reach: cython.pointer[Reach]
) -> cython.void:
    """One side's attack on the enemy king: checks that cannot be taken, and how dangerous it is as a whole."""
    king: cython.int = position.king_square(color ^ 1)
    occupied: U64 = position.occupied()
    defended: U64 = reach.all[color ^ 1]
    only_by_king: U64 = reach.by_type[color ^ 1][KING] & ~reach.twice[color ^ 1] & reach.twice[color]
    safe: U64 = ~position.by_color[color] & (~defended | only_by_king)
    straight: U64 = rook_attacks(king, occupied) & safe
    diagonal: U64 = bishop_attacks(king, occupied) & safe
    danger: cython.int = reach.danger[color]
    if reach.by_type[color][KNIGHT] & tables.knight[king] & safe:
        add(total, SAFE_CHECK, color)
        danger += CHECK_UNITS
    if reach.by_type[color][BISHOP] & diagonal:
        add(total, SAFE_CHECK + BISHOP - KNIGHT, color)
        danger += CHECK_UNITS
    if reach.by_type[color][ROOK] & straight:
        add(total, SAFE_CHECK + ROOK - KNIGHT, color)
        danger += CHECK_UNITS
    if reach.by_type[color][QUEEN] & (straight | diagonal):
        add(total, SAFE_CHECK + QUEEN - KNIGHT, color)
        danger += CHECK_UNITS
    zone: U64 = tables.king[king]
    add_times(total, KING_PAWN_ATTACK, color, popcount(zone & reach.by_type[color][PAWN]))
    weak: cython.int = popcount(zone & reach.all[color] & ~reach.twice[color ^ 1])
    add(total, KING_WEAK + min(weak, 7), color)
    with_queen: cython.int = MOST_DANGER + 1 if position.by_type[QUEEN] & position.by_color[color] else 0
    add(total, KING_DANGER + with_queen + min(danger + weak, MOST_DANGER), color)
