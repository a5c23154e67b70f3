"""Searches with tablebases: the result is kept, shown in a band of its own, and mates are still mates."""

import itertools
import random
from pathlib import Path

import pytest
from oracle import Prober, chess, random_ending
from strength.endings import held_starts, play_out, won_starts
from tasks import task

from nowchess_uci import Board, Engine, Limits, Status, Tablebases
from nowchess_uci.rules.draws import status
from nowchess_uci.rules.fen import parse_fen
from nowchess_uci.rules.move import render_move
from nowchess_uci.rules.movegen import is_legal_move, play
from nowchess_uci.rules.notation import parse_move
from nowchess_uci.search.pool import Pool
from nowchess_uci.search.reports import BestMove, Progress, Report
from nowchess_uci.search.scores import TABLEBASE_SCORE, centipawns, is_mate_score, moves_to_mate
from nowchess_uci.search.table import Table
from nowchess_uci.search.task import Probing
from nowchess_uci.search.thinking import Thinking
from nowchess_uci.tablebases.folders import Problem
from nowchess_uci.tablebases.probe import wdl_of
from nowchess_uci.tablebases.tables import Tables

FIVE_MEN_LOST = "4k3/8/8/8/8/8/4P3/R3K2r w - - 0 1"  # the rook falls, and the ending of rook against pawn is lost
BISHOP_AND_KNIGHT = "8/8/8/8/8/4k3/8/KBN5 w - - {} 60"


@pytest.fixture(scope="module")
def tables(tables_folder: Path) -> Tables:
    return Tables([str(tables_folder)])


@pytest.fixture(scope="module")
def referee(tables_folder: Path) -> Prober:
    return Prober(tables_folder)


def search(tables: Tables | None, fen: str, moves: str = "", threads: int = 1, **parts: object) -> list[Report]:
    """Everything that a search reports."""
    position = parse_fen(fen)
    for text in moves.split():
        play(position, parse_move(position, text))
    pool = Pool(2, threads)
    pool.tablebases = tables
    told: list[Report] = []
    Thinking(pool, position, task(**parts), told.append).run()
    return told


def last_line(told: list[Report], rank: int = 1) -> Progress:
    return [report for report in told if isinstance(report, Progress) and report.rank == rank][-1]


def best_move(told: list[Report]) -> str:
    assert isinstance(told[-1], BestMove)
    return render_move(told[-1].move)


# Scores.


def test_tablebase_scores_are_shown_in_centipawns_that_nothing_else_reaches() -> None:
    assert centipawns(TABLEBASE_SCORE) == 20_000
    assert centipawns(TABLEBASE_SCORE - 7) == 19_993
    assert centipawns(-TABLEBASE_SCORE + 7) == -19_993
    assert not is_mate_score(TABLEBASE_SCORE)
    assert moves_to_mate(TABLEBASE_SCORE - 1) is None
    assert centipawns(1234) == 1234


def test_the_transposition_table_counts_tablebase_wins_from_the_position() -> None:
    table = Table(1)
    plain = {"found": True, "move": 1, "static_score": 0, "depth": 6, "bound": 2, "was_pv": False}
    table.keep(77, 5, plain | {"score": TABLEBASE_SCORE - 9})
    assert table.look_up(77, 0)["score"] == TABLEBASE_SCORE - 4
    assert table.look_up(77, 20)["score"] == TABLEBASE_SCORE - 24
    assert table.look_up(77, 0, 80)["bound"] == 2
    table.keep(78, 0, plain | {"score": TABLEBASE_SCORE - 60})
    assert table.look_up(78, 0, 41)["bound"] == 0  # the win would come after the 50-move draw


# At the root.


@pytest.mark.parametrize(
    ("fen", "centipawns"),
    [
        (BISHOP_AND_KNIGHT.format(0), 19_999),
        (BISHOP_AND_KNIGHT.format(60), 1),  # a win that comes too late
        ("8/8/8/8/8/4k3/8/KBN5 b - - 0 60", -19_999),
        ("8/8/8/8/8/4k3/8/KBN5 b - - 60 60", -1),
        ("8/8/8/8/8/4k3/8/KNN5 w - - 0 1", 0),
    ],
)
def test_the_score_of_a_position_that_the_tables_know(tables: Tables, fen: str, centipawns: int) -> None:
    told = search(tables, fen, nodes=3000)
    assert last_line(told).score.cp == centipawns
    assert last_line(told).tbhits > 0


def test_without_the_50_move_rule_a_late_win_is_a_win(tables: Tables) -> None:
    told = search(tables, BISHOP_AND_KNIGHT.format(60), nodes=3000, probing=Probing(fifty_moves=False))
    assert last_line(told).score.cp == 19_999


@pytest.mark.parametrize("men", [0, 3])
def test_positions_beyond_the_limit_are_not_looked_up(tables: Tables, men: int) -> None:
    told = search(tables, "8/8/8/4k3/1r6/8/8/K5Q1 w - - 0 1", depth=1, probing=Probing(men=men))
    assert last_line(told).score.cp != 19_999
    assert men or last_line(told).tbhits == 0


def test_positions_with_castling_rights_are_searched_without(tables: Tables) -> None:
    told = search(tables, "4k3/8/8/8/8/8/8/4K2R w K - 0 1", depth=1)
    assert last_line(told).tbhits == 0


def test_the_best_move_keeps_the_result(tables: Tables, referee: Prober) -> None:
    source = random.Random(1)
    for _ in range(4):
        for name in referee.names:
            board = random_ending(source, name)
            if not any(board.legal_moves):
                continue
            result = referee.wdl(board)
            told = search(tables, board.fen(), nodes=source.randrange(1, 2000), threads=source.choice((1, 1, 2)))
            board.push_uci(best_move(told))
            assert -referee.wdl(board) == result, board.fen()


def test_only_the_moves_to_search_are_ranked(tables: Tables) -> None:
    fen = "8/8/8/4k3/1r6/8/8/K5Q1 w - - 0 1"
    position = parse_fen(fen)
    told = search(tables, fen, nodes=2000, search_moves=(parse_move(position, "g1g4"), parse_move(position, "a1a2")))
    assert best_move(told) in ("g1g4", "a1a2")


def test_a_position_that_came_back_makes_it_go_forward(tables: Tables, referee: Prober) -> None:
    fen = "8/8/8/4k3/8/8/8/K4Q2 w - - 0 1"
    moves = "f1f2 e5e4 f2f1 e4e5 f1f2 e5e4"
    told = search(tables, fen, moves, nodes=5000)
    board = chess.Board(fen)
    for move in moves.split():
        board.push_uci(move)
    distance = referee.dtz(board)
    board.push_uci(best_move(told))
    assert not board.is_repetition(2)
    assert -referee.dtz(board) <= distance - 1


def test_several_lines_come_best_first_and_with_their_results(tables: Tables, referee: Prober) -> None:
    source = random.Random(2)
    for name in ("KQvKR", "KRvKP", "KPvKP", "KBNvK", "KQvK"):
        for _ in range(4):
            board = random_ending(source, name)
            if board.legal_moves.count() < 4:
                continue
            told = search(tables, board.fen(), nodes=4000, lines=4, shown_lines=4)
            final = [last_line(told, rank) for rank in range(1, 5)]
            assert all(a.score >= b.score for a, b in itertools.pairwise(final))
            for line in final:
                board.push_uci(render_move(line.line[0]))
                result = -referee.wdl(board)
                board.pop()
                shown = line.score.units
                assert (shown > 1000) - (shown < -1000) == (result > 0) - (result < 0), board.fen()


def test_mates_are_found_and_have_their_whole_lines(tables: Tables) -> None:
    source = random.Random(3)
    mates = 0
    for _ in range(6):
        for name in ("KQvK", "KRRvK", "KQvKR", "KQQvK", "KQvKP"):
            fen = random_ending(source, name).fen()
            if not Board(fen).legal_moves():
                continue
            told = search(tables, fen, nodes=source.randrange(100, 20_000), lines=source.choice((1, 1, 3)))
            for report in told:
                if isinstance(report, Progress) and report.score.mate and not report.bound:
                    check_mate(fen, report)
                    mates += 1
    assert mates > 100


def check_mate(fen: str, report: Progress) -> None:
    position = parse_fen(fen)
    for move in report.line:
        assert is_legal_move(position, move)
        play(position, move)
    assert status(position) is Status.CHECKMATE
    mate = report.score.mate
    assert mate is not None
    assert len(report.line) == (2 * mate - 1 if mate > 0 else -2 * mate)


def test_a_search_for_a_mate_does_without_tables(tables: Tables) -> None:
    told = search(tables, "7k/8/5K2/8/8/8/8/6Q1 w - - 60 90", "f6f7 h8h7 f7f6 h7h8", mate=2)
    assert last_line(told).score.mate in (1, 2)
    assert last_line(told).tbhits == 0


def test_only_wdl_files_keep_the_result_too(tables_folder: Path, tmp_path: Path, referee: Prober) -> None:
    for path in tables_folder.glob("*.rtbw"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    wdl_only = Tables([str(tmp_path)])
    source = random.Random(4)
    for name in ("KQvKR", "KRvKP", "KPvK", "KPvKP"):
        board = random_ending(source, name)
        if any(board.legal_moves):
            result = referee.wdl(board)
            board.push_uci(best_move(search(wdl_only, board.fen(), nodes=1000)))
            assert -referee.wdl(board) == result


def test_what_is_wrong_with_a_table_is_told_inside_a_search(tables_folder: Path, tmp_path: Path) -> None:
    for name in ("KRvKP.rtbw", "KQvK.rtbw"):
        (tmp_path / name).write_bytes((tables_folder / name).read_bytes()[:50])
    told: list[object] = []
    broken = Tables([str(tmp_path)], told.append)
    pool = Pool(2)
    pool.tablebases = broken
    Thinking(pool, parse_fen(FIVE_MEN_LOST), task(depth=8), told.append).run()
    assert isinstance(told[-1], BestMove)
    assert [Path(found.path).name for found in told if isinstance(found, Problem)] == ["KRvKP.rtbw"]
    # What a helper still meets when the best move has been told waits for the next search.
    assert wdl_of(broken, parse_fen("7k/8/8/8/8/8/8/KQ6 w - - 0 1")) is None
    assert isinstance(told[-1], BestMove)
    Thinking(pool, parse_fen(FIVE_MEN_LOST), task(depth=1), told.append).run()
    assert [Path(found.path).name for found in told if isinstance(found, Problem)] == ["KRvKP.rtbw", "KQvK.rtbw"]


# Inside the tree.


def test_positions_inside_the_tree_are_looked_up(tables: Tables) -> None:
    told = search(tables, FIVE_MEN_LOST, depth=8)
    assert last_line(told).tbhits > 10
    assert -20_000 < (last_line(told).score.cp or 0) < -19_900
    assert last_line(search(None, FIVE_MEN_LOST, depth=8)).tbhits == 0


def test_the_probe_depth_holds_for_the_largest_tables(tables: Tables) -> None:
    shallow = last_line(search(tables, FIVE_MEN_LOST, depth=6)).tbhits
    deep = last_line(search(tables, FIVE_MEN_LOST, depth=6, probing=Probing(depth=5))).tbhits
    assert deep < shallow


def test_threads_search_with_tables(tables: Tables) -> None:
    told = search(tables, FIVE_MEN_LOST, threads=4, nodes=30_000)
    assert last_line(told).tbhits > 10
    assert best_move(told)


# Games.


@pytest.mark.parametrize("name", ["KBNvK", "KQvKR", "KBBvK", "KRvKP", "KPvK"])
def test_won_endings_are_won(tables_folder: Path, name: str) -> None:
    known = Tablebases(tables_folder)
    source = random.Random(name)
    starts = won_starts(name, known, source)
    with Engine(syzygy_path=tables_folder, hash_mib=1) as engine:
        for _ in range(3):
            board = next(starts)
            side = board.turn
            assert play_out(board, engine, known, Limits(nodes=1500), source) == Status.CHECKMATE
            assert board.turn != side


@pytest.mark.parametrize("name", ["KBNvK", "KQvKR", "KPvK"])
def test_endings_that_can_be_held_are_held(tables_folder: Path, name: str) -> None:
    known = Tablebases(tables_folder)
    source = random.Random(name)
    starts = held_starts(name, known, source)
    with Engine(syzygy_path=tables_folder, hash_mib=1) as engine:
        for _ in range(4):
            board = next(starts)
            side = board.turn
            end = play_out(board, engine, known, Limits(nodes=500), source)
            assert end != Status.CHECKMATE or board.turn != side


def test_a_lost_ending_resists(tables: Tables, referee: Prober) -> None:
    """Each move holds out at least three quarters as long as the best one."""
    source = random.Random(5)
    lost = 0
    while lost < 8:
        board = random_ending(source, source.choice(("KQvKR", "KBNvK", "KRvKP", "KRvKN")))
        if not any(board.legal_moves) or referee.wdl(board) != -2:
            continue
        longest = max(dtz_after(board, move, referee) for move in board.legal_moves)
        move = chess.Move.from_uci(best_move(search(tables, board.fen(), nodes=300)))
        assert 4 * (dtz_after(board, move, referee) + 1) >= 3 * (longest + 1)
        lost += 1


def dtz_after(board: chess.Board, move: chess.Move, referee: Prober) -> int:
    """How far the winner is from a capture, pawn move or mate; a move that loses by zeroing is the quickest of all."""
    is_zeroing = board.is_zeroing(move)
    board.push(move)
    distance = 0 if is_zeroing else referee.dtz(board)
    board.pop()
    return distance
