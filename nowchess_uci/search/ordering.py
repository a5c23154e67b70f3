"""Which move to try next: the better the order, the smaller the tree.

The table's move comes first, then captures that win or hold material, the killer, quiet moves by history, and losing
captures last. Moves are generated only when their turn comes, since an early cutoff makes the rest unnecessary.
"""

import cython
from cython.cimports.nowchess_uci.rules.attacks import bishop_attacks, rook_attacks, tables
from cython.cimports.nowchess_uci.rules.bits import U64, bit
from cython.cimports.nowchess_uci.rules.constants import (
    BISHOP,
    EMPTY,
    KING,
    KNIGHT,
    MINOR_VALUE,
    PAWN,
    PAWN_VALUE,
    QUEEN,
    QUEEN_VALUE,
    ROOK,
    ROOK_VALUE,
    type_of,
)
from cython.cimports.nowchess_uci.rules.exchange import wins_exchange
from cython.cimports.nowchess_uci.rules.move import (
    EN_PASSANT,
    NO_MOVE,
    PROMOTION,
    Move,
    kind_of,
    origin_of,
    promotion_of,
    target_of,
)
from cython.cimports.nowchess_uci.rules.movegen import QUIET, TACTICAL, generate, is_legal
from cython.cimports.nowchess_uci.rules.position import Position
from cython.cimports.nowchess_uci.search.ordering import (
    BAD_TACTICAL,
    FINISHED,
    GOOD_QUIET,
    GOOD_TACTICAL,
    KILLER,
    START_QUIET,
    START_TACTICAL,
    TABLE_MOVE,
    Picker,
    is_tactical,
)
from cython.cimports.nowchess_uci.search.params import params
from cython.cimports.nowchess_uci.search.worker import Worker

# What taking a pawn, knight, bishop, rook or queen is worth for the order: in tenths of a centipawn, so that histories
# can be weighed against it. A bishop counts a little more than a knight and a queen a little more than in an exchange,
# so that they are taken first among equals; what that gains is not measured.
victim_values = cython.declare(
    cython.int[6],
    (10 * PAWN_VALUE, 10 * MINOR_VALUE, 10 * MINOR_VALUE + 200, 10 * ROOK_VALUE, 10 * QUEEN_VALUE + 500, 0),
)


def start_picker(
    worker: Worker, picker: cython.pointer[Picker], ply: cython.int, table_move: Move, tactical_only: cython.bint
) -> cython.void:
    """Make ready to hand out the moves of the current position."""
    picker.stage = TABLE_MOVE
    picker.ply = ply
    picker.tactical_only = tactical_only
    picker.skip_quiets = tactical_only
    picker.table_move = NO_MOVE
    picker.killer = NO_MOVE
    picker.next = 0
    picker.count = 0
    picker.bad_count = 0
    picker.exchange_margin = 0
    # A table move may belong to another position with the same key: never trust it.
    if (
        table_move != NO_MOVE
        and is_legal(worker.position, table_move)
        and (not tactical_only or is_tactical(worker, table_move))
    ):
        picker.table_move = table_move


def pick(worker: Worker, picker: cython.pointer[Picker]) -> Move:
    """The next move to try, or NO_MOVE when there is none left."""
    move: Move
    if picker.stage == TABLE_MOVE:
        picker.stage = START_TACTICAL
        if picker.table_move != NO_MOVE:
            return picker.table_move
    if picker.stage == START_TACTICAL:
        picker.count = generate(worker.position, TACTICAL, picker.moves)
        score_tactical(worker, picker)
        picker.stage = GOOD_TACTICAL
    if picker.stage == GOOD_TACTICAL:
        while picker.next < picker.count:
            move = next_best(picker)
            if move == picker.table_move:
                continue
            if wins_exchange(worker.position, move, -picker.exchange_margin):
                return move
            picker.moves[picker.bad_count] = move
            picker.bad_count += 1
        picker.stage = FINISHED if picker.tactical_only else KILLER
    if picker.stage == KILLER:
        picker.stage = START_QUIET
        move = worker.at(picker.ply).killer
        if (
            not picker.skip_quiets
            and move != NO_MOVE
            and move != picker.table_move
            and not is_tactical(worker, move)
            and is_legal(worker.position, move)
        ):
            picker.killer = move
            return move
    if picker.stage == START_QUIET:
        picker.stage = GOOD_QUIET
        picker.next = picker.bad_count
        picker.count = picker.bad_count
        if not picker.skip_quiets:
            picker.count += generate(worker.position, QUIET, picker.moves + picker.bad_count)
            score_quiets(worker, picker)
    if picker.stage == GOOD_QUIET:
        while picker.next < picker.count and not picker.skip_quiets:
            move = next_best(picker)
            if move != picker.table_move and move != picker.killer:
                return move
        picker.stage = BAD_TACTICAL
        picker.next = 0
    if picker.stage == BAD_TACTICAL:
        if picker.next < picker.bad_count:
            picker.next += 1
            return picker.moves[picker.next - 1]
        picker.stage = FINISHED
    return NO_MOVE


def score_tactical(worker: Worker, picker: cython.pointer[Picker]) -> cython.void:
    """Most valuable victim first, then by how such captures have done; queen promotions with the best."""
    index: cython.int
    for index in range(picker.count):
        move: Move = picker.moves[index]
        captured: cython.int = worker.position.board[target_of(move)]
        score: cython.int = worker.capture_score(move) // 8
        if captured != EMPTY:
            score += victim_values[type_of(captured)]
        elif kind_of(move) == EN_PASSANT:
            score += victim_values[0]
        if kind_of(move) == PROMOTION:
            score += 9000 if promotion_of(move) == QUEEN else -20000
        picker.scores[index] = score


def score_quiets(worker: Worker, picker: cython.pointer[Picker]) -> cython.void:
    """By history, and moves that give check before others like them."""
    occupied: U64 = worker.position.occupied()
    enemy: cython.int = worker.position.side ^ 1
    king: cython.int = worker.position.king_square(enemy)
    checks = cython.declare(U64[6])
    checks[PAWN] = tables.pawn[enemy][king]
    checks[KNIGHT] = tables.knight[king]
    checks[BISHOP] = bishop_attacks(king, occupied)
    checks[ROOK] = rook_attacks(king, occupied)
    checks[QUEEN] = checks[BISHOP] | checks[ROOK]
    checks[KING] = 0
    index: cython.int
    for index in range(picker.next, picker.count):
        move: Move = picker.moves[index]
        score: cython.int = worker.quiet_score(move, picker.ply)
        if checks[type_of(worker.position.board[origin_of(move)])] & bit(target_of(move)):
            score += params.check_bonus
        picker.scores[index] = score


def next_best(picker: cython.pointer[Picker]) -> Move:
    """Take the best of the remaining moves: a full sort would be wasted on a cutoff."""
    best: cython.int = picker.next
    index: cython.int
    for index in range(picker.next + 1, picker.count):
        if picker.scores[index] > picker.scores[best]:
            best = index
    move: Move = picker.moves[best]
    picker.moves[best] = picker.moves[picker.next]
    picker.scores[best] = picker.scores[picker.next]
    picker.next += 1
    return move


# For tools and tests.

STAGES = {
    START_TACTICAL: "table move",
    GOOD_TACTICAL: "good tactical",
    START_QUIET: "killer",
    GOOD_QUIET: "quiet",
    BAD_TACTICAL: "bad tactical",
}


def picked_moves(
    worker: Worker, position: Position, table_move: Move = NO_MOVE, killer: Move = NO_MOVE, tactical_only: bool = False
) -> list[tuple[str, int]]:
    """All moves of a position in the order in which a worker tries them, each with what it is tried as."""
    worker.position = position.copy()
    worker.at(0).killer = killer
    picker = cython.declare(Picker)
    start_picker(worker, cython.address(picker), 0, table_move, tactical_only)
    picked: list[tuple[str, int]] = []
    while True:
        move: Move = pick(worker, cython.address(picker))
        if move == NO_MOVE:
            return picked
        picked.append((STAGES[picker.stage], move))
