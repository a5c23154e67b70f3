"""What was found by trying to break the engine: callbacks, signals, odd arguments, copies."""

import copy
import gc
import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Callable

import pytest
from tasks import task

from nowchess_uci import Board, Engine, EngineBusyError, EngineClosedError, FenError, Limits, Line, Score
from nowchess_uci.engine import resources
from nowchess_uci.engine.bench import Bench
from nowchess_uci.engine.chores import bench_job
from nowchess_uci.engine.job import Job
from nowchess_uci.evaluation.network import default_network
from nowchess_uci.rules.fen import START_FEN, parse_fen
from nowchess_uci.search.pool import Pool
from nowchess_uci.search.reports import BestMove
from nowchess_uci.search.thinking import Thinking


@pytest.fixture
def engine() -> Engine:
    return Engine(hash_mib=4)


def test_a_report_that_raises_inside_an_iteration_reaches_the_caller(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nowchess_uci.search.thinking.QUIET_SECONDS", 0.0)
    seen: list[str] = []

    def fail(line: Line) -> None:
        seen.append(line.bound)
        if line.bound:
            raise ZeroDivisionError("on purpose")

    with pytest.raises(ZeroDivisionError):
        engine.start(Board(), Limits(nodes=300_000), fail).result()
    assert seen[-1]


def test_a_search_cannot_wait_for_itself(engine: Engine) -> None:
    errors: list[Exception] = []

    def wait(_: Line) -> None:
        try:
            job.result()
        except RuntimeError as error:
            errors.append(error)

    ready = threading.Event()

    def wait_when_ready(line: Line) -> None:
        ready.wait(5)
        wait(line)

    job = engine.start(Board(), Limits(depth=4), wait_when_ready)
    ready.set()
    assert job.result().move
    assert "cannot wait" in str(errors[0])


def test_a_report_may_close_the_engine() -> None:
    engine = Engine(hash_mib=1)
    job = engine.start(Board(), Limits(infinite=True), lambda _: engine.close())
    assert job.wait(5)
    with pytest.raises(EngineClosedError):
        engine.play(Board(), Limits(depth=1))


@pytest.mark.skipif(os.name == "nt", reason="needs signals")
def test_a_signal_handler_may_close_the_engine() -> None:
    engine = Engine(hash_mib=1)
    before = signal.signal(signal.SIGUSR1, lambda *_: engine.close())
    try:
        threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGUSR1)).start()
        engine.analyse(Board(), Limits(movetime_ms=20_000))
    finally:
        signal.signal(signal.SIGUSR1, before)
    with pytest.raises(EngineClosedError):
        engine.play(Board(), Limits(depth=1))


def test_a_call_from_within_a_call_is_refused() -> None:
    errors: list[Exception] = []

    def nested(_: object) -> None:
        try:
            asked.configure(threads=1)
        except EngineBusyError as error:
            errors.append(error)

    asked = Engine(on_note=nested)
    asked.configure(threads=512)  # more than any machine has use for, which is noted
    assert "the call that this one was made from" in str(errors[0])


def test_a_search_and_a_job_are_done_once() -> None:
    thinking = Thinking(Pool(1), parse_fen(START_FEN), task(depth=3), lambda _: refused(thinking.run))

    def refused(run: Callable[[], object]) -> None:
        with pytest.raises(RuntimeError, match="once"):
            run()

    job: Job[BestMove] = Job(lambda _: thinking.run())
    job.run()
    refused(thinking.run)
    refused(job.run)
    assert job.result().move
    assert thinking.nodes > 20


def test_a_job_that_is_over_keeps_nothing_of_its_work() -> None:
    shown: list[int] = []
    job = bench_job(1, 1, 1, default_network(), lambda nodes, _: shown.append(nodes), lambda _: None)
    job.start()
    job.wait()
    assert shown
    gc.collect()
    assert not any(isinstance(found, Bench) for found in gc.get_objects())
    job.stop()


def test_a_program_may_end_with_an_open_stream() -> None:
    script = (
        "import nowchess_uci as n\n"
        "engine = n.Engine()\n"
        "lines = engine.stream(n.Board(), n.Limits(infinite=True))\n"
        "next(lines)\n"
    )
    ended = subprocess.run([sys.executable, "-P", "-c", script], capture_output=True, timeout=20, check=False)
    assert (ended.returncode, ended.stderr) == (0, b"")


def test_a_stream_reads_its_board_when_it_is_asked_for(engine: Engine) -> None:
    board = Board("4k3/8/8/8/8/8/8/4K2R w - - 0 1")
    lines = engine.stream(board, Limits(depth=1))
    board.play("h1h7")
    assert next(iter(lines)).score.view == "white"
    with pytest.raises(FenError):
        engine.stream("nonsense", Limits(depth=1))


@pytest.mark.parametrize(
    "limits",
    [
        {"nodes": 2**64},
        {"movetime_ms": 10**400},
        {"white_time_ms": 10**30},
        {"depth": 1, "white_increment_ms": None},
        {"depth": 1, "search_moves": 5},
        {"depth": 1, "search_moves": (1,)},
        {"depth": 1, "ponder": "yes"},
        {"depth": 1, "started": float("nan")},
        {"depth": 1, "started": "x"},
    ],
)
def test_odd_limits_are_value_errors(engine: Engine, limits: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=next(name for name in reversed(limits))):
        engine.analyse(Board(), Limits(**limits))  # type: ignore[arg-type]


def test_odd_boards_and_settings_are_value_errors(engine: Engine) -> None:
    class NoBoard:
        def fen(self) -> None:
            return None

    for board in (NoBoard(), object()):
        with pytest.raises(ValueError, match=r"board|Board"):
            engine.analyse(board, Limits(depth=1))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="on_report"):
        engine.start(Board(), Limits(depth=1), None)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="ponder takes True or False"):
        engine.configure(ponder="x")
    with pytest.raises(ValueError, match="'white' or 'black'"):
        Score(3, "blue")


def test_settings_that_do_not_fit_together_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = Engine(hash_mib=4)
    monkeypatch.setattr(resources, "available_mib", lambda: 8)
    monkeypatch.setattr(resources, "THREAD_MIB", 1000)
    monkeypatch.setattr(resources, "useful_threads", lambda wanted: wanted)
    with pytest.raises(MemoryError):
        engine.configure(hash_mib=8, threads=4)
    assert (engine.settings.hash_mib, engine.settings.threads) == (4, 1)
    with pytest.raises(MemoryError, match="not enough memory for a table of 9 MiB"):
        Engine(hash_mib=9)


def test_copies_are_independent_and_engines_are_not_copied(engine: Engine) -> None:
    board = Board()
    board.play("e4", "e5")
    for twin in (copy.copy(board), copy.deepcopy(board), pickle.loads(pickle.dumps(board))):
        twin.play("Nf3")
        assert twin.undo() == "g1f3"
        assert twin.undo() == "e7e5"
        assert twin.fen() != board.fen()
    analysis = pickle.loads(pickle.dumps(engine.analyse(board, Limits(depth=3))))
    assert analysis.best.san
    for call in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="cannot be copied"):
            call(engine)


def test_a_board_stays_as_it_was_whatever_goes_wrong() -> None:
    board = Board()
    with pytest.raises((TypeError, ValueError, AttributeError)):
        board.play("e4", "e5", None)  # type: ignore[arg-type]
    assert board.fen() == Board().fen()
