"""Tablebases for Python programs."""

import pickle
from pathlib import Path

import pytest
from oracle import chess

from nowchess_uci import Board, Engine, EngineBusyError, EngineClosedError, Limits, Tablebases
from nowchess_uci.engine.notes import TablebaseLeftOut

FIVE_MEN = "4k3/8/8/8/8/8/4P3/R3K2r w - - 0 1"
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


@pytest.fixture
def broken_folder(tables_folder: Path, tmp_path: Path) -> Path:
    """Tables that are not complete."""
    for path in tables_folder.glob("*.rtbw"):
        (tmp_path / path.name).write_bytes(path.read_bytes()[:50])
    return tmp_path


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # which is where it is shown
def test_a_listener_that_raises_ends_no_search(broken_folder: Path) -> None:
    heard: list[object] = []

    def hear(note: object) -> None:
        heard.append(note)
        raise ArithmeticError

    with Engine(hash_mib=1) as engine:
        wanted = engine.analyse(FIVE_MEN, Limits(depth=8))
    with Engine(hash_mib=1, on_note=lambda note: hear(note) if isinstance(note, TablebaseLeftOut) else None) as engine:
        engine.configure(syzygy_path=broken_folder)
        found = engine.analyse(FIVE_MEN, Limits(depth=8))
        assert (found.nodes, found.best.pv) == (wanted.nodes, wanted.best.pv)
        assert engine.look_up(QUEEN_AND_ROOK) == (None, None)
        reports: list[object] = []
        assert engine.go(Board(FIVE_MEN).position, Limits(depth=8), reports.append).result() == reports[-1]
    assert heard
    assert len(set(heard)) == len(heard)


def test_a_listener_may_close_the_engine(broken_folder: Path) -> None:
    refused: list[object] = []

    def close(note: object) -> None:
        if isinstance(note, TablebaseLeftOut):
            with pytest.raises(EngineBusyError):
                engine.forget()
            engine.close()
            refused.append(note)

    engine = Engine(hash_mib=1, syzygy_path=broken_folder, on_note=close)
    engine.analyse(FIVE_MEN, Limits(movetime_ms=5000))  # on a thread of its own, for which the caller waits
    assert refused
    with pytest.raises(EngineClosedError):
        engine.analyse(FIVE_MEN, Limits(depth=1))


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
