"""Tablebases for Python programs."""

import pickle
from pathlib import Path

import pytest
from oracle import chess

from nowchess_uci import Board, Engine, Limits, Tablebases

QUEEN_AND_ROOK = "8/8/8/4k3/1r6/8/8/K5Q1 w - - 0 1"


def test_boards_of_every_kind_are_looked_up(tables_folder: Path) -> None:
    tables = Tablebases(tables_folder)
    assert (len(tables), tables.men, tables.problems) == (35, 4, ())
    for board in (QUEEN_AND_ROOK, Board(QUEEN_AND_ROOK), chess.Board(QUEEN_AND_ROOK)):
        assert (tables.wdl(board), tables.dtz(board)) == (2, 3)
    assert tables.wdl(Board()) is None
    assert tables.dtz("4k3/8/8/8/8/8/8/4K2R w K - 0 1") is None
    assert repr(tables) == "<Tablebases 35 tables, up to 4 men>"


def test_what_is_no_board_or_folder_is_an_error(tables_folder: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no folder"):
        Tablebases("")
    with pytest.raises(FileNotFoundError):
        Tablebases(tmp_path / "nowhere")
    with pytest.raises(ValueError, match="FEN"):
        Tablebases(tables_folder).wdl("nonsense")
    assert len(Tablebases(tmp_path)) == 0


def test_a_file_that_cannot_be_used_is_among_the_problems(tmp_path: Path) -> None:
    (tmp_path / "KQvK.rtbw").write_bytes(b"no table")
    tables = Tablebases(tmp_path)
    assert tables.wdl("7k/8/8/8/8/8/8/KQ6 w - - 0 1") is None
    ((path, reason),) = tables.problems
    assert path.endswith("KQvK.rtbw")
    assert reason


def test_an_engine_with_tablebases(tables_folder: Path) -> None:
    with Engine(syzygy_path=tables_folder, hash_mib=1) as engine:
        assert engine.analyse(QUEEN_AND_ROOK, Limits(nodes=500)).best.score.cp == 19_999
        assert str(engine.analyse(QUEEN_AND_ROOK, Limits(nodes=500)).best.score) == "+199.99"
        assert engine.look_up(QUEEN_AND_ROOK) == (2, 3)
        engine.configure(syzygy_path="")
        engine.configure(syzygy_path=tables_folder)
        assert engine.settings.syzygy_path == str(tables_folder)
        engine.configure(syzygy_path="")
        assert engine.look_up(QUEEN_AND_ROOK) == (None, None)
        assert engine.analyse(QUEEN_AND_ROOK, Limits(depth=1)).best.score.cp != 19_999


def test_an_engine_without_a_listener_raises_for_a_wrong_path(tables_folder: Path, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Engine(syzygy_path=tmp_path / "nowhere")
    with Engine(syzygy_path=tables_folder, hash_mib=1) as engine:
        with pytest.raises(FileNotFoundError):
            engine.configure(syzygy_path=str(tmp_path / "nowhere"))
        assert engine.look_up(QUEEN_AND_ROOK) == (2, 3)
        with pytest.raises(ValueError, match="syzygy_probe_limit takes a whole number from 0 to 7"):
            engine.configure(syzygy_probe_limit=8)
        with pytest.raises(ValueError, match="syzygy_50_move_rule takes True or False"):
            engine.configure(syzygy_50_move_rule=1)
        with pytest.raises(ValueError, match="syzygy_path takes a text"):
            engine.configure(syzygy_path=7)


def test_tablebases_cannot_be_pickled(tables_folder: Path) -> None:
    with pytest.raises(TypeError):
        pickle.dumps(Tablebases(tables_folder))
