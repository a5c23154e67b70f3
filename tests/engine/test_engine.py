"""The engine in one's own process: what it answers, what it refuses, and that it leaves nothing behind."""

import asyncio
import gc
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from oracle import chess

from nowchess_uci import Analysis, Board, Engine, EngineBusyError, EngineClosedError, FenError, Limits, Line, Score
from nowchess_uci.engine import resources
from nowchess_uci.rules.fen import parse_fen
from nowchess_uci.search.pool import Pool

MATE_IN_ONE = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"
MATED = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"  # stalemate
REPEATED = ["Nf3", "Nf6", "Ng1", "Ng8"] * 2


@pytest.fixture
def engine() -> Engine:
    return Engine(hash_mib=4)


# Answers.


def test_an_analysis_has_lines_with_scores_and_moves(engine: Engine) -> None:
    analysis = engine.analyse(Board(), Limits(nodes=20_000), lines=3)
    assert [line.rank for line in analysis.lines] == [1, 2, 3]
    assert analysis.lines[0].score >= analysis.lines[1].score >= analysis.lines[2].score
    assert analysis.best is analysis.lines[0]
    assert analysis.move == analysis.best.move == analysis.best.pv[0]
    assert analysis.nodes >= 20_000
    assert analysis.seconds > 0
    assert analysis.depth >= 5
    assert sum(analysis.best.wdl) == 1000
    for line in analysis.lines:
        board = chess.Board()
        for uci, san in zip(line.pv, line.san, strict=True):
            assert board.san(chess.Move.from_uci(uci)) == san
            board.push_uci(uci)


def test_a_mate_is_a_mate(engine: Engine) -> None:
    best = engine.analyse(MATE_IN_ONE, Limits(depth=6)).best
    assert (best.score.mate, best.score.cp, best.san) == (1, None, ("Ra8#",))
    assert str(best.score) == "#1"


def test_the_end_of_a_game_has_no_move(engine: Engine) -> None:
    analysis = engine.analyse(MATED, Limits(depth=3))
    assert (analysis.move, analysis.best.pv, analysis.best.score.cp) == ("", (), 0)
    assert engine.play(MATED, Limits(depth=3)) == ""


def test_play_gives_a_move_as_text(engine: Engine) -> None:
    board = Board()
    board.play(engine.play(board, Limits(movetime_ms=20)))
    assert board.turn == "black"


@pytest.mark.parametrize(
    "limits", [Limits(black_time_ms=100), Limits(white_increment_ms=10), Limits(moves_to_go=1), Limits(black_time_ms=0)]
)
def test_half_a_clock_ends_a_search_too(engine: Engine, limits: Limits) -> None:
    start = time.monotonic()
    assert engine.play(Board(), limits)
    assert time.monotonic() - start < 3


def test_search_moves_are_the_only_ones(engine: Engine) -> None:
    assert engine.play(Board(), Limits(depth=4, search_moves=("a2a3",))) == "a2a3"
    assert engine.play(Board(), Limits(depth=4, search_moves=("Nh3",))) == "g1h3"


def test_a_stream_yields_lines_and_leaving_it_stops_the_search(engine: Engine) -> None:
    depths = []
    for line in engine.stream(Board(), Limits(infinite=True)):
        depths.append(line.depth)
        if line.depth >= 6:
            break
    assert depths == list(range(1, 7))
    assert engine.play(Board(), Limits(depth=1))  # it is free again


def test_a_stream_that_ends_by_itself_is_complete(engine: Engine) -> None:
    assert [line.depth for line in engine.stream(Board(), Limits(depth=5))] == [1, 2, 3, 4, 5]


def test_a_search_of_its_own_can_be_stopped_and_asked(engine: Engine) -> None:
    reports: list[Line] = []
    job = engine.start(Board(), Limits(infinite=True), reports.append)
    while not reports:
        time.sleep(0.001)
    assert job.is_running
    start = time.monotonic()
    job.stop()
    analysis = job.result()
    assert isinstance(analysis, Analysis)
    assert time.monotonic() - start < 0.5
    assert analysis.move == analysis.best.move
    assert not job.is_running


def test_pondering_ends_with_the_hit(engine: Engine) -> None:
    job = engine.start(Board(), Limits(ponder=True, white_time_ms=200, black_time_ms=200))
    time.sleep(0.05)
    assert job.is_running
    job.ponderhit()
    assert job.wait(2)
    assert job.result().move


def test_what_a_report_raises_reaches_the_caller(engine: Engine) -> None:
    def fail(_: Line) -> None:
        raise ZeroDivisionError("on purpose")

    with pytest.raises(ZeroDivisionError, match="on purpose"):
        engine.start(Board(), Limits(depth=4), fail).result()
    assert engine.play(Board(), Limits(depth=2))


def test_asyncio_goes_on_meanwhile(engine: Engine) -> None:
    async def work() -> tuple[list[Analysis], int]:
        ticks = 0

        async def tick() -> None:
            nonlocal ticks
            while True:
                ticks += 1
                await asyncio.sleep(0.001)

        ticking = asyncio.create_task(tick())
        found = await asyncio.gather(*(engine.analyse_async(Board(), Limits(nodes=60_000)) for _ in range(2)))
        ticking.cancel()
        return found, ticks

    found, ticks = asyncio.run(work())
    assert all(analysis.move for analysis in found)
    assert ticks > 3


def test_a_cancelled_analysis_is_stopped(engine: Engine) -> None:
    async def work() -> None:
        running = asyncio.create_task(engine.analyse_async(Board(), Limits(movetime_ms=60_000)))
        waiting = asyncio.create_task(engine.analyse_async(Board(), Limits(movetime_ms=60_000)))
        await asyncio.sleep(0.1)
        for task in (waiting, running):
            task.cancel()
        for task in (waiting, running):
            with pytest.raises(asyncio.CancelledError):
                await task

    start = time.monotonic()
    asyncio.run(work())
    assert time.monotonic() - start < 5
    assert engine.play(Board(), Limits(depth=1))


def test_a_program_may_end_while_an_engine_thinks() -> None:
    script = (
        "import nowchess_uci as n\n"
        "engine = n.Engine(threads=2)\n"
        "job = engine.start(n.Board(), n.Limits(infinite=True), lambda line: None)\n"
    )
    for _ in range(5):
        ended = subprocess.run([sys.executable, "-P", "-c", script], capture_output=True, timeout=20, check=False)
        assert (ended.returncode, ended.stderr) == (0, b"")


def test_the_same_position_gives_the_same_analysis_after_forgetting(engine: Engine) -> None:
    first = engine.analyse(Board(), Limits(depth=8))
    engine.forget()
    again = engine.analyse(Board(), Limits(depth=8))
    assert (first.nodes, first.best.pv, first.best.score) == (again.nodes, again.best.pv, again.best.score)


def test_a_weaker_engine_plays_weaker_but_analyses_in_full() -> None:
    weak = Engine(hash_mib=1, elo=1000)
    moves = {weak.play(Board(), Limits(depth=12)) for _ in range(20)}
    assert len(moves) > 1
    assert weak.analyse(Board(), Limits(depth=9)).depth == 9


# Boards.


def test_boards_of_python_chess_bring_their_past(engine: Engine) -> None:
    board = chess.Board()
    ours = Board()
    for san in REPEATED[:-1]:
        board.push_san(san)
        ours.play(san)
    for given in (board, ours):
        # Ng8 would be the third time: the search must see a draw there.
        line = engine.analyse(given, Limits(depth=3, search_moves=("f6g8",))).best
        assert line.score.cp == 0
    fresh = engine.analyse(board.fen(), Limits(depth=3, search_moves=("f6g8",))).best
    assert fresh.score.cp != 0


def test_chess960_boards_castle_king_takes_rook(engine: Engine) -> None:
    fen = "4k3/8/8/8/8/8/8/1R2K3 w B - 0 1"
    theirs = chess.Board(fen, chess960=True)
    ours = Board(fen, chess960=True)
    for given in (theirs, ours):
        assert engine.analyse(given, Limits(depth=2, search_moves=("e1b1",))).move == "e1b1"


def test_a_board_is_not_touched(engine: Engine) -> None:
    board = Board()
    board.play("e4")
    before = board.fen()
    engine.analyse(board, Limits(depth=5))
    assert board.fen() == before
    assert engine.analyse(parse_fen(before), Limits(depth=1)).move


@pytest.mark.skipif(os.name == "nt", reason="needs signals")
def test_an_interrupt_ends_a_long_search_at_once() -> None:
    script = (
        "import nowchess_uci as n\n"
        "engine = n.Engine()\n"
        "print('go', flush=True)\n"
        "try:\n    engine.analyse(n.Board(), n.Limits(movetime_ms=60_000))\n"
        "except KeyboardInterrupt:\n    print(engine.play(n.Board(), n.Limits(depth=1)))\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", script],
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert process.stdout is not None
    process.stdout.readline()
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=5)
    assert len(output.strip()) == 4


# Refusals.


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda e: e.analyse(Board(), Limits()), "a limit is needed"),
        (lambda e: e.analyse(Board(), Limits(infinite=True, depth=3)), "a limit is needed"),
        (lambda e: e.play(Board(), Limits()), "a limit is needed"),
        (lambda e: e.analyse(Board(), Limits(depth=0)), "depth is a whole number from 1 on, not 0"),
        (lambda e: e.analyse(Board(), Limits(nodes=-5)), "nodes is a whole number from 1 on, not -5"),
        (lambda e: e.analyse(Board(), Limits(movetime_ms=1.5)), "movetime_ms is a whole number"),  # type: ignore[arg-type]
        (lambda e: e.analyse(Board(), Limits(depth=True)), "depth is a whole number"),
        (lambda e: e.analyse(Board(), Limits(white_time_ms="60")), "white_time_ms is a whole number"),  # type: ignore[arg-type]
        (lambda e: e.analyse(Board(), Limits(depth=1, search_moves="e2e4")), "several texts"),  # type: ignore[arg-type]
        (lambda e: e.analyse(Board(), Limits(depth=1, search_moves=("e2e5",))), "'e2e5' is not a legal move here"),
        (lambda e: e.analyse(Board(), 5), "limits are a Limits, not int"),
        (lambda e: e.analyse(Board(), Limits(depth=1), lines=0), "lines takes a whole number from 1 to 256, not 0"),
        (lambda e: e.analyse(Board(), Limits(depth=1), lines=257), "lines takes"),
        (lambda e: e.analyse("nonsense", Limits(depth=1)), "bad FEN"),
        (lambda e: e.analyse(None, Limits(depth=1)), "a Board, a FEN, or an object with a fen"),
        (lambda e: e.start(Board(), Limits(depth=-1)), "depth is a whole number"),
        (lambda e: e.configure(threads=0), "threads takes a whole number from 1 to 512, not 0"),
        (lambda e: e.configure(hash_mib="8"), "hash_mib takes a whole number"),
        (lambda e: e.configure(elo=5), "elo takes a whole number"),
        (lambda e: e.configure(hsah=8), "no setting is called hsah; there are threads, hash_mib"),
        (lambda e: Engine(threads=1000), "threads takes"),
        (lambda e: Engine(hash_mib=0), "hash_mib takes"),
    ],
)
def test_bad_arguments_say_what_is_wrong(call: Callable[[Engine], object], message: str, engine: Engine) -> None:
    with pytest.raises(ValueError, match=message):
        call(engine)
    assert engine.play(Board(), Limits(depth=1))


def test_a_bad_fen_is_told_apart(engine: Engine) -> None:
    with pytest.raises(FenError):
        engine.analyse("8/8/8/8/8/8/8/8 w - - 0 1", Limits(depth=1))


def test_memory_that_is_not_there_is_an_error_and_changes_nothing(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resources, "available_mib", lambda: 100)
    with pytest.raises(MemoryError, match="not enough memory for a table of 101 MiB, only 100 MiB are free"):
        engine.configure(hash_mib=101, move_overhead_ms=50)
    assert engine.settings.hash_mib == 4
    assert engine.settings.move_overhead_ms == 10
    engine.configure(hash_mib=8, move_overhead_ms=50)
    assert (engine.settings.hash_mib, engine.settings.move_overhead_ms) == (8, 50)


def test_a_busy_engine_refuses_everything_else(engine: Engine) -> None:
    job = engine.start(Board(), Limits(infinite=True))
    for call in (
        lambda: engine.analyse(Board(), Limits(depth=1)),
        lambda: engine.play(Board(), Limits(depth=1)),
        lambda: engine.start(Board(), Limits(depth=1)),
        lambda: next(iter(engine.stream(Board(), Limits(depth=1)))),
        lambda: engine.configure(threads=2),
        engine.forget,
    ):
        with pytest.raises(EngineBusyError, match="busy"):
            call()
    engine.stop()
    assert job.result().move
    assert engine.play(Board(), Limits(depth=1))


def test_a_closed_engine_says_so(engine: Engine) -> None:
    with engine:
        engine.play(Board(), Limits(depth=1))
    for call in (
        lambda: engine.analyse(Board(), Limits(depth=1)),
        lambda: engine.start(Board(), Limits(depth=1)),
        lambda: engine.configure(threads=2),
        engine.forget,
    ):
        with pytest.raises(EngineClosedError, match="was closed"):
            call()
    engine.close()  # twice does no harm
    assert repr(engine) == "<Engine closed>"


def test_closing_ends_what_runs() -> None:
    engine = Engine(hash_mib=1)
    job = engine.start(Board(), Limits(infinite=True))
    engine.close()
    assert not job.is_running
    assert job.result().move

    engine = Engine(hash_mib=1)
    outcomes: list[object] = []

    def analyse() -> None:
        try:
            outcomes.append(engine.analyse(Board(), Limits(movetime_ms=20_000)))
        except EngineClosedError as error:
            outcomes.append(error)

    threads = [threading.Thread(target=analyse) for _ in range(3)]
    for thread in threads:
        thread.start()
    time.sleep(0.1)
    engine.close()
    for thread in threads:
        thread.join(2)
    assert len(outcomes) == 3
    assert sum(isinstance(outcome, Analysis) for outcome in outcomes) <= 1


# Several at once.


def test_one_engine_is_asked_by_eight_threads(engine: Engine) -> None:
    positions = [MATE_IN_ONE, "8/8/8/8/8/5k2/6q1/7K w - - 0 1", "7k/8/5K2/8/8/8/8/6R1 w - - 0 1", MATED]
    expected = [1, 0, 2, None]
    found: list[tuple[int, int | None]] = []

    def work(number: int) -> None:
        for step in range(25):
            index = (number + step) % len(positions)
            found.append((index, engine.analyse(positions[index], Limits(depth=5)).best.score.mate))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 200
    assert all(mate == expected[index] for index, mate in found)


def test_eight_engines_do_not_disturb_each_other() -> None:
    alone = Engine(hash_mib=1).analyse(Board(), Limits(depth=8))
    found: list[Analysis] = []

    def work() -> None:
        with Engine(hash_mib=1) as engine:
            found.append(engine.analyse(Board(), Limits(depth=8)))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {(analysis.nodes, analysis.best.pv) for analysis in found} == {(alone.nodes, alone.best.pv)}


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")
@pytest.mark.skipif("asan" in os.environ.get("LD_PRELOAD", ""), reason="AddressSanitizer keeps what was freed")
def test_engines_that_are_closed_give_their_memory_back() -> None:
    def resident_mib() -> float:
        gc.collect()
        return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / (1 << 20)

    def use() -> None:
        with Engine(hash_mib=16) as engine:
            engine.analyse(Board(), Limits(depth=2))
            for _ in engine.stream(Board(), Limits(depth=2)):
                pass

    for _ in range(5):
        use()
    before = resident_mib()
    for _ in range(60):
        use()
    assert resident_mib() - before < 16


def uses() -> list[Callable[[Engine], object]]:
    def break_off(engine: Engine) -> object:
        lines = engine.stream(Board(), Limits(depth=40))
        next(lines)
        return lines

    def fail(_: object) -> None:
        raise ArithmeticError

    def fail_in_a_job(engine: Engine) -> object:
        job = engine.start(Board(), Limits(depth=2), fail)
        with pytest.raises(ArithmeticError) as kept:
            job.result()
        return kept

    def fail_in_a_stream(engine: Engine) -> object:
        lines = engine.stream(Board(), Limits(depth=9))
        next(lines)
        with pytest.raises(ArithmeticError) as kept:
            lines.throw(ArithmeticError())  # type: ignore[attr-defined]
        return kept

    def wait_for(engine: Engine) -> object:
        job = engine.start(Board(), Limits(depth=2))
        job.wait()
        return job

    return [
        lambda engine: engine.analyse(Board(), Limits(depth=2)),
        lambda engine: engine.analyse(Board(), Limits(movetime_ms=20)),
        lambda engine: engine.play(Board(), Limits(depth=2)),
        lambda engine: list(engine.stream(Board(), Limits(depth=2))),
        break_off,
        fail_in_a_job,
        fail_in_a_stream,
        wait_for,
        lambda engine: engine.start(Board(), Limits(infinite=True)),
        lambda engine: engine.go(Board().position, Limits(depth=2), lambda _: None),
        lambda engine: engine.go(Board().position, Limits(depth=2), fail).wait(),
        lambda engine: asyncio.run(engine.analyse_async(Board(), Limits(depth=2))),
    ]


@pytest.mark.parametrize("use", uses())
def test_a_closed_engine_needs_no_garbage_collector(use: Callable[[Engine], object]) -> None:
    """Tables are large, and nothing tells the collector so: it would let dozens of them pile up."""

    def pools() -> int:
        return sum(isinstance(found, Pool) for found in gc.get_objects())

    gc.collect()
    before = pools()
    gc.disable()
    try:
        engine = Engine(threads=2, hash_mib=1)
        kept = use(engine)  # what a search has left behind does not keep its memory
        assert pools() == before + 1
        engine.close()
        assert pools() == before
        del kept
    finally:
        gc.enable()


# Scores.


def test_scores_compare_and_change_sides() -> None:
    better, worse = Score(50, "white"), Score(-20, "white")
    assert better > worse
    assert better.black == better
    assert better.black.cp == -50
    assert better.black.view == "black"
    assert better.black.white == better
    assert len({better, better.black, worse}) == 2
    assert Score(31_999, "white") > Score(31_990, "white") > better > Score(-31_990, "white")
    assert better.expectation > 0.5 > worse.expectation
    assert better.black.expectation == pytest.approx(1 - better.expectation)
    assert (str(better), str(better.black), str(Score(-31_998, "black"))) == ("+0.50", "-0.50", "#-1")
    with pytest.raises(ValueError, match="'white' or 'black'"):
        better.seen_by("red")
    assert better != 50
    with pytest.raises(TypeError):
        assert better > 50  # type: ignore[operator]


@pytest.mark.parametrize(("plies", "moves"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3)])
def test_a_mate_is_as_far_away_for_the_side_that_is_mated(plies: int, moves: int) -> None:
    score = Score(32_000 - plies, "black")
    assert (score.mate, score.white.mate, str(score.white)) == (moves, -moves, f"#-{moves}")
