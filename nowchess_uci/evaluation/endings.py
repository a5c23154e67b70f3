"""What a network does not know about endings: how a lone king is mated.

Other endings were left to the network after games: from 600 positions of eight men or fewer, at 8,000 nodes a move, it
scored +8 Elo ±6 (1,200 games) without rules for advantages that are hard to win.
"""

import cython
from cython.cimports.nowchess_uci.evaluation.endings import KNOWN_WIN, distance, is_lone_king
from cython.cimports.nowchess_uci.rules.bits import U64, has_several, lsb, popcount
from cython.cimports.nowchess_uci.rules.constants import (
    BISHOP,
    KNIGHT,
    MINOR_VALUE,
    PAWN,
    PAWN_VALUE,
    QUEEN,
    QUEEN_VALUE,
    ROOK,
    ROOK_VALUE,
    dark_squares,
    file_of,
    rank_of,
)
from cython.cimports.nowchess_uci.rules.position import Position


def with_endings(position: Position, score: cython.int) -> cython.int:
    """A network's score, unless a king stands alone against what can mate it, or against pieces that cannot.

    Then nothing of the network's score is used: what it thinks of this square or that would hide the way.
    """
    color: cython.int
    for color in range(2):
        if is_lone_king(position, color ^ 1):
            drive: cython.int = mating_drive(position, color)
            if drive:
                won: cython.int = KNOWN_WIN + material(position, color) + drive
                return won if position.side == color else -won
            if not position.by_type[PAWN]:
                return 0  # two knights, or less
    return score


def material(position: Position, color: cython.int) -> cython.int:
    """What a side's pieces and pawns are worth in exchanges."""
    own: U64 = position.by_color[color]
    return (
        PAWN_VALUE * popcount(position.by_type[PAWN] & own)
        + MINOR_VALUE * popcount((position.by_type[KNIGHT] | position.by_type[BISHOP]) & own)
        + ROOK_VALUE * popcount(position.by_type[ROOK] & own)
        + QUEEN_VALUE * popcount(position.by_type[QUEEN] & own)
    )


def mating_drive(position: Position, strong: cython.int) -> cython.int:
    """What drives a lone king to the edge, or to the corner where bishop and knight can mate it.

    0 if the pieces left cannot force mate.
    """
    own: U64 = position.by_color[strong]
    bishops: U64 = position.by_type[BISHOP] & own
    knights: U64 = position.by_type[KNIGHT] & own
    both_colors: cython.bint = bishops & dark_squares() != 0 and bishops & ~dark_squares() != 0
    majors: U64 = own & (position.by_type[QUEEN] | position.by_type[ROOK])
    if not majors and not both_colors and not (bishops and knights) and popcount(knights) < 3:
        return 0
    king: cython.int = position.king_square(strong ^ 1)
    rank: cython.int = rank_of(king)
    file: cython.int = file_of(king)
    kings_apart: cython.int = distance(king, position.king_square(strong))
    # Large steps, so that nothing else (placement, the fading of scores as the clock runs) hides them.
    drive: cython.int = 400 - 20 * kings_apart
    if majors or both_colors or has_several(knights):
        return drive + 20 * (abs(2 * rank - 7) + abs(2 * file - 7))
    # Bishop and knight: mate is forced only in a corner of the bishop's colour, so count steps from the long diagonal
    # that joins the other two. King and knight have to stay close: on the long way the king must not slip out.
    steps: cython.int = abs(7 - rank - file) if bishops & dark_squares() else abs(rank - file)
    return drive + 300 * steps - 40 * kings_apart - 30 * distance(king, lsb(knights))
