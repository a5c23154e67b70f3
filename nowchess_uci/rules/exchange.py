"""Static exchange evaluation: what a move gains when both sides go on capturing on its target square.

Each side captures with its cheapest attacker and stops when going on would lose. Pins are not looked at: the
answer is a quick estimate for ordering and pruning, not a proof.
"""

import cython
from cython.cimports.nowchess_uci.rules.attacks import bishop_attacks, rook_attacks
from cython.cimports.nowchess_uci.rules.bits import U64, bit, lsb
from cython.cimports.nowchess_uci.rules.constants import (
    BISHOP,
    EMPTY,
    KING,
    MINOR_VALUE,
    PAWN,
    PAWN_VALUE,
    QUEEN,
    QUEEN_VALUE,
    ROOK,
    ROOK_VALUE,
    type_of,
)
from cython.cimports.nowchess_uci.rules.move import (
    CASTLING,
    EN_PASSANT,
    PROMOTION,
    Move,
    captured_pawn_square,
    kind_of,
    origin_of,
    promotion_of,
    target_of,
)
from cython.cimports.nowchess_uci.rules.position import Position

# Pawn, knight, bishop, rook, queen, and a king that nothing can pay for.
EXCHANGE_VALUES = (PAWN_VALUE, MINOR_VALUE, MINOR_VALUE, ROOK_VALUE, QUEEN_VALUE, 20000)
values = cython.declare(cython.int[6], EXCHANGE_VALUES)


def wins_exchange(position: Position, move: Move, threshold: cython.int) -> cython.bint:
    """True if the exchange that `move` starts gains at least `threshold` for the mover."""
    if kind_of(move) == CASTLING:
        return threshold <= 0
    origin: cython.int = origin_of(move)
    target: cython.int = target_of(move)
    occupied: U64 = (position.occupied() ^ bit(origin)) | bit(target)
    at_stake: cython.int = values[type_of(position.board[origin])]
    # `lead` is how far the side that captured last stands above what it needs, if the exchange ends there.
    lead: cython.int = -threshold
    if kind_of(move) == EN_PASSANT:
        lead += values[PAWN]
        occupied ^= bit(captured_pawn_square(target, position.side))
    elif position.board[target] != EMPTY:
        lead += values[type_of(position.board[target])]
    if kind_of(move) == PROMOTION:
        at_stake = values[promotion_of(move)]
        lead += at_stake - values[PAWN]

    if lead < 0:
        return False
    if lead >= at_stake:
        return True  # even if the piece is lost for nothing

    attackers: U64 = position.attackers(target, occupied)
    side: cython.int = position.side
    while True:
        side ^= 1
        attackers &= occupied
        own: U64 = attackers & position.by_color[side]
        if not own or lead >= at_stake:
            break  # no answer, or none that would be enough
        piece_type: cython.int = PAWN
        while not own & position.by_type[piece_type]:
            piece_type += 1
        if piece_type == KING and attackers & position.by_color[side ^ 1]:
            break  # the king may not capture what is protected
        capturer: U64 = own & position.by_type[piece_type]
        occupied ^= bit(lsb(capturer))
        if piece_type in (PAWN, BISHOP, QUEEN):
            attackers |= bishop_attacks(target, occupied) & (position.by_type[BISHOP] | position.by_type[QUEEN])
        if piece_type in (ROOK, QUEEN):
            attackers |= rook_attacks(target, occupied) & (position.by_type[ROOK] | position.by_type[QUEEN])
        lead = at_stake - lead - 1  # now from the capturer's side, who must do better than break even
        at_stake = values[piece_type]
    return side != position.side  # `side` is the one without a good answer


def exchange_wins(position: Position, move: Move, threshold: cython.int = 0) -> bool:
    """`wins_exchange` for Python callers."""
    return wins_exchange(position, move, threshold)
