"""The console as its user meets it: lines in, text out, files at the end."""

import argparse
import io
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
from shared.engine_process import ENGINE_COMMAND

from nowchess_uci.cli import build_parser
from nowchess_uci.console import play
from nowchess_uci.game.game import Game
from nowchess_uci.pgn.read import read_pgn
from nowchess_uci.rules import draws, movegen
from nowchess_uci.rules.move import render_move
from nowchess_uci.rules.position import Position

COMMAND = [*ENGINE_COMMAND, "play"]
FIFTY = "4k2r/8/8/8/8/8/P7/R3K3 w - - 99 120"


def run_process(*arguments: str, lines: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*COMMAND, *arguments],
        input=lines,
        capture_output=True,
        timeout=60,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **environment},
    )


class Terminal:
    """Runs the console in this process with scripted input."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.monkeypatch = monkeypatch
        self.capsys = capsys
        self.exit_code = -1

    def play(self, *lines: str, options: tuple[str, ...] = (), opponent: play.Opponent | None = None) -> str:
        arguments: argparse.Namespace = build_parser().parse_args(["play", "--ascii", *options])
        arguments.two_players = arguments.two_players or opponent is None
        self.monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        self.exit_code = play.run(arguments, opponent or scripted())
        return self.capsys.readouterr().out


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Terminal:
    return Terminal(monkeypatch, capsys)


def scripted(*moves: str) -> play.Opponent:
    """An opponent that plays these moves, whatever the position."""
    left = list(moves)
    return lambda position: left.pop(0)


# Messages.


def test_a_session_begins_with_the_board_and_the_prompt_and_ends_politely(terminal: Terminal) -> None:
    lines = terminal.play("quit").splitlines()
    assert lines[2] == "  8  r  n  b  q  k  b  n  r  8"
    assert lines[-2:] == ["White's turn. Enter move: quit", "Game over. Goodbye!"]
    assert terminal.exit_code == 0


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("xyz", "Invalid move format 'xyz'. Use coordinate notation, e.g. e2e4."),
        ("e3e4", "No piece on e3."),
        ("e7e5", "That is not your piece."),
        ("e2e5", "Illegal move."),
        ("draw", "Draw cannot be claimed: the 50-move rule has not been triggered."),
        ("undo", "Nothing to undo."),
        ("redo", "Nothing to redo."),
        ("save", "Which file? For example: save game.pgn"),
        ("fen", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        ("DRAW", "Draw cannot be claimed: the 50-move rule has not been triggered."),
        ("FEN", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    ],
)
def test_one_line_answers(terminal: Terminal, line: str, message: str) -> None:
    lines = terminal.play(line).splitlines()
    place = lines.index(f"White's turn. Enter move: {line}")
    assert lines[place + 1 : place + 3] == [message, "White's turn. Enter move: "]


def test_captures_check_and_mate_are_told(terminal: Terminal) -> None:
    out = terminal.play("e4", "d5", "exd5", "Qxd5", "Nc3", "Qe5+", "Be2", "quit")
    assert "White captures Black Pawn on d5\n" in out
    assert "Black captures White Pawn on d5\n" in out
    assert "White is in check!\n" in out
    assert "!K!" in out
    out = terminal.play("f3", "e5", "g4", "Qh4", "quit")
    assert "Checkmate! Black wins.\nNew game.\n" in out
    assert "White is in check!" not in out


def test_stalemate_and_automatic_draws_are_told(terminal: Terminal) -> None:
    out = terminal.play("Qf7", options=("--fen", "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1"))
    assert "Stalemate! The game is a draw.\n" in out
    out = terminal.play("Kxe2", options=("--fen", "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"))
    assert "White captures Black Rook on e2\n" in out
    assert "Draw by dead position.\n" in out


def test_help_lists_the_commands(terminal: Terminal) -> None:
    out = terminal.play("help")
    for command in ("draw", "undo", "redo", "flip", "fen", "pgn", "save FILE", "hint", "help", "quit"):
        assert f"{command} " in out or f"{command}," in out


def test_undo_redo_and_flip_show_the_board_again(terminal: Terminal) -> None:
    out = terminal.play("e4", "undo", "redo", "flip")
    assert out.count("[P]") == 3
    assert out.count("     h  g  f  e  d  c  b  a\n") == 2


# Promotion.


def test_a_promotion_is_asked_for_until_the_answer_is_a_piece(terminal: Terminal) -> None:
    out = terminal.play("e7d8", "x", "", "N", "fen", options=("--fen", "3b3k/4P3/8/8/8/8/P7/4K3 w - - 0 1"))
    assert out.count("Promote to: (q/r/b/n)?") == 3
    assert out.count("Invalid piece. Choose (q/r/b/n).\n") == 2
    assert "White captures Black Bishop on d8\n" in out
    assert "3N3k/8/8/8/8/8/P7/4K3 b - - 0 1\n" in out


def test_until_the_choice_the_pawn_stands_on_its_square(terminal: Terminal) -> None:
    out = terminal.play("e8", "undo", "fen", options=("--fen", "7k/4P3/8/8/8/8/P7/4K3 w - - 0 1"))
    assert "7k/4P3/8/8/8/8/P7/4K3 w - - 0 1\n" in out


@pytest.mark.parametrize("lines", [("e8",), ("e8", "quit")])
def test_leaving_in_the_middle_of_a_promotion_plays_nothing(
    terminal: Terminal, tmp_path: Path, lines: tuple[str, ...]
) -> None:
    path = tmp_path / "game.pgn"
    terminal.play("Kf1", "Kg7", *lines, options=("--fen", "7k/4P3/8/8/8/8/P7/4K3 w - - 0 1", "--pgn", str(path)))
    assert terminal.exit_code == 0
    assert path.read_text().endswith("1. Kf1 Kg7 *\n\n")


# The 50-move rule.

MENU = "[50-move rule] Black may claim a draw, or continue playing.\n 1. Claim draw\n 2. Continue\n"


def test_the_menu_opens_at_a_hundred_half_moves_and_claims(terminal: Terminal) -> None:
    out = terminal.play("Kd2", "1", "quit", options=("--fen", FIFTY))
    assert f"{MENU}> 1\nDraw claimed by 50-move rule.\nNew game.\n" in out
    assert out.count("[50-move rule]") == 1


@pytest.mark.parametrize("answer", ["2", ""])
def test_the_menu_is_declined_once_for_each_turn(terminal: Terminal, answer: str) -> None:
    out = terminal.play("Kd2", answer, "xyz", "Kd8", "2", "Kd3", options=("--fen", FIFTY))
    assert f"> {answer}\nBlack's turn. Enter move: xyz\n" in out
    assert out.count("[50-move rule] Black") == 2
    assert out.count("[50-move rule] White") == 1


def test_a_move_typed_at_the_menu_is_played(terminal: Terminal) -> None:
    out = terminal.play("Kd2", "Kd8", "2", "fen", options=("--fen", FIFTY))
    assert "3k3r/8/8/8/8/8/P2K4/R7 w - - 101 121\n" in out


def test_there_is_no_menu_below_a_hundred_half_moves(terminal: Terminal) -> None:
    assert "50-move rule" not in terminal.play("quit", options=("--fen", FIFTY))


def test_a_claim_with_an_intended_move_and_by_repetition(terminal: Terminal) -> None:
    assert "Draw claimed by 50-move rule.\n" in terminal.play("draw Kd2", options=("--fen", FIFTY))
    out = terminal.play(*("Nf3", "Nf6", "Ng1", "Ng8") * 2, "draw")
    assert "[Threefold repetition] White may claim a draw by typing draw.\n" in out
    assert "Draw claimed by threefold repetition.\n" in out


# Files.


def test_two_players_save_a_game_that_python_chess_reads_to_the_same_position(
    terminal: Terminal, tmp_path: Path
) -> None:
    path = tmp_path / "game.pgn"
    moves = ("e4", "c5", "e5", "d5", "exd6", "c4", "dxe7", "c3", "exf8", "n", "cxb2", "Nxh7", "bxa1=Q", "fen")
    out = terminal.play(*moves, options=("--pgn", str(path)))
    fen = out.split("Enter move: fen\n")[1].splitlines()[0]
    assert fen == "rnbqk1nr/pp3ppN/8/8/8/8/P1PP1PPP/qNBQKBNR w Kkq - 0 7"
    with path.open(encoding="utf-8") as file:
        (game,) = oracle.read_pgn(file)
    assert game.errors == []
    assert oracle.end_of(game) == fen
    assert game.headers["Result"] == "*"
    assert f"Saved to {path}.\n" in out


def test_a_session_without_a_move_leaves_no_file(terminal: Terminal, tmp_path: Path) -> None:
    path = tmp_path / "game.pgn"
    terminal.play("help", options=("--pgn", str(path)))
    assert not path.exists()


def test_finished_games_and_the_one_going_on_are_saved_behind_what_was_there(
    terminal: Terminal, tmp_path: Path
) -> None:
    path = tmp_path / "games.pgn"
    path.write_text("1. d4 *")
    terminal.play("f3", "e5", "g4", "Qh4", "e4", options=("--pgn", str(path)))
    terminal.play("Kd2", "1", options=("--fen", FIFTY, "--pgn", str(path)))
    games = list(read_pgn(path))
    assert [game.result for game in games] == ["*", "0-1", "*", "1/2-1/2"]
    assert [len(game.moves()) for game in games] == [1, 4, 1, 1]
    assert [len(game.errors) for game in games] == [0] * 4
    assert games[3].tags["FEN"] == FIFTY


def test_save_adds_a_game_once_and_keeps_the_others(terminal: Terminal, tmp_path: Path) -> None:
    path = tmp_path / "my games.pgn"
    save = f"save {path}"
    out = terminal.play("f3", save, "e5", "g4", "Qh4", save, save, "e4", save)
    assert out.count(f"Saved to {path}.\n") == 4
    assert [(game.result, len(game.moves())) for game in read_pgn(path)] == [("0-1", 4), ("*", 1)]


def test_save_into_the_file_of_the_session_repeats_nothing(terminal: Terminal, tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    terminal.play("e4", f"save {path}", "e5", options=("--pgn", str(path)))
    assert [len(game.moves()) for game in read_pgn(path)] == [2]


def test_pgn_prints_the_game_and_after_its_end_the_one_ended(terminal: Terminal) -> None:
    out = terminal.play("f3", "pgn", "e5", "g4", "Qh4", "pgn")
    assert "\n1. f3 *\n" in out
    assert "\n1. f3 e5 2. g4 Qh4# 0-1\n" in out


def test_a_file_that_cannot_be_written_loses_no_game(terminal: Terminal, tmp_path: Path) -> None:
    path = tmp_path / "none" / "game.pgn"
    out = terminal.play("e4", f"save {path}", "save \0", options=("--pgn", str(path)))
    assert out.count("The game could not be saved (") == 3
    assert "\n1. e4 *\n" in out
    assert terminal.exit_code == 1


# Against an opponent.


def test_a_game_against_an_opponent(terminal: Terminal) -> None:
    out = terminal.play("f3", "g4", opponent=scripted("e7e5", "Qh4"))
    assert "Black plays e5\n" in out
    assert "Black plays Qh4#\n" in out
    assert "Checkmate! Black wins.\n" in out
    assert "Black's turn" not in out


def test_the_other_side_sees_the_board_from_black(terminal: Terminal, tmp_path: Path) -> None:
    path = tmp_path / "game.pgn"
    out = terminal.play("e5", options=("--side", "black", "--pgn", str(path)), opponent=scripted("e4", "Nf3"))
    assert out.index("White plays e4") < out.index("Black's turn. Enter move: e5") < out.index("White plays Nf3")
    assert out.splitlines()[1] == "     h  g  f  e  d  c  b  a"
    (game,) = read_pgn(path)
    assert (game.tags["White"], game.tags["Black"]) == ("NowChess UCI", "Human")


@pytest.mark.parametrize("is_first", [False, True])
def test_a_random_side(terminal: Terminal, monkeypatch: pytest.MonkeyPatch, is_first: bool) -> None:
    monkeypatch.setattr(random, "choice", lambda sides: sides[not is_first])
    out = terminal.play(options=("--side", "random"), opponent=scripted("e4"))
    assert ("White's turn" in out) == is_first
    assert ("Black's turn" in out) != is_first


def test_undo_and_redo_go_back_to_the_same_players_turn(terminal: Terminal) -> None:
    out = terminal.play("e4", "d4", "undo", "fen", "redo", "fen", "redo", opponent=scripted("e5", "exd4"))
    assert "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n" in out
    assert "rnbqkbnr/pppp1ppp/8/8/3pP3/8/PPP2PPP/RNBQKBNR w KQkq - 0 3\n" in out
    assert "Nothing to redo.\n" in out


def test_black_cannot_take_back_the_opponents_first_move(terminal: Terminal) -> None:
    assert "Nothing to undo.\n" in terminal.play("undo", options=("--side", "black"), opponent=scripted("e4"))


def test_a_hint_is_what_the_opponent_would_play_and_plays_nothing(terminal: Terminal) -> None:
    out = terminal.play("hint", "fen", opponent=scripted("g1f3"))
    assert "Hint: Nf3\n" in out
    assert "RNBQKBNR w KQkq - 0 1\n" in out


def test_two_players_get_hints_too_if_there_is_an_engine(terminal: Terminal) -> None:
    out = terminal.play("e4", "hint", "e5", options=("--two-players",), opponent=scripted("c7c5"))
    assert "Black's turn. Enter move: hint\nHint: c5\nBlack's turn. Enter move: e5\n" in out


def test_an_opponent_may_play_on_the_position_it_is_given(terminal: Terminal) -> None:
    def thinks(position: Position) -> str:
        move = movegen.legal_moves(position)[0]
        movegen.play(position, move)
        return render_move(move)

    out = terminal.play("e4", "fen", opponent=thinks)
    assert " w KQkq - " in out


def test_an_opponent_that_plays_no_chess_ends_the_session_and_loses_no_game(terminal: Terminal, tmp_path: Path) -> None:
    path = tmp_path / "game.pgn"
    out = terminal.play("e4", options=("--pgn", str(path)), opponent=scripted("e2e4"))
    assert "The engine gave no legal move: 'e2e4' is not a legal move here.\n" in out
    assert terminal.exit_code == 1
    assert path.read_text().endswith("1. e4 *\n\n")


# As a process.

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


@pytest.mark.parametrize("options", [("--movetime", "20"), ("--elo", "1000"), ("--elo", "2800", "--movetime", "20")])
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


def test_bytes_that_are_no_text_are_an_invalid_move() -> None:
    result = run_process("--two-players", lines=b"\xff\xfe\ne4\n")
    assert b"Invalid move format" in result.stdout
    assert b"Traceback" not in result.stderr
    assert result.returncode == 0


@pytest.mark.skipif(os.name == "nt", reason="terminals differ")
@pytest.mark.parametrize(("environment", "has_colors"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_colours_are_for_terminals(environment: dict[str, str], has_colors: bool) -> None:
    import pty

    ours, theirs = pty.openpty()
    without = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    with subprocess.Popen(
        [*COMMAND, "--two-players"], stdin=theirs, stdout=theirs, stderr=theirs, env={**without, **environment}
    ) as process:
        os.close(theirs)
        os.write(ours, b"quit\n")
        seen = b""
        while b"Goodbye!" not in seen:
            seen += os.read(ours, 4096)
    os.close(ours)
    assert (b"\x1b[" in seen) == has_colors
    assert seen.count(b"quit") == 1  # echoed by the terminal only
    assert process.returncode == 0


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
