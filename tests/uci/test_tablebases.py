"""Tablebases by the protocol: options, what is said about them, and files that break while the engine runs."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from oracle import chess, start_engine
from shared.engine_process import ENGINE_COMMAND, EngineProcess

QUEEN_AND_ROOK = "position fen 8/8/8/4k3/1r6/8/8/K5Q1 w - - 0 1"
FIVE_MEN = "position fen 4k3/8/8/8/8/8/4P3/R3K2r w - - 0 1"


@pytest.fixture
def engine() -> Iterator[EngineProcess]:
    with EngineProcess() as process:
        yield process


def said(engine: EngineProcess, *lines: str) -> list[str]:
    """What is said to some lines, up to the end of the search or readyok."""
    engine.send(*lines, "isready")
    return engine.read_until("readyok")[:-1]


def go(engine: EngineProcess, *lines: str) -> list[str]:
    engine.send(*lines)
    return engine.read_until("bestmove")


def test_the_options_are_offered_as_clients_know_them(engine: EngineProcess) -> None:
    engine.send("uci")
    lines = engine.read_until("uciok")
    assert "option name SyzygyPath type string default <empty>" in lines
    assert "option name SyzygyProbeDepth type spin default 1 min 1 max 100" in lines
    assert "option name Syzygy50MoveRule type check default true" in lines
    assert "option name SyzygyProbeLimit type spin default 7 min 0 max 7" in lines


def test_tables_are_found_used_and_put_aside(engine: EngineProcess, tables_folder: Path) -> None:
    assert said(engine, f"setoption name SyzygyPath value {tables_folder}") == [
        "info string Found 35 tablebases: 35 WDL and 35 DTZ files, up to 4 men"
    ]
    line = [line for line in go(engine, FIVE_MEN, "go depth 8") if " pv " in line][-1]
    assert int(line.split(" tbhits ")[1].split()[0]) > 0
    assert "score cp -199" in line
    assert "Tablebases: WDL 2 (win), DTZ 3" in said(engine, QUEEN_AND_ROOK, "d")
    assert "score cp 19999" in go(engine, "go nodes 500")[-2]
    assert said(engine, "setoption name SyzygyPath value <empty>") == []
    assert not any(line.startswith("Tablebases") for line in said(engine, QUEEN_AND_ROOK, "d"))
    assert " tbhits 0 " in go(engine, FIVE_MEN, "go depth 8")[-2]


def test_the_limit_and_the_rule_can_be_set(engine: EngineProcess, tables_folder: Path) -> None:
    late = "position fen 8/8/8/8/8/4k3/8/KBN5 w - - 60 90"
    said(engine, f"setoption name SyzygyPath value {tables_folder}")
    assert "score cp 1 " in go(engine, late, "go nodes 500")[-2]
    said(engine, "setoption name Syzygy50MoveRule value false")
    assert "score cp 19999 " in go(engine, late, "go nodes 500")[-2]
    said(engine, "setoption name SyzygyProbeLimit value 3")
    assert "score cp 19999 " not in go(engine, late, "go nodes 500")[-2]


def test_a_folder_that_is_not_there_is_named(engine: EngineProcess, tables_folder: Path) -> None:
    assert said(engine, "setoption name SyzygyPath value ./nowhere/") == [
        "info string SyzygyPath: './nowhere/' is not used: No such file or directory",
        "info string Found 0 tablebases",
    ]
    assert said(engine, f"setoption name SyzygyPath value ./nowhere/;{tables_folder}")[-1].startswith(
        "info string Found 35 tablebases"
    )
    assert go(engine, QUEEN_AND_ROOK, "go depth 3")[-1].startswith("bestmove ")


@pytest.mark.parametrize("path", ["\0", "a\0b", "~", "x" * 10_000, ";;;", "\udcff", "/dev/null", "CON"])
def test_hostile_paths_are_survived(engine: EngineProcess, path: str) -> None:
    engine.send_bytes(f"setoption name SyzygyPath value {path}\n".encode("utf-8", "surrogateescape"))
    assert all(line.isascii() for line in said(engine))
    assert go(engine, QUEEN_AND_ROOK, "go depth 3")[-1].startswith("bestmove ")


def test_a_damaged_file_is_named_once_and_not_used(engine: EngineProcess, tables_folder: Path, tmp_path: Path) -> None:
    shutil.copytree(tables_folder, tmp_path / "tables")
    (tmp_path / "tables" / "KQvKR.rtbw").write_bytes(b"\x71\xe8\x23\x5d" + b"\xff" * 76)
    said(engine, f"setoption name SyzygyPath value {tmp_path / 'tables'}")
    lines = go(engine, QUEEN_AND_ROOK, "go nodes 2000")
    assert sum("KQvKR.rtbw' is not used: " in line for line in lines) == 1
    assert lines[-1].startswith("bestmove ")
    assert not any("is not used" in line for line in go(engine, "go nodes 2000"))


def test_files_that_shrink_in_a_search_do_not_end_the_engine(
    engine: EngineProcess, tables_folder: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "tables"
    shutil.copytree(tables_folder, folder)
    said(engine, "setoption name Threads value 2", f"setoption name SyzygyPath value {folder}")
    engine.send(FIVE_MEN, "go infinite")
    engine.read_until("info depth 4 ")
    for path in folder.iterdir():
        os.truncate(path, 50)
    assert go(engine, "stop")[-1].startswith("bestmove ")
    assert go(engine, QUEEN_AND_ROOK, "go nodes 5000")[-1].startswith("bestmove ")
    assert said(engine) == []


def test_python_chess_sets_the_path(tables_folder: Path) -> None:
    player = start_engine(list(ENGINE_COMMAND))
    try:
        player.configure({"SyzygyPath": str(tables_folder)})
        info = player.analyse(chess.Board("8/8/8/4k3/1r6/8/8/K5Q1 w - - 0 1"), chess.engine.Limit(nodes=1000))
        assert info["score"].white().score() == 19_999
        assert info["tbhits"] > 0
    finally:
        player.quit()
