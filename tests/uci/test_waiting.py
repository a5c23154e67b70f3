"""What `wait` and `bench` hold back, and what they do not."""

import time

from shared.engine_process import EngineProcess

LONG = "go depth 60"


def test_ten_thousand_lines_do_not_deafen_it() -> None:
    with EngineProcess() as engine:
        engine.settled()
        engine.send(LONG, "wait")
        engine.send_bytes(b"d\n" * 30_000)
        start = time.monotonic()
        engine.send("isready")
        engine.read_until("readyok", 3)
        assert time.monotonic() - start < 2
        engine.send("stop")
        engine.read_until("bestmove", 2)
        for _ in range(100):
            engine.read_until("Draw: ", 5)


def test_quit_is_obeyed_while_others_wait() -> None:
    for command in (LONG, "bench 60"):
        with EngineProcess() as engine:
            engine.settled()
            engine.send(command, "wait")
            time.sleep(0.5)
            start = time.monotonic()
            engine.send("quit")
            assert engine.end(3)[0] == 0
            assert time.monotonic() - start < 1


def test_the_end_of_the_input_is_obeyed_while_others_wait() -> None:
    for command in (LONG, "bench 60"):
        with EngineProcess() as engine:
            engine.settled()
            engine.send(command, "wait")
            time.sleep(0.5)
            start = time.monotonic()
            engine.close_input()
            assert engine.end(3)[0] == 0
            assert time.monotonic() - start < 1


def test_a_script_in_one_breath_is_obeyed_line_by_line() -> None:
    with EngineProcess() as engine:
        engine.send_bytes(b"go depth 9\nwait\nd\nquit\n")
        engine.close_input()
        lines = engine.read_until("Draw: ", 10)
        assert any(line.startswith("info depth 9 ") for line in lines)
        assert any(line.startswith("bestmove ") for line in lines)
        assert engine.end(3) == (0, "")


def test_stop_does_not_overtake_a_go_that_waits() -> None:
    with EngineProcess() as engine:
        engine.settled()
        engine.send("go depth 8", "wait", "go infinite", "stop")
        first = engine.read_until("bestmove", 10)
        assert any(line.startswith("info depth 8 ") for line in first)
        engine.read_until("bestmove", 3)
        engine.send("isready")
        engine.read_until("readyok", 2)
