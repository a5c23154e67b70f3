"""The `play` command as a process: streams, signals, options."""

import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import oracle
import pytest
from consoles import COMMAND, UNSAVED, run_process

from nowchess_uci.game.game import Game
from nowchess_uci.rules import draws, movegen
from nowchess_uci.rules.move import render_move

OPENING = ("e2e4", "a7a6", "e4e5", "d7d5", "e5d6", "a6a5", "d6c7", "a5a4", "c7b8n", "g8f6")


def test_a_scripted_game_with_en_passant_promotion_and_claims(tmp_path: Path) -> None:
    path = tmp_path / "game.pgn"
    game = Game.from_fen()
    for text in OPENING:
        game = game.after(text)
    quiet: list[str] = []
    source = random.Random(8)
    while len(quiet) < 101:
        move = source.choice(movegen.legal_moves(game.board.position))
        after = game.after(move)
        if after.history.half_move_clock and not after.board.is_check and draws.repetitions(after.board.position) == 1:
            quiet.append(render_move(move))
            game = after
    fen = game.board.fen()
    promotion = ("c7b8", "k", "n", OPENING[9])
    lines = (*OPENING[:8], *promotion, "draw", *quiet[:99], "2", quiet[99], "2", quiet[100], "1")
    assert game.history.half_move_clock == 102
    result = run_process("--two-players", "--ascii", "--pgn", str(path), lines="\n".join(lines).encode())
    out = result.stdout.decode()
    assert "White captures Black Pawn on d6\n" in out
    assert "Promote to: (q/r/b/n)? k\nInvalid piece. Choose (q/r/b/n).\nPromote to: (q/r/b/n)? n\n" in out
    assert "White captures Black Knight on b8\n" in out
    assert "Draw cannot be claimed: the 50-move rule has not been triggered.\n" in out
    assert out.count("may claim a draw, or continue playing.\n 1. Claim draw\n 2. Continue\n") == 3
    assert "> 1\nDraw claimed by 50-move rule.\n" in out
    assert out.endswith(f"Game over. Goodbye!\nSaved to {path}.\n")
    assert (result.returncode, result.stderr) == (0, b"")
    with path.open(encoding="utf-8") as file:
        (saved,) = oracle.read_pgn(file)
    assert saved.headers["Result"] == "1/2-1/2"
    assert oracle.end_of(saved) == fen


@pytest.mark.parametrize("options", [("--movetime", "20"), ("--elo", "600"), ("--elo", "2830", "--movetime", "20")])
def test_the_engine_answers_the_first_move_and_gives_hints(options: tuple[str, ...]) -> None:
    result = run_process("--ascii", *options, lines=b"e4\nhint\n")
    out = result.stdout.decode()
    assert re.search(r"^Black plays \S+$", out, re.MULTILINE)
    assert re.search(r"^Hint: \S+$", out, re.MULTILINE)
    assert (result.returncode, result.stderr) == (0, b"")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--fen", "nonsense"), b"nowchess-uci play: bad FEN, text: 4 to 6 fields expected, not 1\n"),
        (
            ("--fen", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"),
            b"nowchess-uci play: this position is the end of a game: stalemate\n",
        ),
        (("--side", "green"), b"invalid choice: 'green'"),
    ],
)
def test_bad_options_get_a_message_and_exit_code_2(options: tuple[str, ...], message: bytes) -> None:
    result = run_process("--two-players", *options)
    assert message in result.stderr
    assert b"Traceback" not in result.stderr
    assert result.returncode == 2


def test_what_a_fen_claims_wrongly_is_said() -> None:
    result = run_process("--two-players", "--fen", "4k3/8/8/8/8/8/P7/4K3 w K - 0 1")
    assert b"nowchess-uci play: note: castling right K dropped" in result.stderr
    assert result.returncode == 0


def test_figures_are_shown_where_the_output_can_and_letters_where_it_cannot() -> None:
    assert "♜" in run_process("--two-players").stdout.decode()
    ascii_only = run_process("--two-players", PYTHONIOENCODING="ascii")
    assert b" r  n  b  q  k  b  n  r " in ascii_only.stdout
    assert b"\x1b" not in ascii_only.stdout


def test_lines_of_any_length_and_any_bytes_are_answered(tmp_path: Path) -> None:
    noise = bytes(range(256)).replace(b"\n", b"")
    lines = b"x" * 5_000_000 + b"\n" + noise + b"\ne4 " + b" " * 200_000 + b"\nsave " + b"y" * 70_000 + b"\n\x1b[2J\ne5"
    result = run_process("--two-players", "--ascii", lines=lines)
    out = result.stdout
    assert out.count(b"Invalid move format") == 3
    assert b"(File name too long).\n" in out
    assert b"\x1b" not in out
    assert b"\n1. e4 e5 *\n" in out
    assert len(out) < 50_000
    assert (result.returncode, result.stderr) == (0, b"")


def test_bytes_that_are_no_text_are_an_invalid_move() -> None:
    result = run_process("--two-players", lines=b"\xff\xfe\ne4\n")
    assert b"Invalid move format" in result.stdout
    assert b"Traceback" not in result.stderr
    assert result.returncode == 0


def start_process(*arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [*COMMAND, "--two-players", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def read_until(process: subprocess.Popen[bytes], text: bytes) -> None:
    assert process.stdout is not None
    seen = b""
    while text not in seen:
        byte = process.stdout.read(1)
        assert byte, seen
        seen += byte


@pytest.mark.skipif(os.name == "nt", reason="signals differ")
def test_ctrl_c_ends_politely_and_saves(tmp_path: Path) -> None:
    path = tmp_path / "game.pgn"
    process = start_process("--pgn", str(path))
    assert process.stdin is not None
    process.stdin.write(b"e4\n")
    process.stdin.flush()
    read_until(process, b"Black's turn. Enter move:")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert b"Game over. Goodbye!\n" in out
    assert (process.returncode, err) == (0, b"")
    assert path.read_text().endswith("1. e4 *\n\n")


@pytest.mark.skipif(os.name == "nt", reason="signals differ")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_an_order_to_end_saves_the_game(tmp_path: Path, number: signal.Signals) -> None:
    path = tmp_path / "game.pgn"
    process = start_process("--pgn", str(path))
    assert process.stdin is not None
    process.stdin.write(b"e4\n")
    process.stdin.flush()
    read_until(process, b"Black's turn. Enter move:")
    process.send_signal(number)
    out, err = process.communicate(timeout=30)
    assert b"Game over. Goodbye!\n" in out
    assert (process.returncode, err) == (128 + number, b"")
    assert path.read_text().endswith("1. e4 *\n\n")


@pytest.mark.skipif(os.name == "nt", reason="signals differ")
def test_an_order_to_end_prints_the_game_if_there_is_no_file() -> None:
    process = start_process()
    assert process.stdin is not None
    process.stdin.write(b"e4\n")
    process.stdin.flush()
    read_until(process, b"Black's turn. Enter move:")
    process.send_signal(signal.SIGTERM)
    out, _ = process.communicate(timeout=30)
    assert UNSAVED.encode() in out
    assert out.endswith(b"\n1. e4 *\n\nGame over. Goodbye!\n")


@pytest.mark.skipif(os.name == "nt", reason="pipes differ")
def test_a_reader_that_goes_away_does_not_cost_the_game(tmp_path: Path) -> None:
    path = tmp_path / "game.pgn"
    process = start_process("--pgn", str(path))
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"e4\n")
    process.stdin.flush()
    read_until(process, b"Black's turn. Enter move:")
    process.stdout.close()
    process.stdin.write(b"e5\n" + b"help\n" * 1000)
    process.stdin.close()
    deadline = time.monotonic() + 30
    while process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    assert process.returncode == 1
    assert process.stderr is not None
    assert process.stderr.read() == b""
    process.stderr.close()
    assert "\n1. e4 " in path.read_text()


@pytest.mark.skipif(os.name == "nt", reason="needs signals")
def test_an_interrupt_is_heard_while_the_engine_thinks_long() -> None:
    """After three seconds the search reports each root move; an interrupt was once lost inside such a report."""
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "nowchess_uci", "play", "--movetime", "20000"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert process.stdin is not None
    process.stdin.write("e4\n")
    process.stdin.flush()
    time.sleep(4.5)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=5)
    assert "Game over. Goodbye!" in output
    assert (process.returncode, errors) == (0, "")
