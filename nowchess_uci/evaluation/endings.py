"""What a network does not know about endings: which are hard to win, and how a lone king is mated."""

import cython
from cython.cimports.nowchess_uci.evaluation.endings import HARDLY_WON, KNOWN_WIN, distance, is_lone_king
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


def scale_without_pawns(position: Position, strong: cython.int) -> cython.int:
    """How much of an advantage without pawns counts, in 64ths, judged by how often such endings were won in own games.

    Pieces alone need to be ahead by more than a minor piece; against a lone king, enough to mate.
    """
    own: U64 = position.by_color[strong]
    if not own & (position.by_type[ROOK] | position.by_type[QUEEN]):
        minors: U64 = own & (position.by_type[KNIGHT] | position.by_type[BISHOP])
        if not has_several(minors):
            return 4  # a single minor piece wins nothing
        if not minors & position.by_type[BISHOP] and popcount(minors) == 2:
            return 4  # nor do two knights
    if is_lone_king(position, strong ^ 1):
        return 64
    ahead: cython.int = lead(position, strong)
    return 6 if ahead <= MINOR_VALUE else (16 if ahead <= ROOK_VALUE else 40)


def lead(position: Position, strong: cython.int) -> cython.int:
    """How much more one side's pieces are worth than the other's, in centipawns."""
    own: U64 = position.by_color[strong]
    enemy: U64 = position.by_color[strong ^ 1]
    minors: U64 = position.by_type[KNIGHT] | position.by_type[BISHOP]
    rooks: U64 = position.by_type[ROOK]
    queens: U64 = position.by_type[QUEEN]
    return (
        MINOR_VALUE * (popcount(minors & own) - popcount(minors & enemy))
        + ROOK_VALUE * (popcount(rooks & own) - popcount(rooks & enemy))
        + QUEEN_VALUE * (popcount(queens & own) - popcount(queens & enemy))
    )


def mating_drive(position: Position, strong: cython.int) -> cython.int:
    """What drives a king to the edge, or to the corner where bishop and knight can mate it.

    0 if it has company and there are pawns or too small a lead, or if the material left cannot force mate.
    """
    weak: cython.int = strong ^ 1
    lone: cython.bint = is_lone_king(position, weak)
    if not lone and (position.by_type[PAWN] or lead(position, strong) < MINOR_VALUE + PAWN_VALUE):
        return 0
    own: U64 = position.by_color[strong]
    king: cython.int = position.king_square(weak)
    rank: cython.int = rank_of(king)
    file: cython.int = file_of(king)
    edge: cython.int = abs(2 * rank - 7) + abs(2 * file - 7)
    kings_apart: cython.int = distance(king, position.king_square(strong))
    if not lone:
        return 4 * edge - 5 * kings_apart
    bishops: U64 = position.by_type[BISHOP] & own
    knights: U64 = position.by_type[KNIGHT] & own
    both_colors: cython.bint = bishops & dark_squares() != 0 and bishops & ~dark_squares() != 0
    majors: U64 = own & (position.by_type[QUEEN] | position.by_type[ROOK])
    if not majors and not both_colors and not (bishops and knights):
        return 0
    # Large steps, so that nothing else (placement, the fading of scores as the clock runs) hides them.
    drive: cython.int = 400 - 20 * kings_apart
    if majors or both_colors or has_several(knights):
        return drive + 20 * edge
    # Bishop and knight: mate is forced only in a corner of the bishop's colour, so count steps from the long diagonal
    # that joins the other two. King and knight have to stay close: on the long way the king must not slip out.
    steps: cython.int = abs(7 - rank - file) if bishops & dark_squares() else abs(rank - file)
    return drive + 300 * steps - 40 * kings_apart - 30 * distance(king, lsb(knights))
