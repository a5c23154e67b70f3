"""python-chess as a client: analysis, play, ponder, MultiPV, Chess960, options, over complete games."""

from collections.abc import Iterator

import oracle
import pytest
from oracle import chess
from shared.engine_process import ENGINE_COMMAND


@pytest.fixture
def engine() -> Iterator[chess.engine.SimpleEngine]:
    with oracle.start_engine(list(ENGINE_COMMAND)) as running:
        yield running


@pytest.mark.parametrize("ponder", [False, True])
def test_a_complete_game(engine: chess.engine.SimpleEngine, ponder: bool) -> None:
    board = chess.Board()
    result = oracle.play_game(engine, board, chess.engine.Limit(time=0.01), ponder)
    assert result != "*" or board.ply() == 400


def test_a_complete_game_by_the_clock(engine: chess.engine.SimpleEngine) -> None:
    limit = chess.engine.Limit(white_clock=1.0, black_clock=1.0, white_inc=0.01, black_inc=0.01)
    oracle.play_game(engine, chess.Board(), limit, False)


@pytest.mark.parametrize("number", [0, 362, 705, 959])
def test_complete_games_of_chess960(engine: chess.engine.SimpleEngine, number: int) -> None:
    oracle.play_game(engine, chess.Board.from_chess960_pos(number), chess.engine.Limit(nodes=2000), False)


def test_multi_pv_analysis(engine: chess.engine.SimpleEngine) -> None:
    lines = engine.analyse(chess.Board(), chess.engine.Limit(depth=8), multipv=4)
    assert len({line["pv"][0] for line in lines}) == 4
    assert [line["multipv"] for line in lines] == [1, 2, 3, 4]


def test_analysis_of_chosen_moves(engine: chess.engine.SimpleEngine) -> None:
    moves = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h3")]
    info = engine.analyse(chess.Board(), chess.engine.Limit(depth=6), root_moves=moves)
    assert info["pv"][0] in moves


def test_a_mate_is_told_in_moves(engine: chess.engine.SimpleEngine) -> None:
    board = chess.Board("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")
    assert engine.analyse(board, chess.engine.Limit(depth=4))["score"].white() == chess.engine.Mate(1)


def test_the_values_lichess_bot_sets_by_default(engine: chess.engine.SimpleEngine) -> None:
    engine.configure({"Move Overhead": 100, "Threads": 4, "Hash": 512, "UCI_ShowWDL": True})
    engine.configure({"SyzygyPath": "./syzygy/"})  # which is not there
    result = engine.play(chess.Board(), chess.engine.Limit(time=0.05), info=chess.engine.INFO_ALL)
    assert "wdl" in result.info


def test_infinite_analysis_until_stopped(engine: chess.engine.SimpleEngine) -> None:
    with engine.analysis(chess.Board()) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 9:
                break
    assert analysis.wait().move is not None
