"""The protocol without any stream: values in, texts and reports out."""

import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from nowchess_uci.engine import resources, safe_search
from nowchess_uci.engine.engine import Engine
from nowchess_uci.engine.job import Job
from nowchess_uci.evaluation.network import Network
from nowchess_uci.rules.fen import START_FEN, parse_fen, render_fen
from nowchess_uci.rules.movegen import legal_moves
from nowchess_uci.rules.notation import parse_move
from nowchess_uci.search.lateness import Late, Usage
from nowchess_uci.search.limits import Limits
from nowchess_uci.search.pool import Pool
from nowchess_uci.search.reports import BestMove, Progress, Report
from nowchess_uci.search.score import Score
from nowchess_uci.search.task import Task
from nowchess_uci.threads import Thread
from nowchess_uci.uci.commands import run_line
from nowchess_uci.uci.protocol import Protocol


class Recorded(Protocol):
    """A protocol that keeps what it says."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.reports: list[Report] = []
        self.lines: list[str] = []
        self.output.write = self.lines.append  # type: ignore[assignment,method-assign]

    def say(self, text: str) -> None:
        self.texts.append(text)

    def tell(self, report: Report) -> None:
        self.reports.append(report)

    def run(self, line: str) -> None:
        assert run_line(self, line)

    def set_option(self, name: str, value: str) -> None:
        self.run(f"setoption name {name} value {value}")

    def pool(self) -> Pool:
        return self.engine._resources.pool()

    def best(self) -> BestMove:
        self.work.wait()
        found = self.reports[-1]
        assert isinstance(found, BestMove)
        return found


def test_a_search_reports_and_ends_with_its_best_move() -> None:
    session = Recorded()
    session.search(Limits(depth=4))
    assert session.best().move
    assert all(isinstance(report, Progress) for report in session.reports[:-1])
    assert not session.work.is_running


def test_a_bad_position_is_said_and_nothing_changes() -> None:
    session = Recorded()
    session.set_position(START_FEN, ["e2e4"])
    before = render_fen(session.position)
    session.set_position("nonsense", [])
    session.set_position(START_FEN, ["e2e4", "e2e4"])
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
    session.search(Limits(infinite=True))
    session.set_option("MultiPV", "2")
    session.set_option("Threads", "2")
    assert session.preferences.lines == 1
    session.work.stop()
    session.work.wait()
    session.run("isready")
    assert (session.preferences.lines, session.engine.settings.threads) == (2, 2)


def test_unknown_options_are_named() -> None:
    session = Recorded()
    session.set_option("Contempt", "1")
    session.run("setoption name Hash 8")
    assert session.texts == [
        "there is no option 'Contempt'",
        "there is no option 'Hash 8'; 'name Hash value 8' was probably meant",
    ]


@pytest.mark.parametrize("value", ["1_6", "\u0661\u0666", "1e3", "+-8", " "])
def test_only_plain_digits_are_a_number(value: str) -> None:
    session = Recorded()
    session.set_option("Hash", value)
    assert session.engine.settings.hash_mib == 16
    assert "takes a number from 1 to 65536" in session.texts[0]


@pytest.mark.parametrize(
    "line", ["go depth five", "go movetime 50ms", "go nodes 10k", "go wtime 1e3", "go dpeth 3", "go btime 100",
             "go winc 10 binc 10", "go movestogo 1"],
)  # fmt: skip
def test_no_typing_error_is_an_endless_search(line: str) -> None:
    session = Recorded()
    session.run(line)
    assert session.work.wait(3)
    assert session.best().move


def test_a_perft_without_depth_does_nothing() -> None:
    session = Recorded()
    session.run("go perft")
    assert not session.work.is_running
    assert session.texts == ["go: perft takes a whole number"]


def test_search_moves_that_are_none_are_named() -> None:
    session = Recorded()
    session.run("go searchmoves e2e5 depth 2")
    assert session.best().move
    assert session.texts == [
        "searchmoves: 'e2e5' is not a legal move here",
        "searchmoves: none of them is left, so all moves are searched",
    ]


def test_a_best_move_after_a_refused_position_says_what_it_is_for() -> None:
    session = Recorded()
    session.run("position startpos move e2e4")
    session.texts.clear()
    session.tell = lambda report: Protocol.tell(session, report)  # type: ignore[method-assign]
    session.run("go depth 1")
    session.work.wait()
    assert session.texts == [
        "this move is for the last valid position; the new one was ignored: "
        "'moves' expected after 'startpos', not 'move'"
    ]
    session.run("position startpos moves e2e4")
    session.texts.clear()
    session.run("go depth 1")
    session.work.wait()
    assert session.texts == []


def test_dropped_rights_are_said_once_for_a_game() -> None:
    session = Recorded()
    fen = "4k3/8/8/8/8/8/8/4K3 w KQ - 0 1"
    session.run(f"position fen {fen}")
    session.run(f"position fen {fen} moves e1e2")
    assert len(session.texts) == 2
    session.run("position startpos")
    session.run(f"position fen {fen}")
    assert len(session.texts) == 4


def test_chess960_is_obeyed_during_a_search() -> None:
    session = Recorded()
    session.search(Limits(infinite=True))
    session.set_option("UCI_Chess960", "true")
    session.run("position fen 4k3/8/8/8/8/8/8/1R2K3 w Q - 0 1 moves e1b1")
    assert session.texts == []
    assert session.position.chess960
    session.work.stop()
    assert not session.best().chess960


def test_the_largest_clock_can_be_written_and_read() -> None:
    session = Recorded()
    session.run("position fen 4k3/8/8/8/8/8/8/4K2R w K - 9999 999999 moves h1h2 e8e7")
    assert session.texts == []
    session.run(f"position fen {render_fen(session.position)}")
    assert session.texts == []


def test_a_hash_that_the_machine_cannot_give_keeps_the_old_one(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Recorded()
    monkeypatch.setattr(resources, "available_mib", lambda: 100)
    session.set_option("Hash", "101")
    assert session.engine.settings.hash_mib == 16
    assert session.texts == ["Hash stays at 16 MiB: not enough memory for a table of 101 MiB, only 100 MiB are free"]
    session.set_option("Hash", "32")
    session.run("isready")
    assert session.pool().table.size_mib == 32


def test_a_table_that_cannot_be_allocated_keeps_the_old_one(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Recorded()
    session.run("isready")
    monkeypatch.setattr(resources, "available_mib", lambda: None)
    session.set_option("Hash", "64")

    class Refusing:
        def set_hash(self, hash_mib: int) -> None:
            raise MemoryError("no memory")

    monkeypatch.setattr(session.engine._resources, "_pool", Refusing())
    session.set_option("Hash", "128")
    assert session.engine.settings.hash_mib == 64
    assert session.texts == ["Hash stays at 64 MiB: no memory"]


def test_a_search_for_a_mate_that_is_not_there_ends() -> None:
    session = Recorded()
    session.set_position("8/8/8/1k5p/7P/1K6/8/8 w - - 0 1", [])
    session.search(Limits(mate=1))
    assert session.best().move


def test_a_weaker_player_shows_one_line_and_plays_what_it_shows() -> None:
    session = Recorded()
    session.set_option("UCI_LimitStrength", "true")
    session.set_option("UCI_Elo", "1000")
    for _ in range(20):
        session.reports.clear()
        session.search(Limits(movetime_ms=1000))
        best = session.best()
        lines = [report for report in session.reports if isinstance(report, Progress)]
        assert {line.rank for line in lines} == {1}
        assert lines[-1].line[0] == best.move


def test_analysis_is_never_weakened() -> None:
    session = Recorded()
    session.set_option("UCI_LimitStrength", "true")
    session.set_option("UCI_Elo", "1000")
    session.set_option("UCI_AnalyseMode", "true")
    session.search(Limits(depth=9))
    session.best()
    last = session.reports[-2]
    assert isinstance(last, Progress)
    assert last.depth == 9


def test_perft_counts_and_can_be_stopped() -> None:
    session = Recorded()
    session.count(3)
    session.work.wait()
    assert session.lines[-1].endswith("Nodes searched: 8902")
    session.count(12)
    time.sleep(0.05)
    session.work.stop()
    session.work.wait()
    assert session.texts == ["perft stopped"]


def test_claims_are_told_before_a_search() -> None:
    session = Recorded()
    session.set_position("4k2r/8/8/8/8/8/8/4K3 w - - 100 90", [])
    session.search(Limits(depth=1))
    session.best()
    assert session.texts == ["draw may be claimed: 50-move rule, half-move clock 100"]
    session.run("draw")
    assert session.texts[1:] == ["draw claimed: 50-move rule, half-move clock 100"]


def test_a_new_game_forgets() -> None:
    session = Recorded()
    session.search(Limits(depth=8))
    first = session.best()
    nodes = session.pool().nodes()
    session.run("ucinewgame")
    session.search(Limits(depth=8))
    assert (session.best(), session.pool().nodes()) == (first, nodes)
    assert render_fen(session.position) == START_FEN


# Whatever happens inside, a search ends with a best move.


class BrokenThinking:
    """Stands for a search that fails after it has told something."""

    to_tell: tuple[Report, ...] = ()

    def __init__(self, pool: Pool, position: object, task: Task, report: Callable[[Report], None]) -> None:
        self.task = task
        self.report = report
        self.stopped = threading.Event()

    def run(self) -> BestMove:
        for value in self.to_tell:
            self.report(value)
        raise MemoryError("on purpose")

    def stop(self) -> None:
        self.stopped.set()

    def wait_if_asked(self) -> None:
        if self.task.limits.infinite:
            self.stopped.wait()


def break_search(monkeypatch: pytest.MonkeyPatch, *to_tell: Report) -> None:
    """From now on every search tells this and fails."""
    monkeypatch.setattr(BrokenThinking, "to_tell", to_tell)
    monkeypatch.setattr(safe_search, "Thinking", BrokenThinking)


@pytest.mark.parametrize("infinite", [False, True])
def test_a_search_that_fails_plays_the_best_move_known(infinite: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    session = Recorded()
    known = parse_move(session.position, "b1c3")
    break_search(monkeypatch, Progress(1, 1, 1, Score(0, "white"), "", 1, 0.0, 0, 0, (known,), False))
    session.search(Limits(infinite=infinite))
    if infinite:
        assert not session.work.wait(0.1)
        session.work.stop()
    assert session.best() == BestMove(known, 0, False)
    assert session.texts == ["the search failed: MemoryError: on purpose"]


def test_a_search_that_fails_at_once_plays_a_legal_move(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Recorded()
    break_search(monkeypatch)
    session.search(Limits(depth=3))
    assert session.best().move in legal_moves(session.position)
    chosen = parse_move(session.position, "a2a3")
    session.search(Limits(depth=3, search_moves=("a2a3",)))
    assert session.best().move == chosen
    session.set_position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", [])
    session.search(Limits(depth=3))
    assert session.best().move == 0


def test_a_best_move_is_told_once_even_if_telling_it_fails_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Recorded()
    break_search(monkeypatch, BestMove(5, 0, False))
    session.search(Limits(depth=3))
    assert session.best() == BestMove(5, 0, False)
    assert len(session.reports) == 1


def test_a_best_move_is_told_even_if_nobody_can_hear_of_the_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: object) -> None:
        raise ArithmeticError

    break_search(monkeypatch)
    reports: list[Report] = []
    with Engine(hash_mib=1, on_note=refuse) as engine, pytest.raises(ArithmeticError):
        engine.go(parse_fen(START_FEN), Limits(depth=3), reports.append).result()
    assert [type(report) for report in reports] == [BestMove]


def test_without_a_thread_it_searches_briefly_on_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Recorded()
    session.run("isready")

    def refuse(_: Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(Thread, "start", refuse)
    for limits in (Limits(infinite=True), Limits(ponder=True, white_time_ms=1000), Limits(depth=200)):
        session.search(limits)
        assert session.best().move in legal_moves(session.position)
    session.count(3)
    assert session.lines == ["readyok"]
    assert set(session.texts) == {"the system refuses another thread"}


def test_threads_that_cannot_be_had_are_done_without(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Recorded()
    real = Thread.start

    def refuse(thread: Thread) -> None:
        if not isinstance(getattr(thread._jobs[0], "__self__", None), Job):  # a helper of a job, not the job itself
            raise RuntimeError("can't start new thread")
        real(thread)

    monkeypatch.setattr(Thread, "start", refuse)
    session.set_option("Threads", "4")
    session.run("ucinewgame")
    session.search(Limits(depth=6))
    assert session.best().move
    session.count(3)
    session.work.wait()
    assert session.lines[-1].endswith("Nodes searched: 8902")
    assert session.texts == []


def test_a_position_that_needs_chess960_stays_when_it_is_turned_off() -> None:
    session = Recorded()
    session.set_option("UCI_Chess960", "true")
    session.set_position("4k3/8/8/8/8/8/8/1R2K3 w Q - 0 1", ["e1b1"])
    before = render_fen(session.position)
    session.set_option("UCI_Chess960", "false")
    assert render_fen(session.position) == before
    assert session.texts == [
        "the position is kept as it was read: move 1: 'e1b1' is not a legal move here",
    ]


def test_the_first_table_is_made_smaller_until_it_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    def make(hash_mib: int, threads: int, network: Network | None) -> Pool:
        if hash_mib > 8 or threads > 1:
            raise MemoryError
        return Pool(hash_mib, threads, network)

    session = Recorded()
    session.set_option("Hash", "64")
    session.set_option("Threads", "2")
    monkeypatch.setattr(resources, "Pool", make)
    session.run("isready")
    assert (session.engine.settings.hash_mib, session.engine.settings.threads) == (4, 1)
    assert session.texts == [
        "not enough memory for Hash 64 and Threads 2: Hash is now 16",
        "not enough memory for Hash 16 and Threads 1: Hash is now 4",
    ]


def test_threads_that_do_not_fit_into_memory_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Recorded()
    monkeypatch.setattr(resources, "available_mib", lambda: 100)
    monkeypatch.setattr(resources, "useful_threads", lambda wanted: wanted)
    session.set_option("Threads", "512")
    assert session.engine.settings.threads == 1
    assert session.texts == ["Threads stays at 1: not enough memory for 512 threads, only 100 MiB are free"]


def test_ponderhit_changes_nothing_when_the_clock_runs_already() -> None:
    session = Recorded()
    start = time.monotonic()
    session.search(Limits(movetime_ms=200, started=start))
    for _ in range(15):
        time.sleep(0.02)
        session.run("ponderhit")
    session.best()
    assert time.monotonic() - start < 0.45


def test_castling_is_written_as_when_the_search_began() -> None:
    session = Recorded()
    session.set_position("4k3/8/8/8/8/8/8/4K1R1 w G - 0 1", [])
    session.search(Limits(infinite=True))
    session.set_position(START_FEN, [])
    assert not session.position.chess960
    session.work.stop()
    assert session.best().chess960
    assert all(report.chess960 for report in session.reports if not isinstance(report, Late))


def test_a_bench_can_be_stopped() -> None:
    session = Recorded()
    session.bench(60, 1, 1)
    time.sleep(0.1)
    session.work.stop()
    assert session.work.wait(2)
    assert session.texts == ["bench stopped"]
    session.bench(1, 1, 1)
    session.work.wait()
    assert len(session.lines) == 1
    assert session.lines[0].endswith(" nps")


def test_perft_with_several_threads_can_be_stopped(capfd: pytest.CaptureFixture[str]) -> None:
    session = Recorded()
    session.set_option("Threads", "3")
    session.count(12)
    time.sleep(0.1)
    session.work.stop()
    session.work.wait()
    assert session.texts == ["perft stopped"]
    assert capfd.readouterr().err == ""


def test_without_memory_for_any_table_it_plays_a_legal_move(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(hash_mib: int, threads: int, network: Network | None) -> Pool:
        raise MemoryError("no memory")

    monkeypatch.setattr(resources, "Pool", refuse)
    session = Recorded()
    session.search(Limits(infinite=True))
    assert session.best().move in legal_moves(session.position)
    assert session.texts[-1] == "cannot search: no memory"


def test_more_threads_than_the_machine_has_use_for_are_not_started(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Recorded()
    monkeypatch.setattr(resources, "useful_threads", lambda wanted: min(wanted, 3))
    session.set_option("Threads", "512")
    assert session.engine.settings.threads == 512
    assert session.texts == ["using 3 of 512 threads: more would not help on this machine"]
    assert len(session.pool().workers) == 3
    session.set_option("Threads", "2")
    assert len(session.pool().workers) == 2


def test_why_a_move_is_late_is_said_to_those_who_debug(tmp_path: Path) -> None:
    late = Late(24.0, 156.0, 1.0, Usage(20.0, 3, 11), None)
    session = Recorded()
    session.set_option("Debug Log File", str(tmp_path / "log"))
    Protocol.tell(session, late)
    assert session.lines == []
    session.run("debug on")
    Protocol.tell(session, late)
    assert [line.startswith("info string late: 156 ms") for line in session.lines] == [True]
    session.open_log("")
    assert "-- info string late: 156 ms, planned 24" in (tmp_path / "log").read_text()
