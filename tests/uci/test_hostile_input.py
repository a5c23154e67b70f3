"""What a client may send: unlikely positions, endless games, lines of any length and kind. The engine survives it."""

import os
import random
import sys
import time
from pathlib import Path

import pytest
from liveness import assert_alive
from oracle import chess
from shared.engine_process import EngineProcess

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs the descriptors and signals of POSIX")

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
