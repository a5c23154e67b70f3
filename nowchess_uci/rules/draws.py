"""When the game is over or may be ended: the FIDE Laws, articles 5.2, 9.2, 9.3 and 9.6, on a position.

An end that comes by itself (mate, stalemate, dead position, 75 moves, fivefold repetition) is reported by `status`;
a draw that a player has to claim (50 moves, threefold repetition) by `can_claim_*`. Checkmate comes before all.
"""

import enum

import cython
from cython.cimports.nowchess_uci.rules.bits import U64, has_several
from cython.cimports.nowchess_uci.rules.constants import BISHOP, KING, KNIGHT
from cython.cimports.nowchess_uci.rules.move import NO_MOVE, Move
from cython.cimports.nowchess_uci.rules.movegen import has_legal_move, is_legal
from cython.cimports.nowchess_uci.rules.position import Position

CLAIM_CLOCK = 100  # half-moves without pawn move or capture: a player may claim (FIDE 9.3)
AUTOMATIC_CLOCK = 150  # the game is drawn by itself (FIDE 9.6.2)
CLAIM_REPETITIONS = 3  # FIDE 9.2
AUTOMATIC_REPETITIONS = 5  # FIDE 9.6.1


class Status(enum.StrEnum):
    """What a position means for the game. Only ONGOING and CHECK let it go on."""

    ONGOING = "ongoing"
    CHECK = "check"
    CHECKMATE = "checkmate"
    STALEMATE = "stalemate"
    DEAD_POSITION = "dead position"
    SEVENTY_FIVE_MOVES = "75-move rule"
    FIVEFOLD_REPETITION = "fivefold repetition"

    @property
    def is_over(self) -> bool:
        """True if the game has ended by itself."""
        return self not in (Status.ONGOING, Status.CHECK)

    @property
    def is_draw(self) -> bool:
        """True if the game has ended by itself without a winner."""
        return self.is_over and self is not Status.CHECKMATE


def status(position: Position) -> Status:
    """The state of the game after the position's last move."""
    in_check: cython.bint = position.state.checkers != 0
    if not has_legal_move(position):
        return Status.CHECKMATE if in_check else Status.STALEMATE
    if is_dead_position(position):
        return Status.DEAD_POSITION
    if position.state.half_move_clock >= AUTOMATIC_CLOCK:
        return Status.SEVENTY_FIVE_MOVES
    if repetitions(position) >= AUTOMATIC_REPETITIONS:
        return Status.FIVEFOLD_REPETITION
    return Status.CHECK if in_check else Status.ONGOING


def is_dead_position(position: Position) -> cython.bint:
    """True if the material left cannot mate (FIDE 5.2.2): bare kings, one knight, or bishops all on one colour."""
    others: U64 = position.occupied() & ~position.by_type[KING]
    knights: U64 = position.by_type[KNIGHT]
    bishops: U64 = position.by_type[BISHOP]
    if others & ~(knights | bishops):
        return False
    if knights:
        return not has_several(others)
    dark_squares: U64 = 0xAA55AA55AA55AA55
    return not bishops & dark_squares or not bishops & ~dark_squares


def repetitions(position: Position) -> cython.int:
    """How often this position has stood on the board, now included (FIDE 9.2.3).

    The key covers side to move, castling rights and a capturable en-passant pawn, so equal keys are equal positions;
    nothing before the last pawn move or capture can be equal.
    """
    count: cython.int = 1
    back: cython.int
    for back in range(4, min(position.state.half_move_clock, position.ply()) + 1, 2):
        if (position.state - back).key == position.state.key:
            count += 1
    return count


def can_claim_fifty_moves(position: Position, intended: Move = NO_MOVE) -> bool:
    """True if the side to move may claim by the 50-move rule: now (FIDE 9.3.2) or with an intended move (9.3.1)."""
    return can_claim(position, intended, False)


def can_claim_threefold(position: Position, intended: Move = NO_MOVE) -> bool:
    """True if the side to move may claim a repetition: now (FIDE 9.2.2) or with an intended move (9.2.1)."""
    return can_claim(position, intended, True)


def can_claim(position: Position, intended: Move, threefold: cython.bint) -> bool:
    """One of the two claims. After checkmate or stalemate nothing can be claimed, and with an illegal move neither."""
    if intended == NO_MOVE:
        if not has_legal_move(position):
            return False
        if threefold:
            return repetitions(position) >= CLAIM_REPETITIONS
        return position.state.half_move_clock >= CLAIM_CLOCK
    if not is_legal(position, intended):
        return False
    position.reserve(1)
    position.make(intended)
    try:
        return can_claim(position, NO_MOVE, threefold)
    finally:
        position.unmake()
