"""Runs that are disturbed: killed workers, killed runs, Ctrl-C. In the end the bytes are the same, and nothing runs."""

import os
import signal
import sys
from pathlib import Path

import pytest
from analysis_runs import collection, entries, is_alive, kill, run, start, wait_until, workers_of

from nowchess_uci.analysis import workers
from nowchess_uci.analysis.run import Uninterrupted
from nowchess_uci.analysis.units import Failure, GameUnit, Settings, analyse_unit
from nowchess_uci.analysis.workers import Crew, Worker, run_units
from nowchess_uci.rules.fen import START_FEN
from nowchess_uci.search.limits import Limits

on_linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks at processes in /proc")


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "games.pgn"
    path.write_text(collection(30))
    return path


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """What a run writes that is left alone."""
    folder = tmp_path_factory.mktemp("whole")
    (folder / "games.pgn").write_text(collection(30))
    result = run(folder / "games.pgn", "--nodes", 8_000, "--out", folder / "whole.pgn", "--workers", 1)
    assert result.returncode == 0, result.stderr
    return (folder / "whole.pgn").read_bytes()


@on_linux
def test_a_killed_worker_costs_nothing_but_time(games: Path, whole: bytes, tmp_path: Path) -> None:
    out = tmp_path / "out.pgn"
    process = start(games, "--nodes", 8_000, "--out", out, "--workers", 2)
    killed = 0
    for count in (1, 3, 5):
        wait_until(lambda count=count: entries(Path(f"{out}.journal")) >= count or process.poll() is not None)  # type: ignore[misc]
        for pid in workers_of(process)[:1]:
            kill(pid)
            killed += 1
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    assert killed >= 2
    assert out.read_bytes() == whole
    assert not Path(f"{out}.journal").exists()


@on_linux
def test_a_killed_run_leaves_nothing_running_and_goes_on(games: Path, whole: bytes, tmp_path: Path) -> None:
    out, journal = tmp_path / "out.pgn", tmp_path / "out.pgn.journal"
    resumed = 0
    for _ in range(2):
        process = start(games, "--nodes", 8_000, "--out", out, "--workers", 2, *(["--resume"] if resumed else []))
        wait_until(lambda before=resumed: entries(journal) > before)  # type: ignore[misc]
        pids = workers_of(process)
        process.kill()
        process.communicate(timeout=60)
        assert pids
        wait_until(lambda pids=pids: not any(map(is_alive, pids)), 10)  # type: ignore[misc]
        assert not out.exists()
        resumed = entries(journal)
    journal.write_bytes(journal.read_bytes()[:-7])  # the last line was being written
    result = run(games, "--nodes", 8_000, "--out", out, "--resume")
    assert result.returncode == 0, result.stderr
    assert f"resuming: {resumed - 1} done before" in result.stderr
    assert out.read_bytes() == whole
    assert sorted(path.name for path in tmp_path.iterdir()) == ["games.pgn", "out.pgn"]


@pytest.mark.skipif(os.name == "nt", reason="signals are sent differently there")
def test_ctrl_c_writes_what_is_done_and_the_run_goes_on(games: Path, whole: bytes, tmp_path: Path) -> None:
    out, journal = tmp_path / "out.pgn", tmp_path / "out.pgn.journal"
    process = start(games, "--nodes", 8_000, "--out", out, "--workers", 2)
    wait_until(lambda: entries(journal) >= 2)
    pids = workers_of(process) if sys.platform.startswith("linux") else []
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "--resume goes on from here" in errors
    assert "Traceback" not in errors
    assert not any(map(is_alive, pids))
    part = out.read_bytes()
    assert part
    assert whole.startswith(part)
    assert part.count(b"[White ") == entries(journal)
    again = run(games, "--nodes", 8_000, "--out", out)
    assert again.returncode == 2
    assert "Add --resume to go on, or delete it" in again.stderr
    changed = run(games, "--nodes", 7_999, "--out", out, "--resume")
    assert changed.returncode == 2
    assert "the input or the options are others" in changed.stderr
    assert run(games, "--nodes", 8_000, "--out", out, "--resume").returncode == 0
    assert out.read_bytes() == whole
    finished = run(games, "--nodes", 8_000, "--out", out, "--resume")
    assert finished.returncode == 0
    assert "nothing to do" in finished.stderr


@pytest.mark.skipif(os.name == "nt", reason="signals are sent differently there")
def test_ctrl_c_does_not_tear_the_writing_of_a_result_apart() -> None:
    steps = []

    def write() -> None:
        with Uninterrupted():
            os.kill(os.getpid(), signal.SIGINT)
            steps.append("written")

    with pytest.raises(KeyboardInterrupt):
        write()
    assert steps == ["written"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def unit_of(number: int) -> GameUnit:
    return GameUnit(number, "x", {}, START_FEN, False, ("e2e4", "e7e5"), "*", Settings(Limits(nodes=100)))


def test_a_unit_that_kills_its_workers_is_given_up_and_the_rest_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    ask = Worker.ask

    def ask_or_die(self: Worker, unit: GameUnit, on_steps: object) -> object:
        if unit.number == 2:
            self.process.kill()
        return ask(self, unit, on_steps)  # type: ignore[arg-type]

    monkeypatch.setattr(workers.Worker, "ask", ask_or_die)
    units = [unit_of(number) for number in (1, 2, 3)]
    first, second, third = run_units(units, 1)
    assert isinstance(second, Failure)
    assert "died 3 times" in second.reason
    assert [first, third] == [analyse_unit(units[0]), analyse_unit(units[2])]


def test_results_come_in_order_with_few_units_in_flight() -> None:
    taken: list[int] = []

    def units() -> object:
        for number in range(40):
            taken.append(number)
            yield unit_of(number)

    for count, result in enumerate(run_units(units(), 2)):  # type: ignore[arg-type]
        assert not isinstance(result, Failure)
        assert result.number == count
        assert len(taken) - count <= 2 * workers.WINDOW


def test_leaving_the_results_early_ends_the_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    crews: list[Crew] = []
    end = Crew.end

    def note_and_end(self: Crew) -> None:
        crews.append(self)
        end(self)

    monkeypatch.setattr(Crew, "end", note_and_end)
    results = run_units((unit_of(number) for number in range(100)), 2)
    next(results)
    results.close()
    assert crews
    assert not crews[0].processes


def test_an_error_in_the_input_ends_the_workers_too() -> None:
    def units() -> object:
        yield unit_of(1)
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"):
        list(run_units(units(), 2))  # type: ignore[arg-type]
