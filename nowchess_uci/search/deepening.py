"""Iterative deepening: one ply deeper each time, until a limit is reached; the table makes it cheap.

One worker's share: its root moves, an iteration, the line it found. `thinking` decides how many iterations.
"""

from typing import NamedTuple

import cython
from cython.cimports.nowchess_uci.rules.constants import MAX_MOVES
from cython.cimports.nowchess_uci.rules.move import Move
from cython.cimports.nowchess_uci.rules.movegen import ALL, generate
from cython.cimports.nowchess_uci.search.alphabeta import search_root
from cython.cimports.nowchess_uci.search.deepening import comes_before
from cython.cimports.nowchess_uci.search.params import params
from cython.cimports.nowchess_uci.search.scores import INFINITE, MAX_PLY, NO_SCORE, is_decisive, is_mate
from cython.cimports.nowchess_uci.search.worker import RootMove, Worker

# For Python callers, who do not see the C constant.
MAX_DEPTH = MAX_PLY - 1


def sort_root_moves(worker: Worker, first: cython.int) -> cython.void:
    """Best rank and score first; equal ones keep their order, so that the last iteration's order breaks ties."""
    moves: cython.pointer[RootMove] = worker.root_moves
    index: cython.int
    for index in range(first + 1, worker.root_count):
        if comes_before(cython.address(moves[index]), cython.address(moves[index - 1])):
            moved: RootMove = worker.root_moves[index]
            place: cython.int = index
            while place > first and comes_before(cython.address(moved), cython.address(moves[place - 1])):
                worker.root_moves[place] = worker.root_moves[place - 1]
                place -= 1
            worker.root_moves[place] = moved


def list_root_moves(worker: Worker) -> cython.void:
    """Take all legal moves of the worker's position as those to search."""
    moves = cython.declare(Move[MAX_MOVES])
    worker.root_count = generate(worker.position, ALL, moves)
    index: cython.int
    for index in range(worker.root_count):
        root: cython.pointer[RootMove] = cython.address(worker.root_moves[index])
        root.move = moves[index]
        root.score = -INFINITE
        root.is_exact = False
        root.previous_score = -INFINITE
        root.rank = 0
        root.table_score = NO_SCORE
        root.selective_depth = 0
        root.nodes = 0
        root.pv[0] = moves[index]
        root.pv_length = 1


def keep_root_moves(worker: Worker, chosen: tuple[int, ...]) -> None:
    """Leave out the root moves that were not chosen."""
    kept: cython.int = 0
    index: cython.int
    for index in range(worker.root_count):
        if worker.root_moves[index].move in chosen:
            worker.root_moves[kept] = worker.root_moves[index]
            kept += 1
    worker.root_count = kept


def run_iteration(worker: Worker, depth: cython.int, multi_pv: cython.int) -> cython.bint:
    """Search one depth, the best `multi_pv` moves one after the other; False if it was stopped on the way."""
    index: cython.int
    for index in range(worker.root_count):
        worker.root_moves[index].previous_score = worker.root_moves[index].score
        worker.root_moves[index].is_exact = False
    worker.root_depth = depth
    for index in range(min(multi_pv, worker.root_count)):
        search_window(worker, depth, index)
        if worker.stopped():
            return False
    sort_root_moves(worker, 0)  # a later line may have come out better than an earlier one
    return True


def search_window(worker: Worker, depth: cython.int, first: cython.int) -> cython.void:
    """Search with a narrow window around the last score, widened on the side where it fails.

    The larger the score, the more it varies from one iteration to the next.
    """
    previous: cython.int = worker.root_moves[first].previous_score
    width: cython.int = params.aspiration_window
    alpha: cython.int = -INFINITE
    beta: cython.int = INFINITE
    if depth >= 4 and not is_decisive(previous):
        width += min(previous * previous // 16384, 100)
        alpha = max(previous - width, -INFINITE)
        beta = min(previous + width, INFINITE)
    reduced: cython.int = 0
    while True:
        score: cython.int = search_root(worker, worker.position, alpha, beta, max(depth - reduced, 1), first)
        sort_root_moves(worker, first)
        if worker.stopped() or alpha < score < beta:
            return
        worker.tell_bound(first, score >= beta)
        if score <= alpha:
            beta = (alpha + beta) // 2
            alpha = max(score - width, -INFINITE)
            reduced = 0
        else:
            beta = min(score + width, INFINITE)
            reduced = min(reduced + 1, 3)  # a move that beats beta is found again at less depth
        width += width // 2
        if width > 500:
            alpha = -INFINITE
            beta = INFINITE


class FoundLine(NamedTuple):
    """The line of a root move, and the iteration that found it."""

    score: int
    depth: int
    selective_depth: int
    moves: tuple[int, ...]


def line_of(worker: Worker, number: cython.int) -> FoundLine:
    """The line of the number-th best root move as it is known now; its score may be a bound, or none yet.

    What the tablebases say of a root move counts more than the search, unless that has found a mate.
    """
    root: cython.pointer[RootMove] = cython.address(worker.root_moves[number])
    score: cython.int = root.score
    if root.table_score != NO_SCORE and score != -INFINITE and not is_mate(score):
        score = root.table_score
    moves = tuple([root.pv[step] for step in range(root.pv_length)])
    return FoundLine(score, worker.root_depth, root.selective_depth + 1, moves)


def is_best_exact(worker: Worker) -> bool:
    """True if the best root move's score was found in this iteration and is no bound, complete or not."""
    return worker.root_moves[0].is_exact


def count_choices(worker: Worker) -> int:
    """How many root moves there are to choose from."""
    return worker.end_of_rank(0)


def best_share(worker: Worker) -> float:
    """How much of all nodes so far went into the best move."""
    return worker.root_moves[0].nodes / max(worker.nodes, 1)
