"""Leaf counts of the move tree: the standard proof of a move generator, and its speed test."""

import threading
from collections.abc import Callable
from contextlib import suppress

import cython
from cython.cimports.nowchess_uci.rules.bits import U64
from cython.cimports.nowchess_uci.rules.constants import MAX_MOVES
from cython.cimports.nowchess_uci.rules.move import Move
from cython.cimports.nowchess_uci.rules.movegen import ALL, count_moves, generate
from cython.cimports.nowchess_uci.rules.position import Position

from nowchess_uci.rules.movegen import legal_moves, play, undo
from nowchess_uci.threads import Thread, start_threads, wait_for

PART_DEPTH = 4


def count_leaves(position: Position, depth: cython.int) -> U64:
    """Positions after exactly `depth` >= 1 half-moves; the last ones are counted, not made."""
    if depth == 1:
        return count_moves(position)
    moves = cython.declare(Move[MAX_MOVES])
    leaves: U64 = 0
    index: cython.int
    for index in range(generate(position, ALL, moves)):
        position.make(moves[index])
        leaves += count_leaves(position, depth - 1)
        position.unmake()
    return leaves


def perft(position: Position, depth: cython.int) -> int:
    """Positions after exactly `depth` half-moves, counted without the GIL."""
    if depth < 1:
        return 1
    position.reserve(depth)
    leaves: U64
    with cython.nogil:
        leaves = count_leaves(position, depth)
    return leaves


def divide(
    position: Position, depth: int, threads: int = 1, report: Callable[[int, int], None] | None = None
) -> dict[int, int]:
    """The leaves below each legal move, in the generator's order, counted by several threads.

    The work is cut into move pairs, small enough to share evenly. `report(done, total)` is called with the pairs
    done, at least several times a second however large a pair is; an exception it raises ends the count.
    """
    counts = dict.fromkeys(legal_moves(position), 1)
    if depth < 2:
        return counts if depth == 1 else {}
    pairs = split(position, depth)
    total = len(pairs)
    lock = threading.Lock()
    tell = report if report is not None else ignore

    def work() -> None:
        own = position.copy()
        while True:
            with lock:
                if not pairs:
                    return
                line = pairs.pop()
            try:
                for move in line:
                    play(own, move)
                leaves = count_in_parts(own, depth - len(line), lambda: tell(total - len(pairs) - 1, total))
                for _ in line:
                    undo(own)
            except MemoryError:
                with lock:
                    pairs.append(line)  # for a thread that has memory
                raise
            with lock:
                counts[line[0]] += leaves
                tell(total - len(pairs), total)

    counts = dict.fromkeys(counts, 0)
    raised: list[BaseException] = []

    def work_beside() -> None:
        try:
            work()
        except MemoryError:
            pass  # the others do the rest, as if the system had given no thread
        except BaseException as error:
            raised.append(error)  # for the caller, not for the terminal

    helpers: list[Thread] = []
    try:
        with suppress(MemoryError):
            start_threads([work_beside] * (threads - 1), started=helpers)
            work()
        wait_for(helpers)
        if not raised:
            work()  # what is left, with the memory that the helpers have given back
    finally:
        with lock:
            pairs.clear()  # interrupted: the helpers stop after the pair they are at
        wait_for(helpers)
    if raised:
        raise raised[0]
    return counts


def ignore(_done: int, _total: int) -> None:
    """For those who want no report."""


def count_in_parts(position: Position, depth: int, breathe: Callable[[], None]) -> int:
    """`perft` that calls `breathe` between parts of some milliseconds."""
    if depth <= PART_DEPTH:
        return perft(position, depth)
    leaves = 0
    for move in legal_moves(position):
        breathe()
        play(position, move)
        leaves += count_in_parts(position, depth - 1, breathe)
        undo(position)
    return leaves


def split(position: Position, depth: int) -> list[tuple[int, ...]]:
    """The first two moves of every line, or the first one if the tree is too flat for pairs."""
    if depth < 3:
        return [(move,) for move in legal_moves(position)]
    pairs: list[tuple[int, ...]] = []
    for move in legal_moves(position):
        play(position, move)
        pairs += [(move, reply) for reply in legal_moves(position)]
        undo(position)
    return pairs
