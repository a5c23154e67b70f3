"""The compiled core at work in every way at once: what the sanitizer builds watch, and quick enough for every run.

Tests with `threads` in their name are those that ThreadSanitizer runs.
"""

import random
import threading
import time

import pytest
from tasks import task

from nowchess_uci.engine.bench import Bench
from nowchess_uci.rules.fen import START_FEN, parse_fen
from nowchess_uci.rules.movegen import is_legal_move, legal_moves, play
from nowchess_uci.rules.perft import divide
from nowchess_uci.rules.position import Position
from nowchess_uci.search.pool import Pool
from nowchess_uci.search.reports import BestMove, Progress, Report
from nowchess_uci.search.task import Task
from nowchess_uci.search.thinking import Thinking

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
CHESS960 = "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9"
EDGES = (
    START_FEN,
    KIWIPETE,
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "qqqqkqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQKQQQ w - - 0 1",
    "4k3/8/3N1N2/2N3N1/4Q3/2N3N1/3N1N2/4K3 b - - 0 1",
    "8/8/1p1p1p1p/1P1P1P1P/8/8/4k3/6K1 w - - 0 1",
    "8/P6k/8/8/8/8/p6K/8 w - - 97 100",
    "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
)


def search(pool: Pool, position: Position, limits: Task) -> BestMove:
    """Search, and check that every line told is legal from the first move to the last."""

    def check(report: Report) -> None:
        if isinstance(report, Progress):
            twin = position.copy()
            for move in report.line:
                assert is_legal_move(twin, move)
                play(twin, move)

    best = Thinking(pool, position.copy(), limits, check).run()
    assert best.move in (legal_moves(position) or [0])
    return best


def test_a_bench_counts_its_nodes() -> None:
    nodes, _ = Bench(5, 1, 1).run()
    assert nodes == Bench(5, 1, 1).run()[0]


@pytest.mark.parametrize("fen", EDGES)
def test_edges_with_one_line_and_with_many(fen: str) -> None:
    pool = Pool(1)
    position = parse_fen(fen)
    search(pool, position, task(depth=8, nodes=20_000))
    search(pool, position, task(depth=4, lines=256, shown_lines=256, nodes=20_000))


def test_chess960() -> None:
    pool = Pool(1)
    source = random.Random(5)
    for _ in range(3):
        position = parse_fen(CHESS960, True)
        for _ in range(30):
            search(pool, position, task(depth=5, nodes=2_000))
            moves = legal_moves(position)
            if not moves:
                break
            play(position, source.choice(moves))


def test_a_table_of_one_mebibyte_is_overwritten_many_times() -> None:
    pool = Pool(1)
    for number in range(70):  # more searches than there are generations
        search(pool, parse_fen(EDGES[number % 2]), task(depth=9, nodes=3_000))


def test_threads_search_together() -> None:
    pool = Pool(1, 4)
    for fen in EDGES:
        search(pool, parse_fen(fen), task(depth=7, nodes=30_000))
        search(pool, parse_fen(fen), task(depth=5, lines=5, shown_lines=5, nodes=20_000))
    search(pool, parse_fen(CHESS960, True), task(depth=8))
    assert pool.nodes() > 0


def test_threads_are_stopped_and_counted_at_any_moment() -> None:
    source = random.Random(6)
    pool = Pool(2, 3)
    for number in range(25):
        position = parse_fen(EDGES[number % 2])
        pondering = number % 3 == 0
        to_do = task(infinite=not pondering, ponder=pondering, time_ms=40 if pondering else None)
        thinking = Thinking(pool, position, to_do)
        found: list[BestMove] = []
        thread = threading.Thread(target=lambda: found.append(thinking.run()))  # noqa: B023
        thread.start()
        time.sleep(source.uniform(0.0, 0.03))
        if pondering:
            thinking.ponderhit()
            time.sleep(source.uniform(0.0, 0.02))
        thinking.stop()
        thread.join()
        assert found[0].move in legal_moves(position)
        if number % 8 == 0:
            pool.forget()
            pool.set_threads(source.choice((1, 2, 4)))
            pool.set_hash(source.choice((1, 3)))


def test_threads_count_the_move_tree() -> None:
    assert sum(divide(parse_fen(KIWIPETE), 3, 4).values()) == 97862
    assert sum(divide(parse_fen(CHESS960, True), 3, 4).values()) == 14569
