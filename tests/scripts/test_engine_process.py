"""The process wrapper that scripts and tests talk to engines through, with engines that misbehave."""

import sys
import time

import pytest
from shared.engine_process import EngineError, EngineProcess, seconds_to_start


def engine_of(script: str) -> EngineProcess:
    """A process that does what a line of Python says."""
    return EngineProcess([sys.executable, "-c", script])


def test_an_engine_that_is_not_there_is_named() -> None:
    with pytest.raises(EngineError, match="cannot start no-such-engine"):
        EngineProcess(["no-such-engine"])


def test_the_end_of_an_engine_is_told_at_once_with_its_last_words() -> None:
    start = time.monotonic()
    with engine_of("import sys; print('id name Short'); sys.exit('out of luck')") as engine:
        for _ in range(2):
            with pytest.raises(EngineError, match=r"no 'uciok'.*exit code 1.*out of luck"):
                engine.read_until("uciok", 60.0)
    assert time.monotonic() - start < 30


def test_silence_is_told_when_the_time_is_over() -> None:
    with engine_of("input(); print('late', flush=True); input()") as engine:
        with pytest.raises(EngineError, match=r"no 'late' in .* the engine says nothing"):
            engine.read_until("late", 0.1)
        engine.send("")
        assert engine.read_until("late") == ["late"]


def test_an_engine_that_does_not_end_is_killed_on_the_way_out() -> None:
    with engine_of("import time; print('up', flush=True); time.sleep(600)") as engine:
        engine.read_until("up")
        with pytest.raises(EngineError, match="has not ended"):
            engine.quit(0.1)
    assert engine.process.returncode is not None


def test_sending_to_an_engine_that_has_ended_is_told() -> None:
    with engine_of("") as engine:
        engine.end()
        with pytest.raises(EngineError, match="does not read"):
            engine.send("isready" * 1_000_000)


def test_much_on_stderr_does_not_block_an_engine() -> None:
    with engine_of("import sys; sys.stderr.write('x' * 1_000_000); print('done', flush=True)") as engine:
        engine.read_until("done")
        assert engine.end() == (0, "x" * 1_000_000)


def test_other_engines_may_end_their_lines_as_they_like() -> None:
    with engine_of("import sys; sys.stdout.buffer.write('id name Ångström\\r\\nuciok\\r\\n'.encode())") as engine:
        assert engine.read_until("uciok") == ["id name Ångström", "uciok"]


def test_the_time_to_start_is_that_of_the_answer() -> None:
    start = time.perf_counter()
    assert 0 < seconds_to_start() < time.perf_counter() - start
