"""The pawns of both sides. Few moves change them, so what was added up is kept in a table."""

import cython
from cython.cimports.nowchess_uci.evaluation.pawns import (
    PAWN_SLOTS,
    PawnEntry,
    ahead_of,
    neighbour_files,
    pawn_attacks_of,
)
from cython.cimports.nowchess_uci.evaluation.terms import (
    BACKWARD_PAWN,
    BLOCKED_PAWN,
    CANDIDATE_PAWN,
    DOUBLED_PAWN,
    ISOLATED_PAWN,
    PASSED_CONNECTED,
    PASSED_PAWN,
    PAWN_PHALANX,
    PAWN_SUPPORT,
    Sum,
    add,
    add_piece,
    view,
)
from cython.cimports.nowchess_uci.rules.bits import U64, bit, lsb, popcount
from cython.cimports.nowchess_uci.rules.constants import BLACK, PAWN, WHITE, file_mask, file_of, rank_mask, rank_of
from cython.cimports.nowchess_uci.rules.position import Position

# Any two numbers that differ in many bits.
WHITE_KING_LEFT = cython.declare(U64, 0x9E3779B97F4A7C15)
BLACK_KING_LEFT = cython.declare(U64, 0xD1B54A32D192ED03)


def add_pawn_structure(
    position: Position,
    total: cython.pointer[Sum],
    entries: cython.pointer[PawnEntry],
    spare: cython.pointer[PawnEntry],
) -> cython.pointer[PawnEntry]:
    """Add the terms that depend on pawns alone; returns what is known of them, in `spare` if there is no table."""
    key: U64 = position.state.pawn_key
    # The placement of pawns depends on the kings' sides of the board.
    if file_of(position.king_square(WHITE)) < 4:
        key ^= WHITE_KING_LEFT
    if file_of(position.king_square(BLACK)) < 4:
        key ^= BLACK_KING_LEFT
    entry: cython.pointer[PawnEntry] = spare
    if entries != cython.NULL:
        entry = cython.address(entries[key & (PAWN_SLOTS - 1)])
        if entry.key == key:
            total.score += entry.score
            return entry
    before: cython.int = total.score
    entry.passed = count_pawns(position, WHITE, total) | count_pawns(position, BLACK, total)
    entry.score = total.score - before
    entry.key = key
    entry.sheltered[WHITE] = entry.sheltered[BLACK] = 0
    return entry


def count_pawns(position: Position, color: cython.int, total: cython.pointer[Sum]) -> U64:
    """Material, placement and structure of one side's pawns; returns those that no enemy pawn can stop."""
    own: U64 = position.by_type[PAWN] & position.by_color[color]
    enemy: U64 = position.by_type[PAWN] & position.by_color[color ^ 1]
    protected: U64 = pawn_attacks_of(own, color)
    unsafe: U64 = pawn_attacks_of(enemy, color ^ 1)
    flip: cython.int = view(position.king_square(color), color)
    second: cython.int = view(position.king_square(color ^ 1), color)
    passed: U64 = 0
    pawns: U64 = own
    while pawns:
        square: cython.int = lsb(pawns)
        pawns &= pawns - 1
        rank: cython.int = rank_of(square ^ flip)
        ahead: U64 = ahead_of(square, color)
        same_file: U64 = file_mask(file_of(square))
        sides: U64 = neighbour_files(square)
        add_piece(total, PAWN, square ^ flip, square ^ second, color)
        stop: cython.int = square + 8 if color == WHITE else square - 8
        opposed: cython.bint = enemy & ahead & same_file != 0
        if not own & sides:
            add(total, ISOLATED_PAWN + opposed, color)
        elif not own & sides & ~ahead and unsafe & bit(stop):
            add(total, BACKWARD_PAWN + opposed, color)
        if own & sides & rank_mask(rank_of(square)):
            add(total, PAWN_PHALANX + 8 * opposed + rank, color)
        if enemy & bit(stop):
            add(total, BLOCKED_PAWN + rank, color)
        if own & ahead & same_file:
            add(total, DOUBLED_PAWN, color)
        elif not opposed:
            if not enemy & ahead & sides:
                add(total, PASSED_PAWN + rank, color)
                passed |= bit(square)
            elif popcount(own & sides & ~ahead) >= popcount(enemy & ahead & sides):
                add(total, CANDIDATE_PAWN + rank, color)
        if protected & bit(square):
            add(total, PAWN_SUPPORT + 8 * opposed + rank, color)
    pawns = passed
    while pawns:
        square = lsb(pawns)
        pawns &= pawns - 1
        if passed & neighbour_files(square):
            add(total, PASSED_CONNECTED + rank_of(square ^ flip), color)
    return passed
