"""Which moves of a position are best by the tables, with its half-move clock and its past.

A won ending has to be won before the 50-move rule and without a third repetition, yet the quickest way to the next
capture is not how a person would win. So at first all moves that win in time count as equally good, and the search
chooses; after ten moves without a capture or pawn move, or once a position has come back, only the quickest way does.
Who loses may choose among the moves that hold out nearly as long as possible.
"""

import cython
from cython.cimports.nowchess_uci.rules.draws import repetitions
from cython.cimports.nowchess_uci.rules.move import Move
from cython.cimports.nowchess_uci.rules.movegen import has_legal_move
from cython.cimports.nowchess_uci.rules.position import Position, State
from cython.cimports.nowchess_uci.tablebases.probe import (
    BLESSED_LOSS,
    CURSED_WIN,
    LOSS,
    TABLE_DRAW,
    WIN,
    can_be_probed,
    dtz_of_zeroing,
    probe_dtz,
    probe_wdl,
    sign_of,
)
from cython.cimports.nowchess_uci.tablebases.root import BY_DTZ, BY_NOTHING, BY_WDL, FREE_CLOCK, NEAR_DRAW, Verdict
from cython.cimports.nowchess_uci.tablebases.tables import UNKNOWN, Tables


def rank_moves(
    tables: Tables,
    position: Position,
    moves: cython.pointer[cython.const[Move]],
    count: cython.int,
    fifty_moves: cython.bint,
    verdicts: cython.pointer[Verdict],
) -> cython.int:
    """Judge all these moves, by DTZ or if that is not there by WDL; BY_NOTHING if neither knows all of them.

    `fifty_moves` says whether the 50-move rule counts. The position has room for a few more moves.
    """
    if not can_be_probed(tables, position):
        return BY_NOTHING
    how: cython.int = BY_DTZ
    index: cython.int
    for index in range(count):
        if not judge_by_dtz(tables, position, moves[index], fifty_moves, cython.address(verdicts[index])):
            how = BY_WDL
            break
    if how == BY_WDL:
        for index in range(count):
            if not judge_by_wdl(tables, position, moves[index], fifty_moves, cython.address(verdicts[index])):
                return BY_NOTHING
            verdicts[index].rank = 1000 * verdicts[index].result
        return BY_WDL
    clock: cython.int = position.state.half_move_clock
    must_progress: cython.bint = clock >= FREE_CLOCK or has_repeated(position)
    longest: cython.int = 0
    for index in range(count):
        if verdicts[index].result == LOSS:
            longest = max(longest, -verdicts[index].dtz)
    for index in range(count):
        verdicts[index].rank = rank_of_move(cython.address(verdicts[index]), clock, fifty_moves, must_progress, longest)
    return BY_DTZ


def judge_by_dtz(
    tables: Tables, position: Position, move: Move, fifty_moves: cython.bint, verdict: cython.pointer[Verdict]
) -> cython.bint:
    """What a move comes to, except for its rank; False if a table is missing."""
    clock: cython.int = position.state.half_move_clock
    position.make(move)
    value: cython.int
    zeroing: cython.bint = position.state.half_move_clock == 0
    times: cython.int = repetitions(position)
    if position.state.checkers and not has_legal_move(position):
        value = 1
    elif times >= 3 or (fifty_moves and position.state.half_move_clock >= 100):
        value = 0
    elif zeroing:
        value = probe_wdl(tables, position, LOSS, WIN)
        if value != UNKNOWN:
            value = dtz_of_zeroing(-value)
    else:
        value = probe_dtz(tables, position)
        if value != UNKNOWN:
            value = -value - sign_of(value)
    position.unmake()
    verdict.dtz = value
    verdict.is_repetition = times >= 2
    verdict.result = result_of(value, clock, fifty_moves)
    return value != UNKNOWN


def judge_by_wdl(
    tables: Tables, position: Position, move: Move, fifty_moves: cython.bint, verdict: cython.pointer[Verdict]
) -> cython.bint:
    """The same without DTZ: the clock cannot be counted."""
    position.make(move)
    value: cython.int = TABLE_DRAW
    if position.state.checkers and not has_legal_move(position):
        value = LOSS
    elif repetitions(position) < 3 and not (fifty_moves and position.state.half_move_clock >= 100):
        value = probe_wdl(tables, position, LOSS, WIN)
    position.unmake()
    verdict.dtz = 0
    verdict.is_repetition = False
    verdict.result = -value if fifty_moves else WIN * sign_of(-value)
    return value != UNKNOWN


def result_of(dtz: cython.int, clock: cython.int, fifty_moves: cython.bint) -> cython.int:
    """The result of a move with this DTZ, played at this clock: the zeroing move has to be the 100th ply at the latest.

    A zeroing move itself (1, or 101 if what follows takes too long) is in time whatever the clock says.
    """
    plies: cython.int = abs(dtz)
    in_time: cython.bint = not fifty_moves or plies == 1 or (plies <= 100 and plies + clock <= 100)
    if dtz > 0:
        return WIN if in_time else CURSED_WIN
    if dtz < 0:
        return LOSS if in_time else BLESSED_LOSS
    return TABLE_DRAW


def rank_of_move(
    verdict: cython.pointer[Verdict],
    clock: cython.int,
    fifty_moves: cython.bint,
    must_progress: cython.bint,
    longest: cython.int,
) -> cython.int:
    """The rank of a move. `longest` is how long the best of all lost moves holds out."""
    plies: cython.int = min(abs(verdict.dtz), 900)
    if verdict.result == WIN:
        if plies > 1 and plies + clock == 100 and fifty_moves:
            return 4000 - plies  # too late if DTZ is one too small
        rank: cython.int = 6000 - plies if must_progress else 6000
        return rank - 1000 if verdict.is_repetition else rank
    if verdict.result == CURSED_WIN:
        return 2000 - plies
    if verdict.result == BLESSED_LOSS:
        return -2000 + plies
    if verdict.result == LOSS:
        if clock + longest >= NEAR_DRAW:
            return -6000 + plies
        return -6000 if 4 * plies >= 3 * longest else -7000
    return 0


def has_repeated(position: Position) -> cython.bint:
    """True if any position since the last capture or pawn move has been there twice."""
    limit: cython.int = min(position.state.half_move_clock, position.ply())
    state: cython.pointer[State] = position.state
    back: cython.int
    further: cython.int
    for back in range(limit + 1):
        for further in range(back + 4, limit + 1, 2):
            if (state - back).key == (state - further).key:
                return True
    return False
