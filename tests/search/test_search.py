"""What the search must find, and what it must never do."""

import threading
import time

import pytest
from tasks import task

from nowchess_uci import Board, Status
from nowchess_uci.rules.fen import parse_fen
from nowchess_uci.rules.move import render_move
from nowchess_uci.rules.movegen import play
from nowchess_uci.rules.notation import parse_move
from nowchess_uci.search.pool import Pool
from nowchess_uci.search.quiescence import draws_after
from nowchess_uci.search.reports import BestMove, Progress, Report
from nowchess_uci.search.task import Task
from nowchess_uci.search.thinking import Thinking

MATE = 32000


def think(fen: str, limits: Task, moves: str = "", threads: int = 1) -> tuple[str, list[Progress]]:
    """The best move and the reports of a search."""
    position = parse_fen(fen)
    for text in moves.split():
        play(position, parse_move(position, text))
    pool = Pool(8, threads)
    reports: list[Report] = []
    best = Thinking(pool, position, limits, reports.append).run()
    assert isinstance(reports[-1], BestMove)
    return render_move(best.move), [report for report in reports if isinstance(report, Progress)]


@pytest.mark.parametrize(
    ("fen", "moves"),
    [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", 1),
        ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", 1),
        ("5k2/8/5K2/8/8/8/8/7R w - - 0 1", 1),
        ("8/1K6/8/k1pPQ3/7R/8/8/7r w - c6 0 1", 1),  # only by capturing en passant
        ("2KR1N2/4k1PR/1p2p3/8/8/8/r7/8 w - - 0 1", 1),  # only by promoting to a knight
        ("r2q1b1r/1pN1n1pp/p1n3k1/4Pb2/2BP4/8/PPP3PP/R1BQ1RK1 w - - 1 1", 2),
        ("7k/8/5K2/8/8/8/8/6R1 w - - 0 1", 2),
        ("6k1/6pp/8/6N1/8/8/6PP/5Q1K w - - 0 1", 2),
    ],
)
def test_mates_are_found_with_their_exact_length_and_line(fen: str, moves: int) -> None:
    _, reports = think(fen, task(depth=18))
    assert MATE - reports[-1].score.units == 2 * moves - 1
    assert len(reports[-1].line) == 2 * moves - 1
    board = Board(fen)
    board.play(*(render_move(move) for move in reports[-1].line))
    assert board.status() == Status.CHECKMATE


def test_being_mated_is_told_too() -> None:
    _, reports = think("7k/5K2/6R1/8/8/8/8/8 b - - 0 1", task(depth=16))
    assert reports[-1].score.units == -(MATE - 4)


@pytest.mark.parametrize("threads", [1, 2])
def test_several_threads_find_the_same_mate(threads: int) -> None:
    move, _ = think("8/1K6/8/k1pPQ3/7R/8/8/7r w - c6 0 1", task(depth=6), threads=threads)
    assert move == "d5c6"


def test_underpromotion_avoids_stalemate() -> None:
    move, reports = think("8/5P1k/5K2/8/8/8/8/8 w - - 0 1", task(depth=10))
    assert move == "f7f8r"
    assert reports[-1].score.units > MATE - 20


def test_stalemate_is_used_to_save_a_lost_game() -> None:
    # The rook offers itself; whoever takes it leaves White without a move.
    _, reports = think("8/R7/8/8/8/6qk/8/7K w - - 0 1", task(depth=10))
    assert reports[-1].score.units == 0


def test_the_fifty_move_draw_comes_before_a_win_but_not_before_mate() -> None:
    _, drawn = think("7k/8/8/8/8/8/R7/K7 w - - 99 100", task(depth=6))
    assert drawn[-1].score.units == 0
    move, mate = think("7k/R7/6K1/8/8/8/8/8 w - - 99 100", task(depth=4))
    assert (move, mate[-1].score.units) == ("a7a8", MATE - 1)


def test_a_clock_past_100_is_searched_as_if_it_were_0() -> None:
    # Nobody enforces the rule here: a rook must not be given away because "it is a draw anyway".
    move, reports = think("4kr2/8/8/8/8/8/8/3RK3 b - - 100 80", task(depth=8))
    assert move not in ("f8f1", "f8f2")
    assert len(reports[-1].line) > 1
    _, won = think("7k/8/8/8/8/8/R7/K7 w - - 120 130", task(depth=8))
    assert won[-1].score.units > 300


def test_the_winning_side_does_not_complete_a_threefold_repetition() -> None:
    # The rook has gone out and back twice; one more time and it is a draw.
    fen = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"
    past = "a1a2 e8d8 a2a1 d8e8 a1a2 e8d8 a2a1 d8e8"
    board = Board(fen)
    board.play(*past.split())
    move, reports = think(fen, task(depth=8), past)
    board.play(move)
    assert not board.can_claim_threefold()
    assert reports[-1].score.units > 300


def test_a_position_that_comes_back_by_passing_is_no_repetition() -> None:
    start = parse_fen(Board().fen())
    out = parse_move(start, "g1f3")
    back = parse_move(parse_fen("rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 1 1"), "f3g1")
    black_out = parse_move(parse_fen("rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1"), "g8f6")
    black_back = parse_move(parse_fen("rnbqkb1r/pppppppp/5n2/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 3 2"), "f6g8")
    passing = 0
    played = (out, black_out, back, black_back)
    assert draws_after(start, played, 5)
    assert not draws_after(start, (out, passing, back, passing), 5)
    assert not draws_after(start, (passing, black_out, passing, black_back), 5)
    assert draws_after(start, (out, passing, back, passing, *played), 9)


def test_dead_positions_score_zero() -> None:
    _, reports = think("8/8/4k3/8/8/3BK3/8/8 w - - 0 1", task(depth=5))
    assert reports[-1].score.units == 0


def test_one_thread_is_deterministic() -> None:
    first, second = (think(Board().fen(), task(depth=9))[1][-1] for _ in range(2))
    assert (first.nodes, first.score.units, first.line) == (second.nodes, second.score.units, second.line)


@pytest.mark.parametrize("nodes", [1, 50, 5_000, 50_000])
def test_the_node_limit_is_kept(nodes: int) -> None:
    _, reports = think(Board().fen(), task(nodes=nodes))
    assert reports[-1].nodes <= max(nodes, 100) + 2


def test_the_mate_limit_ends_the_search() -> None:
    _, reports = think("7k/8/5K2/8/8/8/8/6R1 w - - 0 1", task(mate=3, movetime_ms=5000))
    assert reports[-1].score.units >= MATE - 5
    assert reports[-1].seconds < 2


def test_search_moves_are_the_only_ones_tried() -> None:
    position = parse_fen(Board().fen())
    chosen = (parse_move(position, "a2a3"), parse_move(position, "h2h4"))
    assert think(Board().fen(), task(depth=6, search_moves=chosen))[0] in ("a2a3", "h2h4")


def test_stop_from_another_thread_is_quick() -> None:
    thinking = Thinking(Pool(8, 2), parse_fen(Board().fen()), task(infinite=True))
    thread = threading.Thread(target=thinking.run)
    thread.start()
    time.sleep(0.2)
    start = time.monotonic()
    thinking.stop()
    thread.join(2)
    assert not thread.is_alive()
    assert time.monotonic() - start < 0.2


def test_the_time_limit_is_kept() -> None:
    start = time.monotonic()
    think(Board().fen(), task(movetime_ms=200, started=start))
    assert 0.1 < time.monotonic() - start < 0.4


def test_lines_end_where_the_fifty_move_rule_ends_the_game() -> None:
    _, reports = think("7k/8/8/8/8/8/R7/K7 w - - 96 100", task(depth=12))
    assert reports[-1].score.units == 0
    assert len(reports[-1].line) <= 4


def test_the_deepest_iterations_do_no_harm() -> None:
    _, reports = think("8/8/8/1k5p/7P/1K6/8/8 w - - 0 1", task(depth=239, movetime_ms=3000))
    assert reports[-1].depth > 40
