"""The result of a position by the tables: won, drawn or lost, and how far the next capture or pawn move is.

The tables leave out what a search of one capture can tell, and know nothing of en passant. So captures are tried first,
one after the other down to the last; whatever they come to, the table's value is the rest.

DTZ counts plies to the next zeroing move (capture, pawn move) or mate of the side that wins, with 100 added if the
50-move rule makes a draw of it. It may be one too small, since most tables store moves, not plies.
"""

import cython
from cython.cimports.nowchess_uci.rules.constants import EMPTY, MAX_MOVES, PAWN, type_of
from cython.cimports.nowchess_uci.rules.move import CASTLING, EN_PASSANT, Move, kind_of, origin_of, target_of
from cython.cimports.nowchess_uci.rules.movegen import ALL, generate, has_legal_move
from cython.cimports.nowchess_uci.rules.position import Position
from cython.cimports.nowchess_uci.tablebases.probe import (
    LOSS,
    TABLE_DRAW,
    WIN,
    Zeroing,
    can_be_probed,
    dtz_of_zeroing,
    sign_of,
)
from cython.cimports.nowchess_uci.tablebases.tables import OTHER_SIDE, UNKNOWN, Tables

DEEPEST = 8  # moves that a probe makes, one after the other


def probe_wdl(tables: Tables, position: Position, alpha: cython.int, beta: cython.int) -> cython.int:
    """The result for the side to move if the half-move clock were 0, or UNKNOWN.

    Exact between alpha and beta, a bound outside, as in any search. Needs room for DEEPEST moves.
    """
    captures: Zeroing = search_zeroing(tables, position, False, alpha, beta)
    if not captures.is_known:
        return UNKNOWN
    # If a capture is forced, the table, which does not know en passant, may take it for stalemate.
    if captures.is_all or captures.best >= beta:
        return captures.best
    value: cython.int = tables.wdl_value(position)
    return UNKNOWN if value == UNKNOWN else max(value, captures.best)


def probe_dtz(tables: Tables, position: Position) -> cython.int:
    """Plies to the next zeroing move or mate: positive for a win, negative for a loss, 0 for a draw, or UNKNOWN."""
    zeroing: Zeroing = search_zeroing(tables, position, True, LOSS, WIN)
    if not zeroing.is_known:
        return UNKNOWN
    if zeroing.is_all:
        return dtz_of_zeroing(zeroing.best)
    wdl: cython.int = tables.wdl_value(position)
    if wdl == UNKNOWN:
        return UNKNOWN
    if zeroing.best > TABLE_DRAW and zeroing.best >= wdl:
        return dtz_of_zeroing(zeroing.best)
    wdl = max(wdl, zeroing.best)
    if wdl == TABLE_DRAW:
        return 0
    value: cython.int = tables.dtz_value(position, wdl)
    if value == UNKNOWN:
        return UNKNOWN
    if value == OTHER_SIDE:
        return dtz_by_moves(tables, position, wdl)
    return dtz_of_zeroing(wdl) + value * sign_of(wdl)


def dtz_by_moves(tables: Tables, position: Position, wdl: cython.int) -> cython.int:
    """The same where the table has only the other side's positions: the quickest of all wins, or the slowest loss."""
    moves = cython.declare(Move[MAX_MOVES])
    count: cython.int = generate(position, ALL, moves)
    found: cython.bint = False
    best: cython.int = 0
    index: cython.int
    for index in range(count):
        value: cython.int
        zeroing: cython.bint = is_zeroing(position, moves[index])
        position.make(moves[index])
        if zeroing:
            value = probe_wdl(tables, position, LOSS, WIN)
            if value != UNKNOWN:
                value = dtz_of_zeroing(-value)
        elif position.state.checkers and not has_legal_move(position):
            value = 1
        else:
            value = probe_dtz(tables, position)
            if value != UNKNOWN:
                value = -value - sign_of(value)
        position.unmake()
        if value == UNKNOWN:
            return UNKNOWN
        if sign_of(value) == sign_of(wdl) and (not found or value < best):
            found = True
            best = value
    return best if found else -1  # without a move it is mate


def search_zeroing(
    tables: Tables, position: Position, pawn_moves: cython.bint, alpha: cython.int, beta: cython.int
) -> Zeroing:
    """Try all captures, and all pawn moves if wanted, until one reaches beta."""
    result = cython.declare(Zeroing)
    result.best = LOSS - 1
    result.is_all = False
    result.is_known = True
    moves = cython.declare(Move[MAX_MOVES])
    count: cython.int = generate(position, ALL, moves)
    tried: cython.int = 0
    index: cython.int
    for index in range(count):
        if not is_capture(position, moves[index]) and not (pawn_moves and is_zeroing(position, moves[index])):
            continue
        tried += 1
        position.make(moves[index])
        value: cython.int = probe_wdl(tables, position, -beta, -max(alpha, result.best))
        position.unmake()
        if value == UNKNOWN:
            result.is_known = False
            return result
        result.best = max(result.best, -value)
        if result.best >= beta:
            return result
    result.is_all = tried == count and count > 0
    return result


def is_capture(position: Position, move: Move) -> cython.bint:
    """True if the move takes a piece, en passant too."""
    if kind_of(move) == CASTLING:
        return False
    return position.board[target_of(move)] != EMPTY or kind_of(move) == EN_PASSANT


def is_zeroing(position: Position, move: Move) -> cython.bint:
    """True if the move sets the half-move clock to 0."""
    return is_capture(position, move) or type_of(position.board[origin_of(move)]) == PAWN


# For Python callers.


def wdl_of(tables: Tables, position: Position) -> int | None:
    """`probe_wdl` of a position of one's own; None if it is not known."""
    if not can_be_probed(tables, position):
        return None
    position.reserve(DEEPEST)
    value: cython.int
    with cython.nogil:
        value = probe_wdl(tables, position, LOSS, WIN)
    return None if value == UNKNOWN else value


def dtz_of(tables: Tables, position: Position) -> int | None:
    """`probe_dtz` of a position of one's own; None if it is not known."""
    if not can_be_probed(tables, position):
        return None
    position.reserve(DEEPEST)
    value: cython.int
    with cython.nogil:
        value = probe_dtz(tables, position)
    return None if value == UNKNOWN else value


def table_value(tables: Tables, position: Position) -> int | None:
    """What the WDL table alone says, for tests; None if it is not known."""
    value: cython.int = tables.wdl_value(position) if can_be_probed(tables, position) else UNKNOWN
    return None if value == UNKNOWN else value
