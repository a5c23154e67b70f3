"""A GUI that is rude: garbage, floods, and endings at any moment."""

import os
import random
import signal
import subprocess
import time

import pytest
from shared.engine_process import ENGINE_COMMAND, EngineProcess


def test_garbage_bytes_change_nothing() -> None:
    source = random.Random(3)
    with EngineProcess() as engine:
        for _ in range(50):
            engine.send_bytes(source.randbytes(source.randrange(1, 400)).replace(b"quit", b"") + b"\n")
        engine.send("position startpos", "go depth 2")
        engine.read_until("bestmove")


def test_half_lines_are_put_together() -> None:
    with EngineProcess() as engine:
        for part in (b"posi", b"tion startpos moves e2", b"e4\r\ngo de", b"pth 2\r\n"):
            engine.send_bytes(part)
            time.sleep(0.02)
        assert engine.best_move()


def test_very_long_lines_and_games() -> None:
    with EngineProcess() as engine:
        engine.send("x" * 100_000, "position " + "y" * 100_000, "setoption name " + "z" * 100_000)
        engine.send("position startpos moves" + " g1f3 g8f6 f3g1 f6g8" * 2_000, "go depth 2")
        engine.read_until("bestmove")


def test_a_million_moves_are_played() -> None:
    with EngineProcess() as engine:
        engine.send("position startpos moves" + " g1f3 g8f6 f3g1 f6g8" * 250_000, "isready")
        engine.read_until("readyok", 20)
        engine.send("go depth 2")
        engine.read_until("bestmove", 20)


def test_a_burst_of_go_and_stop_gives_one_best_move_each() -> None:
    with EngineProcess() as engine:
        for _ in range(100):
            engine.send("go infinite", "stop")
        engine.send("isready")
        for _ in range(100):
            engine.read_until("bestmove")
        assert not any(line.startswith("bestmove") for line in engine.settled())


@pytest.mark.parametrize("searching", [False, True])
@pytest.mark.parametrize("ending", ["quit", "EOF", "half line and EOF"])
def test_quit_and_eof_end_the_process(ending: str, searching: bool) -> None:
    with EngineProcess() as engine:
        engine.send("isready")
        engine.read_until("readyok")
        if searching:
            engine.send("setoption name Threads value 2", "go infinite")
            time.sleep(0.1)
        start = time.monotonic()
        if ending == "quit":
            engine.send("quit")
        else:
            if ending != "EOF":
                engine.send_bytes(b"posit")
            engine.close_input()
        code, errors = engine.end(2)
        assert code == 0
        assert errors == ""
        assert time.monotonic() - start < 1


def test_a_reader_that_is_gone_ends_the_process() -> None:
    with EngineProcess() as engine:
        engine.send("isready")
        engine.read_until("readyok")
        assert engine.process.stdout is not None
        descriptor = engine.process.stdout.fileno()
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, descriptor)  # closes our end of the pipe under the reading thread
        os.close(null)
        engine.send("go infinite")
        code, _ = engine.end(2)
        assert code == 0


@pytest.mark.skipif(os.name == "nt", reason="no such signal")
def test_interrupts_are_for_the_gui() -> None:
    with EngineProcess() as engine:
        engine.send("isready")
        engine.read_until("readyok")
        engine.process.send_signal(signal.SIGINT)
        engine.send("go depth 2")
        engine.read_until("bestmove")


def test_an_idle_engine_uses_no_processor_time() -> None:
    with EngineProcess() as engine:
        engine.send("go depth 3")
        engine.read_until("bestmove")
        engine.send("position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "go infinite")
        engine.send("stop")
        engine.read_until("bestmove")
        before = cpu_seconds(engine.process.pid)
        time.sleep(0.5)
        assert cpu_seconds(engine.process.pid) - before < 0.05


def cpu_seconds(pid: int) -> float:
    """User and system time of a process."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
    except OSError:
        pytest.skip("this system has no /proc")
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_a_person_at_a_terminal_gets_a_hint() -> None:
    pty = pytest.importorskip("pty", reason="no terminals on this system")
    terminal, its_side = pty.openpty()
    process = subprocess.Popen(ENGINE_COMMAND, stdin=its_side, stdout=subprocess.PIPE, stderr=its_side)
    os.close(its_side)
    os.write(terminal, b"quit\n")
    output, _ = process.communicate(timeout=10)
    assert b"help" in os.read(terminal, 1000)
    assert (output, process.returncode) == (b"", 0)
    os.close(terminal)
