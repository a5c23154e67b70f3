"""What the system may do to an engine: no memory, no threads, no disk, no reader. It goes on, or ends cleanly."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from oracle import chess
from shared.engine_process import ENGINE_COMMAND, EngineError, EngineProcess

posix_only = pytest.mark.skipif(os.name == "nt", reason="needs the descriptors, signals and limits of POSIX")
pytestmark = posix_only


def run_shell(script: str, seconds: float = 10) -> subprocess.CompletedProcess[str]:
    """A shell line in which $ENGINE is the engine."""
    environment = {**os.environ, "ENGINE": " ".join(ENGINE_COMMAND)}
    return subprocess.run(
        ["sh", "-c", script], env=environment, capture_output=True, text=True, timeout=seconds, check=False
    )


def assert_alive(engine: EngineProcess) -> None:
    """It answers within a second, finds a mate, and has complained of nothing on stderr."""
    start = time.monotonic()
    engine.send("isready")
    engine.read_until("readyok", 1.0)
    assert time.monotonic() - start < 1.0
    engine.send("setoption name UCI_Chess960 value false", "setoption name UCI_LimitStrength value false")
    engine.send("stop", "position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "go depth 5", "wait", "draw")
    answers = [line for line in engine.read_until("info string Draw cannot be claimed") if line.startswith("bestmove")]
    assert answers[-1] == "bestmove a1a8"


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


# Positions at the edges.

MANY_MOVES = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"
EDGES = (
    MANY_MOVES,
    "qqqqkqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQKQQQ w - - 0 1",
    "nnnnknnn/nnnnnnnn/8/8/8/8/NNNNNNNN/NNNNKNNN b - - 0 1",
    "rrrrkrrr/rrrrrrrr/8/8/8/8/RRRRRRRR/RRRRKRRR w - - 0 1",
    "4k3/8/3N1N2/2N3N1/4Q3/2N3N1/3N1N2/4K3 b - - 0 1",
    "k7/8/1Q6/8/8/8/8/K7 b - - 99 200",
    "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1",
    "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
    "8/p7/8/8/8/8/7P/k6K w - - 0 1",
)


@pytest.mark.parametrize("fen", EDGES)
def test_unlikely_positions_are_searched(fen: str) -> None:
    board = chess.Board(fen)
    with EngineProcess() as engine:
        engine.send("setoption name MultiPV value 256", f"position fen {fen}", "go movetime 100")
        lines = engine.read_until("bestmove")
        best = lines[-1].split()[1]
        legal = [move.uci() for move in board.legal_moves]
        assert best in legal if legal else best == "(none)"
        shown = {line.split(" pv ")[1].split()[0] for line in lines if " pv " in line}
        assert shown <= set(legal)
        if fen == MANY_MOVES:
            assert len(legal) == 218
            assert len(shown) == 218
        assert_alive(engine)


def test_every_clock_from_0_to_150() -> None:
    with EngineProcess() as engine:
        for clock in range(151):
            fen = f"4k3/8/8/8/8/8/R7/4K3 {'wb'[clock % 2]} - - {clock} 200"
            engine.send(f"position fen {fen}", "go depth 4")
            assert chess.Move.from_uci(engine.best_move()) in chess.Board(fen).legal_moves


def test_a_game_of_500_moves_is_searched_at_every_move() -> None:
    source = random.Random(12)
    board = chess.Board()
    with EngineProcess() as engine:
        while len(board.move_stack) < 1000:
            moves = list(board.legal_moves)
            # No pawn moves and no captures, so that the game lasts; the history grows to its full length.
            calm = [move for move in moves if not board.is_zeroing(move)]
            if not moves:
                board = chess.Board()
                continue
            board.push(source.choice(calm or moves))
            if len(board.move_stack) % 25 == 0 and not board.is_game_over():
                played = " ".join(move.uci() for move in board.move_stack)
                engine.send(f"position startpos moves {played}", "go depth 3")
                assert chess.Move.from_uci(engine.best_move()) in board.legal_moves
        assert_alive(engine)


@pytest.mark.parametrize(
    "fen",
    [
        "8/8/8/8/8/2k5/3p4/3K4 w - - 0 1",
        "7k/5K2/8/6P1/8/8/8/8 w - - 0 1",
        "8/8/8/1k5p/7P/1K6/8/8 w - - 0 1",
        "8/8/1p1p1p1p/1P1P1P1P/8/8/4k3/6K1 w - - 0 1",
        "k1K5/8/8/8/8/8/8/6R1 w - - 0 1",
    ],
)
def test_the_greatest_depth_is_reached_or_stopped(fen: str) -> None:
    with EngineProcess() as engine:
        engine.send(f"position fen {fen}", "go depth 100000")
        engine.read_until("info depth 21 ", 20)
        time.sleep(0.3)
        engine.send("stop")
        lines = engine.read_until("bestmove", 2)
        assert chess.Move.from_uci(lines[-1].split()[1]) in chess.Board(fen).legal_moves
        assert_alive(engine)


# Lines.

HOSTILE = (
    b"setoption name Threads value 1024\n",
    b"setoption name Threads value 0\n",
    b"setoption name Threads value -5\n",
    b"setoption name Hash value abc\n",
    b"setoption name Hash value 99999999999999999999999\n",
    b"setoption name Hash value\n",
    b"setoption name\n",
    b"setoption\n",
    b"setoption value\n",
    b"setoption name UCI_Elo value 1e9\n",
    b"setoption name MultiPV value 0\n",
    b"setoption name Move Overhead value " + b"9" * 5000 + b"\n",
    b"position\n",
    b"position fen\n",
    b"position fen " + b"k" * 300 + b"\n",
    b"position fen 8/8/8/8/8/8/8/8 w - - 0 1\n",
    b"position fen kk6/8/8/8/8/8/8/K7 w - - 0 1\n",
    b"position startpos moves e2e4 e2e4 \xff\xfe\n",
    b"position startpos moves " + b"0000 " * 10 + b"\n",
    b"go depth abc\n",
    b"go depth -1\nstop\n",
    b"go nodes 0\n",
    b"go movetime -100\n",
    b"go wtime -1 btime -1\n",
    b"go wtime 99999999999999999999 btime 1\nstop\n",
    b"go mate 99999999999\nstop\n",
    b"go movestogo 0 wtime 10\n",
    b"go searchmoves e2e5 a1a1 x\nstop\n",
    b"go go go\nstop\n",
    b"go perft -3\n",
    b"go perft 99999999999\nstop\n",
    b"go infinite\ngo infinite\ngo depth 1\n",
    b"go infinite\nposition startpos moves d2d4\nucinewgame\nsetoption name Hash value 2\nstop\n",
    b"go infinite\nwait\nstop\n",
    b"go depth 3\nwait\nwait\n",
    b"bench 1 1 1\n",
    b"ponderhit\nstop\nponderhit\n",
    b"go ponder\nponderhit\nstop\n",
    b"go ponder\nstop\n",
    b"debug on\nxyzzy\ndebug off\n",
    b"register later\n",
    b"\0\0\0\n",
    b"uci\0isready\n",
    b"\xff\xfe\xfd\xc3\x28\n",
    b"\xef\xbb\xbfuci\n",
    b"\r\n\r\n\n\n   \t  \n",
    b"go depth 1\r\n",
    b"\tgo\tdepth\t1\r\n",
    b"d\r\neval\r\ndraw\r\nhelp\r\n",
    b"A" * 1_000_000 + b"\n",
    b"position startpos moves " + b"z" * 1_000_000 + b"\n",
    b"setoption name Debug Log File value \0\n",
    b"setoption name UCI_Chess960 value true\nposition fen 4k3/8/8/8/8/8/8/1R2K3 w Q - 0 1 moves e1b1\n"
    b"setoption name UCI_Chess960 value false\n",
    b"position fen 4k3/8/8/8/8/8/8/4K3 w - - 9999999999 1\n",
    b"position fen 4k3/8/8/8/8/8/8/4K3 w - - -1 -1\n",
)


@pytest.mark.parametrize("data", HOSTILE, ids=lambda data: ascii(data[:40]))
def test_hostile_lines_leave_it_alive(data: bytes) -> None:
    with EngineProcess() as engine:
        engine.send_bytes(data)
        lines = engine.settled()
        assert not any("failed" in line for line in lines)
        engine.send("stop")
        assert_alive(engine)
        engine.send("quit")
        assert engine.end(2) == (0, "")


def test_a_line_longer_than_any_game_is_dropped_whole() -> None:
    with EngineProcess() as engine:
        engine.send_bytes(b"x" * 20_000_000 + b" quit\nisready\n")
        assert "info string line ignored" in engine.read_until("readyok")[0]
        engine.send_bytes(b"y" * 10_000_000)
        engine.close_input()
        assert engine.end(5)[0] == 0


LONG_LINES = (
    "go " + "y " * 30_000,
    "go depth 1 searchmoves " + "e2e5 " * 3_000 + " ".join(f"a{number}" for number in range(5_000)),
    "setoption name " + "z " * 30_000,
    "go " + "y " * 4_000_000,
    "setoption name " + "z " * 4_000_000,
    "position startpos moves " + "e2e4 " * 1_600_000,
    "position startpos moves " + "g1f3 b8c6 f3g1 c6b8 " * 400_000,
    "position fen " + "8/" * 4_000_000,
    " " * 8_000_000,
    "x" * 8_000_000,
)


def processor_seconds(pid: int) -> float:
    """What a process has used so far: on a busy machine the time by the clock says little."""
    columns = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(columns[11]) + int(columns[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
@pytest.mark.parametrize("line", LONG_LINES, ids=lambda line: line[:30])
def test_the_longest_lines_get_a_short_answer_soon(line: str) -> None:
    with EngineProcess() as engine:
        engine.settled()
        before = processor_seconds(engine.process.pid)
        engine.send(line, "stop")
        lines = engine.settled()
        assert processor_seconds(engine.process.pid) - before < 1.0
        assert len(lines) < 12  # the wrong words are not named one by one
        assert all(len(line) < 200 for line in lines)
        assert_alive(engine)


def test_the_last_line_may_lack_its_end() -> None:
    with EngineProcess() as engine:
        engine.send_bytes(b"go depth 3\nwait\nd")
        engine.close_input()
        engine.read_until("bestmove")
        engine.read_until("Draw: ")
        assert engine.end(5) == (0, "")


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
