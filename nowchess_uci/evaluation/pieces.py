"""Knights to queens: where they stand, how far they see, what they threaten."""

import cython
from cython.cimports.nowchess_uci.evaluation.endings import distance
from cython.cimports.nowchess_uci.evaluation.pawns import ahead_of, neighbour_files, pawn_attacks_of
from cython.cimports.nowchess_uci.evaluation.pieces import Reach, king_zone
from cython.cimports.nowchess_uci.evaluation.terms import (
    BISHOP_MOBILITY,
    BISHOP_PAIR,
    BISHOP_PAWNS,
    DANGER,
    DANGER_ATTACKER,
    DANGER_HIT,
    KING_PRESSURE,
    KING_THREAT,
    KNIGHT_MOBILITY,
    KNIGHT_PAWNS,
    MINOR_BEHIND_PAWN,
    MINOR_KING_DISTANCE,
    MINOR_THREAT,
    OUTPOST,
    PAWN_THREAT,
    PUSH_THREAT,
    QUEEN_MOBILITY,
    QUEEN_THREAT,
    RESTRICTED,
    ROOK_HALF_OPEN_FILE,
    ROOK_MOBILITY,
    ROOK_OPEN_FILE,
    ROOK_PAWNS,
    ROOK_SEVENTH,
    ROOK_THREAT,
    SPACE,
    Sum,
    add,
    add_piece,
    add_times,
    trace_of_danger,
    units,
    view,
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
    dark_squares,
    file_mask,
    file_of,
    rank_mask,
    rank_of,
    type_of,
)
from cython.cimports.nowchess_uci.rules.position import Position

CENTRE_FILES = cython.declare(U64, 0x3C3C3C3C3C3C3C3C)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def forward(pieces: U64, color: cython.int) -> U64:
    """Every piece one square ahead."""
    return pieces << 8 if color == WHITE else pieces >> 8


def start_reach(position: Position, reach: cython.pointer[Reach]) -> cython.void:
    """What pawns and kings attack."""
    color: cython.int
    for color in range(2):
        pawns: U64 = pawn_attacks_of(position.by_type[PAWN] & position.by_color[color], color)
        king: U64 = tables.king[position.king_square(color)]
        reach.by_type[color][PAWN] = pawns
        reach.by_type[color][KING] = king
        reach.all[color] = pawns | king
        reach.twice[color] = pawns & king


def add_pieces(
    position: Position, color: cython.int, total: cython.pointer[Sum], reach: cython.pointer[Reach]
) -> cython.void:
    """Material, placement, mobility and pressure on the enemy king of one side's pieces."""
    own: U64 = position.by_color[color]
    occupied: U64 = position.occupied()
    pawns: U64 = position.by_type[PAWN]
    queens: U64 = position.by_type[QUEEN] & own
    rooks: U64 = position.by_type[ROOK] & own
    free: U64 = ~(reach.by_type[color ^ 1][PAWN] | (own & (pawns | position.by_type[KING])))
    trace: cython.pointer[cython.short] = trace_of_danger(total, color)
    king: cython.int = position.king_square(color)
    enemy_king: cython.int = position.king_square(color ^ 1)
    flip: cython.int = view(enemy_king, color)
    second: cython.int = view(king, color)
    zone: U64 = king_zone(enemy_king)
    # What is added up stays in registers: through the pointers every sum would go by way of the memory.
    own_sum = cython.declare(Sum)
    own_sum.score = 0
    own_sum.trace = total.trace
    attacked: U64 = reach.all[color]
    twice: U64 = reach.twice[color]
    danger: cython.int = 0
    attackers: cython.int = 0
    piece_type: cython.int
    for piece_type in range(KNIGHT, KING):
        by_type: U64 = 0
        pieces: U64 = position.by_type[piece_type] & own
        while pieces:
            square: cython.int = lsb(pieces)
            pieces &= pieces - 1
            add_piece(cython.address(own_sum), piece_type, square ^ flip, square ^ second, color)
            seen: U64
            if piece_type == KNIGHT:
                seen = tables.knight[square]
                add(cython.address(own_sum), KNIGHT_MOBILITY + popcount(seen & free), color)
            elif piece_type == BISHOP:
                seen = bishop_attacks(square, occupied ^ queens)
                add(cython.address(own_sum), BISHOP_MOBILITY + popcount(seen & free), color)
                same_color: U64 = dark_squares() if dark_squares() & bit(square) else ~dark_squares()
                add_times(cython.address(own_sum), BISHOP_PAWNS, color, popcount(pawns & own & same_color))
            elif piece_type == ROOK:
                seen = rook_attacks(square, occupied ^ queens ^ rooks)
                add(cython.address(own_sum), ROOK_MOBILITY + popcount(seen & free), color)
                if not pawns & file_mask(file_of(square)):
                    add(cython.address(own_sum), ROOK_OPEN_FILE, color)
                elif not pawns & own & file_mask(file_of(square)):
                    add(cython.address(own_sum), ROOK_HALF_OPEN_FILE, color)
                if rank_of(square ^ flip) == 6 and rank_of(enemy_king ^ flip) == 7:
                    add(cython.address(own_sum), ROOK_SEVENTH, color)
            else:
                seen = bishop_attacks(square, occupied) | rook_attacks(square, occupied)
                add(cython.address(own_sum), QUEEN_MOBILITY + popcount(seen & free), color)
            if (
                piece_type <= BISHOP
                and 3 <= rank_of(square ^ flip) <= 5
                and reach.by_type[color][PAWN] & bit(square)
                and not pawns & ~own & ahead_of(square, color) & neighbour_files(square)
            ):
                add(cython.address(own_sum), OUTPOST + piece_type - KNIGHT, color)
            if piece_type <= BISHOP:
                add_times(
                    cython.address(own_sum), MINOR_KING_DISTANCE + piece_type - KNIGHT, color, distance(square, king)
                )
            by_type |= seen
            twice |= attacked & seen
            attacked |= seen
            near_king: cython.int = popcount(seen & zone)
            if near_king:
                add(cython.address(own_sum), KING_PRESSURE + 8 * (piece_type - KNIGHT) + min(near_king, 7), color)
                danger += units(DANGER_ATTACKER + piece_type - KNIGHT, 1, trace) + units(DANGER_HIT, near_king, trace)
                attackers += 1
        reach.by_type[color][piece_type] = by_type
    spare_pawns: cython.int = popcount(pawns & own) - 5
    add_times(cython.address(own_sum), KNIGHT_PAWNS, color, spare_pawns * popcount(position.by_type[KNIGHT] & own))
    add_times(cython.address(own_sum), ROOK_PAWNS, color, spare_pawns * popcount(rooks))
    minors: U64 = own & (position.by_type[KNIGHT] | position.by_type[BISHOP])
    add_times(cython.address(own_sum), MINOR_BEHIND_PAWN, color, popcount(forward(minors, color) & pawns))
    home: U64 = CENTRE_FILES & (rank_mask(1) | rank_mask(2) | rank_mask(3))
    if color == BLACK:
        home = CENTRE_FILES & (rank_mask(6) | rank_mask(5) | rank_mask(4))
    add_times(cython.address(own_sum), SPACE, color, popcount(home & free & ~(own & pawns)))
    if has_several(position.by_type[BISHOP] & own):
        add(cython.address(own_sum), BISHOP_PAIR, color)
    reach.all[color] = attacked
    reach.twice[color] = twice
    reach.danger[color] = danger + units(DANGER, 1, trace) if attackers else 0
    total.score += own_sum.score


def add_threats(
    position: Position, color: cython.int, total: cython.pointer[Sum], reach: cython.pointer[Reach]
) -> cython.void:
    """Enemy pieces attacked by something cheaper, or attacked and not protected."""
    enemy: U64 = position.by_color[color ^ 1] & ~position.by_type[KING]
    pieces: U64 = enemy & ~position.by_type[PAWN]
    weak: U64 = enemy & ~reach.all[color ^ 1]
    majors: U64 = enemy & (position.by_type[ROOK] | position.by_type[QUEEN])
    minor_reach: U64 = reach.by_type[color][KNIGHT] | reach.by_type[color][BISHOP]
    add_victims(position, reach.by_type[color][PAWN] & pieces, PAWN_THREAT, color, total)
    add_victims(position, minor_reach & (majors | weak), MINOR_THREAT, color, total)
    add_victims(
        position, reach.by_type[color][ROOK] & ((enemy & position.by_type[QUEEN]) | weak), ROOK_THREAT, color, total
    )
    add_victims(position, reach.by_type[color][QUEEN] & weak, QUEEN_THREAT, color, total)
    add_victims(position, reach.by_type[color][KING] & weak, KING_THREAT, color, total)
    # Pawn moves to where no pawn takes them, and nothing else does without being taken back.
    empty: U64 = ~position.occupied()
    own_pawns: U64 = position.by_type[PAWN] & position.by_color[color]
    pushes: U64 = forward(own_pawns, color) & empty
    pushes |= forward(pushes & rank_mask(2 if color == WHITE else 5), color) & empty
    pushes &= ~reach.by_type[color ^ 1][PAWN] & (~reach.all[color ^ 1] | reach.all[color])
    fresh: U64 = pawn_attacks_of(pushes, color) & pieces & ~reach.by_type[color][PAWN]
    add_times(total, PUSH_THREAT, color, popcount(fresh))
    held: U64 = reach.by_type[color ^ 1][PAWN] | (reach.twice[color ^ 1] & ~reach.twice[color])
    add_times(total, RESTRICTED, color, popcount(reach.all[color] & reach.all[color ^ 1] & ~held))


def add_victims(
    position: Position, victims: U64, term: cython.int, color: cython.int, total: cython.pointer[Sum]
) -> cython.void:
    """Count each attacked piece under its type."""
    while victims:
        add(total, term + type_of(position.board[lsb(victims)]), color)
        victims &= victims - 1
