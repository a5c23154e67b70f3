"""The journal: what comes back from it, and what it refuses."""

import os
from pathlib import Path

import pytest

from nowchess_uci.analysis.journal import Journal, JournalError
from nowchess_uci.analysis.units import GameUnit, PositionUnit, Settings, Unit, analyse_unit
from nowchess_uci.rules.fen import START_FEN
from nowchess_uci.search.limits import Limits

SETTINGS = Settings(Limits(nodes=200), lines=2)
UNITS: list[Unit] = [
    GameUnit(1, "x.pgn", {"White": "Ä"}, START_FEN, False, ("f2f3", "e7e5", "g2g4", "d8h4"), "0-1", SETTINGS),
    GameUnit(2, "x.pgn", {}, START_FEN, False, (), "*", SETTINGS),
    GameUnit(3, "x.pgn", {}, START_FEN, False, ("e2e4", "e7e5"), "*", SETTINGS._replace(skip_plies=1)),
    PositionUnit(4, "x.epd", "mate", "k7/8/1K6/8/8/8/8/7R w - - 0 1", ("h1h8",), (), 1, SETTINGS),
]


def filled(path: Path) -> Path:
    journal = Journal(str(path), resume=False)
    for unit in UNITS:
        assert journal.with_known(unit) == unit
        journal.add(unit, analyse_unit(unit))
    journal.leave()
    return path


def test_a_resumed_unit_gives_the_same_result_without_a_search(tmp_path: Path) -> None:
    journal = Journal(str(filled(tmp_path / "j")), resume=True)
    assert journal.entries == len(UNITS)
    searched: list[int] = []
    for unit in UNITS:
        assert analyse_unit(journal.with_known(unit), lambda: searched.append(1)) == analyse_unit(unit)
    assert not searched
    journal.remove()
    assert not (tmp_path / "j").exists()


@pytest.mark.parametrize("lost", [1, 5, 200])
def test_what_is_not_whole_is_cut_off(tmp_path: Path, lost: int) -> None:
    path = filled(tmp_path / "j")
    path.write_bytes(path.read_bytes()[:-lost])
    journal = Journal(str(path), resume=True)
    assert journal.entries < len(UNITS)
    for unit in UNITS:
        journal.add(unit, analyse_unit(journal.with_known(unit)))
    journal.leave()
    assert path.read_bytes() == filled(tmp_path / "whole").read_bytes()


def test_a_damaged_entry_ends_what_is_known(tmp_path: Path) -> None:
    path = filled(tmp_path / "j")
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:2], lines[2].replace(b"[", b"(", 1), *lines[3:]]))
    assert Journal(str(path), resume=True).entries == 1


def test_a_unit_that_failed_gets_another_chance(tmp_path: Path) -> None:
    path = str(tmp_path / "j")
    journal = Journal(path, resume=False)
    journal.add(UNITS[0], None)
    journal.leave()
    assert Journal(path, resume=True).with_known(UNITS[0]) == UNITS[0]


def test_another_input_is_refused(tmp_path: Path) -> None:
    journal = Journal(str(filled(tmp_path / "j")), resume=True)
    with pytest.raises(JournalError, match="the input or the options are others"):
        journal.with_known(UNITS[2])


def test_a_journal_with_something_in_it_is_not_overwritten(tmp_path: Path) -> None:
    path = filled(tmp_path / "j")
    before = path.read_bytes()
    with pytest.raises(JournalError, match="an earlier run did not finish"):
        Journal(str(path), resume=False)
    assert path.read_bytes() == before


def test_an_empty_journal_is_no_obstacle_and_is_not_left_behind(tmp_path: Path) -> None:
    path = tmp_path / "j"
    Journal(str(path), resume=False)._close()
    assert path.exists()
    Journal(str(path), resume=False).leave()
    assert not path.exists()


def test_what_is_no_journal_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "j"
    path.write_text("my notes\n")
    with pytest.raises(JournalError, match="of another version, or no journal"):
        Journal(str(path), resume=True)
    assert path.read_text() == "my notes\n"


@pytest.mark.skipif(os.name == "nt", reason="no locks there")
def test_only_one_run_has_a_journal(tmp_path: Path) -> None:
    path = str(tmp_path / "j")
    first = Journal(path, resume=False)
    with pytest.raises(JournalError, match="another process is writing the same output"):
        Journal(path, resume=True)
    first.remove()
