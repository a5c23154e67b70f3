"""What the system may do to an engine: no reader, no GUI, no disk. It goes on, or ends cleanly."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from liveness import assert_alive
from shared.engine_process import ENGINE_COMMAND, EngineProcess

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs the descriptors and signals of POSIX")


def run_shell(script: str, seconds: float = 10) -> subprocess.CompletedProcess[str]:
    """A shell line in which $ENGINE is the engine."""
    environment = {**os.environ, "ENGINE": " ".join(ENGINE_COMMAND)}
    return subprocess.run(
        ["sh", "-c", script], env=environment, capture_output=True, text=True, timeout=seconds, check=False
    )


# Streams.


@pytest.mark.parametrize("arguments", ["", "play"])
def test_stdin_closed_from_the_start_ends_the_process(arguments: str) -> None:
    result = run_shell(f"$ENGINE {arguments} <&-")
    assert "Traceback" not in result.stderr
    assert result.returncode == 0


def test_stdout_closed_from_the_start_ends_the_process() -> None:
    result = run_shell("(echo uci; sleep 1) | $ENGINE >&-")
    assert (result.returncode, result.stderr) == (0, "")


def test_stdout_on_a_full_disk_ends_the_process() -> None:
    with open("/dev/full", "wb") as full:
        engine = subprocess.Popen(ENGINE_COMMAND, stdin=subprocess.PIPE, stdout=full, stderr=subprocess.PIPE)
        assert engine.stdin is not None
        engine.stdin.write(b"go infinite\n")
        engine.stdin.flush()
        assert engine.wait(5) == 0
        assert engine.communicate()[1] == b""


@pytest.mark.parametrize("arguments", ["perft 2", "bench 1", "--version"])
@pytest.mark.parametrize("target", [">/dev/full", ">&-"])
def test_commands_for_people_say_that_the_output_is_lost(arguments: str, target: str) -> None:
    result = run_shell(f"$ENGINE {arguments} {target}")
    assert "Traceback" not in result.stderr
    assert len(result.stderr.splitlines()) <= 2


def test_playing_to_a_full_disk_ends_with_exit_code_1() -> None:
    result = run_shell("echo e2e4 | $ENGINE play --two-players > /dev/full")
    assert (result.returncode, result.stderr) == (1, "")


def test_input_and_output_that_do_not_block_are_waited_for() -> None:
    """Some GUIs hand over ends that are set not to block."""
    their_input, our_end = os.pipe()
    our_output, their_output = os.pipe()
    for descriptor in (their_input, their_output):
        os.set_blocking(descriptor, False)
    engine = subprocess.Popen(ENGINE_COMMAND, stdin=their_input, stdout=their_output)
    os.close(their_input)
    os.close(their_output)
    time.sleep(0.3)
    os.write(our_end, b"d\n" * 1000)  # more answers than a pipe holds
    time.sleep(0.3)
    os.write(our_end, b"quit\n")
    received = b""
    while chunk := os.read(our_output, 4096):
        received += chunk
    assert received.count(b"Fen: ") == 1000
    assert engine.wait(5) == 0
    os.close(our_end)
    os.close(our_output)


def test_a_slow_reader_gets_everything() -> None:
    engine = subprocess.Popen(ENGINE_COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert engine.stdin is not None
    assert engine.stdout is not None
    engine.stdin.write(b"setoption name MultiPV value 20\nposition startpos\ngo depth 9\n" + b"isready\n" * 500)
    engine.stdin.write(b"wait\nquit\n")
    engine.stdin.flush()
    received = b""
    while chunk := os.read(engine.stdout.fileno(), 300):
        received += chunk
        time.sleep(0.001)
    assert received.count(b"readyok\n") == 500
    assert received.count(b"bestmove ") == 1
    assert all(line.startswith((b"info ", b"bestmove ", b"readyok")) for line in received.splitlines())
    assert engine.wait(5) == 0
    engine.stdin.close()
    engine.stdout.close()


def test_eof_ends_an_engine_whose_output_nobody_reads() -> None:
    engine = subprocess.Popen(ENGINE_COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert engine.stdin is not None
    assert engine.stdout is not None
    engine.stdin.write(b"setoption name MultiPV value 100\ngo infinite\n")
    engine.stdin.flush()
    time.sleep(1.0)
    engine.stdin.close()
    assert engine.wait(5) == 0
    engine.stdout.close()


# The GUI and the user.


def test_a_killed_gui_leaves_no_engine(tmp_path: Path) -> None:
    script = (
        "import subprocess, sys, time\n"
        f"engine = subprocess.Popen({ENGINE_COMMAND!r}, stdin=subprocess.PIPE, stdout=subprocess.PIPE)\n"
        "engine.stdin.write(b'setoption name Threads value 2\\ngo infinite\\n')\n"
        "engine.stdin.flush()\n"
        "engine.stdout.readline()\n"
        "print(engine.pid, flush=True)\n"
        "time.sleep(60)\n"
    )
    gui = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert gui.stdout is not None
    pid = int(gui.stdout.readline())
    gui.kill()
    gui.wait()
    gui.stdout.close()
    deadline = time.monotonic() + 2
    while is_running(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not is_running(pid)


def is_running(pid: int) -> bool:
    """True if there is such a process and it has not ended: one that nobody waits for stays listed."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("searching", [False, True])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_a_signal_ends_the_process_at_once(number: signal.Signals, searching: bool) -> None:
    with EngineProcess() as engine:
        engine.settled()
        if searching:
            engine.send("setoption name Threads value 2", "go infinite")
            engine.read_until("info")
        engine.process.send_signal(number)
        code, errors = engine.end(1)
        assert (code, errors) == (-number, "")


def test_an_interrupt_in_a_search_is_ignored() -> None:
    with EngineProcess() as engine:
        engine.send("go infinite")
        engine.read_until("info")
        engine.process.send_signal(signal.SIGINT)
        engine.send("stop")
        engine.read_until("bestmove")
        assert_alive(engine)


# Disk.


def test_a_log_on_a_full_disk_ends_the_log_only() -> None:
    with EngineProcess() as engine:
        engine.send("setoption name Debug Log File value /dev/full")
        assert_alive(engine)


@pytest.mark.parametrize("value", ["/", "/nonexistent/x", "a\0b", "x" * 5000, "/dev/null/x"])
def test_a_log_that_cannot_be_opened_is_said(value: str) -> None:
    with EngineProcess() as engine:
        engine.send(f"setoption name Debug Log File value {value}")
        assert any(line.startswith("info string Debug Log File: ") for line in engine.settled())
        assert_alive(engine)


@pytest.mark.parametrize("name", ["/dev/stdin", "/dev/stdout", "/proc/self/fd/0"])
def test_a_log_into_its_own_pipes_is_refused(name: str) -> None:
    with EngineProcess() as engine:
        engine.send(f"setoption name Debug Log File value {name}")
        assert any("the engine itself reads from or writes to it" in line for line in engine.settled())
        assert_alive(engine)


def test_a_log_into_a_pipe_does_not_wait_for_its_reader(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with EngineProcess() as engine:
        engine.send(f"setoption name Debug Log File value {pipe}")
        assert any("Debug Log File" in line for line in engine.settled())
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        engine.send(f"setoption name Debug Log File value {pipe}")
        for _ in range(50):
            engine.send("d", "eval", "help")
        assert_alive(engine)
        os.close(reader)
        assert_alive(engine)


def test_a_killed_engine_leaves_whole_lines_in_its_log(tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    with EngineProcess() as engine:
        engine.send(f"setoption name Debug Log File value {path}", "setoption name MultiPV value 30", "go infinite")
        time.sleep(0.3)
        engine.process.kill()
        engine.process.wait()
    text = path.read_text()
    assert text.endswith("\n")
    assert all(line[13:16] in (">> ", "<< ") for line in text.splitlines())


def test_a_pgn_file_that_is_a_device_stays_one(tmp_path: Path) -> None:
    for name in ("/dev/null", "/dev/full"):
        result = run_shell(f"echo e2e4 | $ENGINE play --two-players --pgn {name}")
        assert "Traceback" not in result.stderr
        assert Path(name).is_char_device()
    assert "could not be saved" in result.stdout
    assert "1. e4 *" in result.stdout


@pytest.mark.skipif(shutil.which("strace") is None, reason="needs strace")
def test_nothing_is_written_and_no_connection_opened(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    lines = (
        "uci\nsetoption name Threads value 2\nisready\nposition startpos moves e2e4\ngo depth 8\nwait\nd\neval\nquit\n"
    )
    calls = "trace=network,open,openat,creat,write,writev,pwrite64,unlink,unlinkat,rename,renameat,mkdir,mkdirat"
    # Without -B Python itself might write bytecode, once, beside its modules. A file for each thread: in a common one,
    # calls are torn into a beginning and a "resumed" when another thread's comes between.
    command = ["strace", "-ff", "-e", calls, "-o", str(trace), sys.executable, "-B", *ENGINE_COMMAND[1:]]
    result = subprocess.run(command, input=lines, capture_output=True, text=True, timeout=60, check=False)
    if "bestmove" not in result.stdout:
        pytest.skip(f"strace may not trace here: {result.stderr[:100]}")
    seen = [call for part in tmp_path.glob("trace.*") for call in part.read_text().splitlines()]
    assert len(seen) > 100
    for call in seen:
        assert not any(name in call for name in ("socket(", "connect(", "bind(", "unlink", "rename", "mkdir", "creat("))
        assert "write" not in call or "write(1, " in call or "O_" in call
        assert not any(flag in call for flag in ("O_WRONLY", "O_RDWR", "O_CREAT"))
