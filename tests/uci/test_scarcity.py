"""Too little memory, too many threads, processes or commands: the engine makes do and keeps answering."""

import os
import random
import subprocess
import time

import pytest
from liveness import assert_alive
from shared.engine_process import ENGINE_COMMAND, EngineError, EngineProcess

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs the limits of POSIX")

# Memory and threads.


def test_no_memory_for_the_table_keeps_the_old_one() -> None:
    with EngineProcess(address_space_mib=600) as engine:
        engine.settled()
        engine.send("setoption name Hash value 2000")
        assert any("Hash stays at 16 MiB" in line for line in engine.settled())
        assert_alive(engine)


def test_no_memory_for_the_first_table_takes_a_smaller_one() -> None:
    with EngineProcess(address_space_mib=600) as engine:
        engine.send("setoption name Hash value 2000")
        assert any("not enough memory for Hash 2000" in line for line in engine.settled())
        assert_alive(engine)


def test_no_more_threads_searches_with_those_there_are() -> None:
    with EngineProcess(address_space_mib=600) as engine:
        engine.send("setoption name Threads value 512")
        engine.settled()
        engine.send("go depth 8")
        engine.read_until("bestmove")
        engine.send("go infinite", "stop")
        engine.read_until("bestmove")
        engine.send("go perft 4")
        engine.read_until("Nodes searched: 197281")
        assert_alive(engine)


@pytest.mark.parametrize("mib", [40, 92, 140, 200])
def test_hardly_any_memory_still_answers(mib: int) -> None:
    """Below what is needed it may not start at all; once it has answered, it goes on answering."""
    with EngineProcess(address_space_mib=mib) as engine:
        engine.send("uci", "isready")
        try:
            engine.read_until("readyok", 5)
        except EngineError:
            assert engine.process.wait(5) != 0
            return
        engine.send(
            "setoption name Threads value 64", "setoption name Hash value 512", "position startpos", "go depth 6"
        )
        engine.read_until("bestmove")
        engine.send("setoption name MultiPV value 256", "go infinite")
        time.sleep(0.1)
        engine.send("stop")
        engine.read_until("bestmove")
        assert_alive(engine)


def test_a_bench_that_does_not_fit_is_refused_and_one_that_lasts_can_be_stopped() -> None:
    with EngineProcess() as engine:
        engine.send("bench 20 512 65536", "isready")
        assert any("bench refused" in line for line in engine.read_until("readyok"))
        engine.send("bench 60")
        engine.settled()
        engine.send("stop")
        engine.read_until("info string bench stopped", 2)
        assert_alive(engine)


def test_a_large_table_keeps_nobody_waiting() -> None:
    with EngineProcess() as engine:
        engine.settled()
        for command in ("setoption name Hash value 2048", "ucinewgame", "setoption name Clear Hash"):
            start = time.monotonic()
            engine.send(command)
            if any("stays" in line for line in engine.settled()):
                pytest.skip("this machine has no memory for it")
            assert time.monotonic() - start < 1.0
            engine.send("go depth 3")
            engine.read_until("bestmove")
        start = time.monotonic()
        engine.send("ucinewgame", "setoption name Clear Hash", "ucinewgame")  # emptied once, not three times
        engine.settled()
        assert time.monotonic() - start < 1.0
        engine.send("go infinite")
        engine.read_until("info")
        start = time.monotonic()
        engine.send("quit")
        assert engine.end()[0] == 0
        assert time.monotonic() - start < 0.5


def test_more_threads_than_make_sense_keep_it_answering() -> None:
    with EngineProcess() as engine:
        engine.send("setoption name Threads value 512")
        engine.settled()
        for go in ("go infinite", "go perft 9"):
            engine.send(go)
            time.sleep(0.3)
            start = time.monotonic()
            engine.settled()
            engine.send("stop")
            engine.read_until("bestmove" if "infinite" in go else "info string perft stopped", 2.0)
            assert time.monotonic() - start < 1.0


# Very many.


def test_many_processes_come_and_go() -> None:
    """The soak does this with two hundred."""
    engines = [subprocess.Popen(ENGINE_COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE) for _ in range(20)]
    for engine in engines:
        assert engine.stdin is not None
        engine.stdin.write(b"uci\nisready\ngo depth 3\n")
        engine.stdin.flush()
    for engine in engines:
        output, _ = engine.communicate(b"quit\n", timeout=20)
        assert b"uciok\n" in output
        assert engine.returncode == 0


def test_storms_of_go_stop_and_options() -> None:
    source = random.Random(11)
    with EngineProcess() as engine:
        searches = 0
        for _ in range(150):
            engine.send(
                source.choice(
                    (
                        f"setoption name Threads value {source.choice((1, 2, 3, 8))}",
                        f"setoption name Hash value {source.choice((1, 2, 16, 33))}",
                        f"setoption name MultiPV value {source.choice((1, 3, 256))}",
                        f"setoption name UCI_Chess960 value {source.choice(('true', 'false'))}",
                        f"setoption name UCI_LimitStrength value {source.choice(('true', 'false'))}",
                        "setoption name Clear Hash",
                        "ucinewgame",
                        "position startpos moves e2e4",
                        "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1g1",
                        "position fen 4k3/8/8/8/8/8/8/1R2K3 w B - 0 1 moves e1b1",
                        "ponderhit",
                        "isready",
                        "stop",
                    )
                )
            )
            if source.random() < 0.6:
                engine.send(source.choice(("go infinite", "go depth 3", "go ponder wtime 50", "go movetime 5", "go")))
                searches += 1
        engine.send("stop", "setoption name MultiPV value 1")
        for _ in range(searches):
            engine.read_until("bestmove")
        assert not any(line.startswith("bestmove") or "failed" in line for line in engine.settled())
        assert_alive(engine)
