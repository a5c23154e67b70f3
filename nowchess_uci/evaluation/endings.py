"""What the sum of terms does not know about endings: which are hard to win, and how a lone king is mated."""

import cython
from cython.cimports.nowchess_uci.evaluation.endings import distance
from cython.cimports.nowchess_uci.rules.bits import U64, has_several, popcount
from cython.cimports.nowchess_uci.rules.constants import (
    BISHOP,
    BLACK,
    KNIGHT,
    PAWN,
    QUEEN,
    ROOK,
    WHITE,
    dark_squares,
    file_of,
    rank_of,
)
from cython.cimports.nowchess_uci.rules.position import Position


def end_scale(position: Position, strong: cython.int) -> cython.int:
    """How much of an ending's advantage counts, in 64ths."""
    pawns: U64 = position.by_type[PAWN] & position.by_color[strong]
    rooks_queens: U64 = position.by_type[ROOK] | position.by_type[QUEEN]
    minors: U64 = position.by_type[KNIGHT] | position.by_type[BISHOP]
    own_minors: U64 = minors & position.by_color[strong]
    if not pawns and not rooks_queens & position.by_color[strong]:
        if not has_several(own_minors):
            return 4  # a single minor piece wins nothing
        if not own_minors & position.by_type[BISHOP] and popcount(own_minors) == 2:
            return 4  # nor do two knights
    bishops: U64 = position.by_type[BISHOP]
    if (
        not rooks_queens
        and not position.by_type[KNIGHT]
        and popcount(bishops & position.by_color[WHITE]) == 1
        and popcount(bishops & position.by_color[BLACK]) == 1
        and bishops & dark_squares()
        and bishops & ~dark_squares()
    ):
        return 32  # bishops of opposite colours
    if not has_several(pawns):
        return 48  # with one pawn or none, trading it draws
    return 64


def mating_drive(position: Position, strong: cython.int) -> cython.int:
    """Against a lone king: what drives it to the edge, or to the corner where bishop and knight can mate it.

    0 if the other side has more than its king, or the material left cannot force mate.
    """
    weak: cython.int = strong ^ 1
    own: U64 = position.by_color[strong]
    if has_several(position.by_color[weak]):
        return 0
    bishops: U64 = position.by_type[BISHOP] & own
    knights: U64 = position.by_type[KNIGHT] & own
    both_colors: cython.bint = bishops & dark_squares() != 0 and bishops & ~dark_squares() != 0
    majors: U64 = own & (position.by_type[QUEEN] | position.by_type[ROOK])
    if not majors and not both_colors and not (bishops and knights):
        return 0
    king: cython.int = position.king_square(weak)
    rank: cython.int = rank_of(king)
    file: cython.int = file_of(king)
    # Large steps, so that nothing else (placement, the fading of scores as the clock runs) hides them.
    drive: cython.int = 400 - 20 * distance(king, position.king_square(strong))
    if majors or both_colors or has_several(knights):
        return drive + 20 * (abs(2 * rank - 7) + abs(2 * file - 7))
    # Bishop and knight: mate is forced only in a corner of the bishop's colour, so count steps from the long diagonal
    # that joins the other two.
    return drive + 150 * (abs(7 - rank - file) if bishops & dark_squares() else abs(rank - file))
