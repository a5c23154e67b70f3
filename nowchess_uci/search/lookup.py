"""Tablebases in the search: scores for positions inside the tree, and an order of the root moves.

Inside the tree only the result is asked for, right after a capture or pawn move, when no clock has to be counted. At
the root DTZ tells which moves keep the result; with these the search looks for itself, tables aside, so that it finds
mates and plays on like a person.
"""

import cython
from cython.cimports.nowchess_uci.rules.bits import popcount
from cython.cimports.nowchess_uci.rules.constants import MAX_MOVES
from cython.cimports.nowchess_uci.rules.move import Move
from cython.cimports.nowchess_uci.rules.position import Position
from cython.cimports.nowchess_uci.search.scores import DRAW, NO_SCORE, TABLEBASE_WIN
from cython.cimports.nowchess_uci.search.worker import Worker
from cython.cimports.nowchess_uci.tablebases.probe import LOSS, WIN, probe_wdl, sign_of
from cython.cimports.nowchess_uci.tablebases.root import BY_DTZ, BY_NOTHING, Verdict, rank_moves
from cython.cimports.nowchess_uci.tablebases.tables import UNKNOWN


def look_up(worker: Worker, position: Position, depth: cython.int, ply: cython.int) -> cython.int:
    """The score of a position by the tables, or NO_SCORE. A win is at least that, since a mate may be near."""
    men: cython.int = popcount(position.occupied())
    if men > worker.probe_men or (men == worker.probe_men and depth < worker.probe_depth):
        return NO_SCORE
    result: cython.int = probe_wdl(worker.tablebases, position, LOSS, WIN)
    if result == UNKNOWN:
        return NO_SCORE
    worker.table_hits += 1
    if not worker.counts_fifty_moves:
        result = WIN * sign_of(result)
    if result == WIN:
        return TABLEBASE_WIN - ply
    if result == LOSS:
        return -TABLEBASE_WIN + ply
    return DRAW + result  # a win that comes too late is a little better than no win


def rank_root_moves(worker: Worker) -> cython.void:
    """Give the root moves ranks and scores by the tables, if these know them all; then the tree needs no tables."""
    moves = cython.declare(Move[MAX_MOVES])
    verdicts = cython.declare(Verdict[MAX_MOVES])
    index: cython.int
    for index in range(worker.root_count):
        moves[index] = worker.root_moves[index].move
    how: cython.int = rank_moves(
        worker.tablebases, worker.position, moves, worker.root_count, worker.counts_fifty_moves, verdicts
    )
    if how == BY_NOTHING:
        return
    worker.table_hits += worker.root_count
    if how == BY_DTZ:
        worker.probe_men = 0
    for index in range(worker.root_count):
        worker.root_moves[index].rank = verdicts[index].rank
        worker.root_moves[index].table_score = score_of_result(verdicts[index].result)


def score_of_result(result: cython.int) -> cython.int:
    """How the result of a root move is shown: all wins alike, since the search tells them apart."""
    if result == WIN:
        return TABLEBASE_WIN - 1
    if result == LOSS:
        return -TABLEBASE_WIN + 1
    return DRAW + result
