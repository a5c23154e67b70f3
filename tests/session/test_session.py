"""The session without any stream: values in, texts and reports out."""

import time

import pytest

from nowchess_uci.rules.fen import START_FEN, render_fen
from nowchess_uci.search.limits import Limits
from nowchess_uci.search.reports import BestMove, Progress, Report
from nowchess_uci.session import session as session_module
from nowchess_uci.session.options import OptionError
from nowchess_uci.session.session import Session


class Recorded(Session):
    """A session that keeps what it says."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.reports: list[Report] = []
        self.counts: list[tuple[dict[int, int], int]] = []
        super().__init__(
            self.texts.append, self.reports.append, lambda counts, total: self.counts.append((counts, total))
        )

    def best(self) -> BestMove:
        self.wait()
        found = self.reports[-1]
        assert isinstance(found, BestMove)
        return found


def test_a_search_reports_and_ends_with_its_best_move() -> None:
    session = Recorded()
    session.go(Limits(depth=4))
    assert session.best().move
    assert all(isinstance(report, Progress) for report in session.reports[:-1])
    assert not session.is_searching


def test_a_bad_position_is_said_and_nothing_changes() -> None:
    session = Recorded()
    session.set_position(None, ["e2e4"])
    before = render_fen(session.position)
    session.set_position("nonsense", [])
    session.set_position(None, ["e2e4", "e2e4"])
    session.set_position("", [])
    assert render_fen(session.position) == before
    assert len(session.texts) == 3
    assert "move 2: 'e2e4' is not a legal move here" in session.texts[1]


def test_what_a_fen_claims_wrongly_is_said() -> None:
    session = Recorded()
    session.set_position("4k3/8/8/8/8/8/8/4K3 w KQ - 0 1", [])
    assert len(session.texts) == 2


def test_chess960_reads_the_position_again() -> None:
    session = Recorded()
    session.set_position("4k3/8/8/8/8/8/8/1R2K3 w Q - 0 1", [])
    assert "- - 0 1" in render_fen(session.position)
    session.set_option("UCI_Chess960", "true")
    assert "Q - 0 1" in render_fen(session.position)


def test_options_wait_for_the_end_of_a_search() -> None:
    session = Recorded()
    session.go(Limits(infinite=True))
    session.set_option("MultiPV", "2")
    session.set_option("Threads", "2")
    assert session.values["MultiPV"] == 1
    session.stop()
    session.wait()
    session.ready()
    assert (session.values["MultiPV"], session.values["Threads"]) == (2, 2)


def test_unknown_options_raise() -> None:
    with pytest.raises(OptionError):
        Recorded().set_option("Contempt", "1")


def test_a_hash_that_the_machine_cannot_give_keeps_the_old_one(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Recorded()
    monkeypatch.setattr(session_module, "available_mib", lambda: 100)
    session.set_option("Hash", "101")
    assert session.values["Hash"] == 16
    assert session.texts == ["Hash stays at 16 MiB: no memory for a table of 101 MiB, 100 MiB are free"]
    session.set_option("Hash", "32")
    session.ready()
    assert session.pool().table.size_mib == 32


def test_a_table_that_cannot_be_allocated_keeps_the_old_one(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Recorded()
    session.ready()
    monkeypatch.setattr(session_module, "available_mib", lambda: None)
    session.set_option("Hash", "64")

    class Refusing:
        def set_hash(self, hash_mib: int) -> None:
            raise MemoryError("no memory")

    monkeypatch.setattr(session, "_pool", Refusing())
    session.set_option("Hash", "128")
    assert session.values["Hash"] == 64
    assert session.texts == ["Hash stays at 64 MiB: no memory"]


def test_a_search_for_a_mate_that_is_not_there_ends() -> None:
    session = Recorded()
    session.set_position("8/8/8/1k5p/7P/1K6/8/8 w - - 0 1", [])
    session.go(Limits(mate=1))
    assert session.best().move


def test_a_weaker_player_shows_one_line_and_plays_what_it_shows() -> None:
    session = Recorded()
    session.set_option("UCI_LimitStrength", "true")
    session.set_option("UCI_Elo", "1000")
    for _ in range(20):
        session.reports.clear()
        session.go(Limits(movetime_ms=1000))
        best = session.best()
        lines = [report for report in session.reports if isinstance(report, Progress)]
        assert {line.multipv for line in lines} == {1}
        assert lines[-1].line[0] == best.move


def test_analysis_is_never_weakened() -> None:
    session = Recorded()
    session.set_option("UCI_LimitStrength", "true")
    session.set_option("UCI_Elo", "1000")
    session.set_option("UCI_AnalyseMode", "true")
    session.go(Limits(depth=9))
    session.best()
    last = session.reports[-2]
    assert isinstance(last, Progress)
    assert last.depth == 9


def test_perft_counts_and_can_be_stopped() -> None:
    session = Recorded()
    session.perft(3)
    session.wait()
    assert session.counts[0][1] == 8902
    session.perft(12)
    time.sleep(0.05)
    session.stop()
    session.wait()
    assert session.texts == ["perft stopped"]


def test_claims_are_told_before_a_search() -> None:
    session = Recorded()
    session.set_position("4k2r/8/8/8/8/8/8/4K3 w - - 100 90", [])
    session.go(Limits(depth=1))
    session.best()
    assert session.texts == ["draw may be claimed: 50-move rule, half-move clock 100"]
    assert session.claim_draw() == "draw claimed: 50-move rule, half-move clock 100"


def test_a_new_game_forgets() -> None:
    session = Recorded()
    session.go(Limits(depth=8))
    first = session.best()
    nodes = session.pool().nodes()
    session.new_game()
    session.go(Limits(depth=8))
    assert (session.best(), session.pool().nodes()) == (first, nodes)
    assert render_fen(session.position) == START_FEN
