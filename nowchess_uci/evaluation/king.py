"""The king: the pawns before it, and what the enemy has gathered against it."""

import cython
from cython.cimports.nowchess_uci.evaluation.endings import distance
from cython.cimports.nowchess_uci.evaluation.pawns import PawnEntry, ahead_of
from cython.cimports.nowchess_uci.evaluation.pieces import Reach, king_zone
from cython.cimports.nowchess_uci.evaluation.terms import (
    DANGER_CHECK,
    DANGER_DEFENDED,
    DANGER_DIVISOR,
    DANGER_FLANK,
    DANGER_GUARD,
    DANGER_NO_QUEEN,
    DANGER_OPEN_FILE,
    DANGER_PAWN_HIT,
    DANGER_UNSAFE_CHECK,
    DANGER_WEAK,
    KING_PAWNS,
    KING_SHELTER,
    KING_STORM,
    PLACEMENT,
    Sum,
    add,
    end_of,
    middle_of,
    trace_of_danger,
    units,
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
    WHITE,
    file_mask,
    file_of,
    rank_mask,
    rank_of,
)
from cython.cimports.nowchess_uci.rules.position import Position


def add_king(
    position: Position, color: cython.int, total: cython.pointer[Sum], pawns: cython.pointer[PawnEntry]
) -> cython.void:
    """Placement of a king, and its shelter; the latter is kept with the pawns as long as the king stays."""
    king: cython.int = position.king_square(color)
    add(total, PLACEMENT + 64 * KING + (king ^ (56 if color == BLACK else 0)), color)
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
    add(total, KING_PAWNS + distance_to_pawns(position, king), color)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def distance_to_pawns(position: Position, king: cython.int) -> cython.int:
    """King moves to the nearest pawn of any colour; 0 if there is none."""
    pawns: U64 = position.by_type[PAWN]
    least: cython.int = 7 if pawns else 0
    while pawns:
        least = min(least, distance(king, lsb(pawns)))
        pawns &= pawns - 1
    return least


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
    """One side's attack on the enemy king.

    Each part of it is worth little alone, but together they are worth more than their sum: the units are squared.
    """
    if not reach.danger[color]:
        return
    enemy: cython.int = color ^ 1
    king: cython.int = position.king_square(enemy)
    occupied: U64 = position.occupied()
    zone: U64 = king_zone(king)
    defended: U64 = reach.all[enemy]
    guarded: U64 = (
        reach.by_type[enemy][PAWN]
        | reach.by_type[enemy][KNIGHT]
        | reach.by_type[enemy][BISHOP]
        | reach.by_type[enemy][ROOK]
    )
    weak: U64 = reach.all[color] & ~reach.twice[enemy] & ~guarded
    safe: U64 = ~position.by_color[color] & (~defended | (weak & reach.twice[color]))
    straight: U64 = rook_attacks(king, occupied) & ~position.by_color[color]
    diagonal: U64 = bishop_attacks(king, occupied) & ~position.by_color[color]
    knight_checks: U64 = reach.by_type[color][KNIGHT] & tables.knight[king] & ~position.by_color[color]
    bishop_checks: U64 = reach.by_type[color][BISHOP] & diagonal
    rook_checks: U64 = reach.by_type[color][ROOK] & straight
    queen_checks: U64 = reach.by_type[color][QUEEN] & (straight | diagonal)
    trace: cython.pointer[cython.short] = trace_of_danger(total, color)
    danger: cython.int = reach.danger[color]
    if knight_checks & safe:
        danger += units(DANGER_CHECK, 1, trace)
    if bishop_checks & safe:
        danger += units(DANGER_CHECK + BISHOP - KNIGHT, 1, trace)
    if rook_checks & safe:
        danger += units(DANGER_CHECK + ROOK - KNIGHT, 1, trace)
    if queen_checks & safe:
        danger += units(DANGER_CHECK + QUEEN - KNIGHT, 1, trace)
    unsafe: U64 = (knight_checks | bishop_checks | rook_checks) & ~safe
    danger += units(DANGER_UNSAFE_CHECK, popcount(unsafe), trace)
    danger += units(DANGER_WEAK, popcount(zone & weak), trace)
    danger += units(DANGER_DEFENDED, popcount(zone & guarded), trace)
    danger += units(DANGER_PAWN_HIT, popcount(zone & reach.by_type[color][PAWN]), trace)
    if not position.by_type[QUEEN] & position.by_color[color]:
        danger += units(DANGER_NO_QUEEN, 1, trace)
    if reach.by_type[enemy][KNIGHT] & zone:
        danger += units(DANGER_GUARD, 1, trace)
    flank: U64 = king_flank(king, enemy)
    attacks: cython.int = popcount(flank & reach.all[color]) + popcount(flank & reach.twice[color])
    danger += units(DANGER_FLANK, attacks, trace)
    danger += units(DANGER_FLANK + 1, popcount(flank & defended), trace)
    open_files: cython.int = 0
    shelter: U64 = position.by_type[PAWN] & position.by_color[enemy]
    file: cython.int
    for file in range(max(file_of(king) - 1, 0), min(file_of(king) + 1, 7) + 1):
        open_files += not shelter & file_mask(file)
    danger += units(DANGER_OPEN_FILE, open_files, trace)

    sum_of_units: cython.int = max(middle_of(danger), 0)
    value: cython.int = sum_of_units * sum_of_units // DANGER_DIVISOR + 65536 * end_of(danger)
    total.score += value if color == WHITE else -value


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def king_flank(king: cython.int, color: cython.int) -> U64:
    """The king's side of the board, or the middle of it, without the last three ranks."""
    files: U64 = 0x3C3C3C3C3C3C3C3C
    if file_of(king) < 3:
        files = 0x0F0F0F0F0F0F0F0F
    elif file_of(king) > 4:
        files = 0xF0F0F0F0F0F0F0F0
    first_ranks: U64 = 0x000000FFFFFFFFFF
    return files & (first_ranks if color == WHITE else first_ranks << 24)
