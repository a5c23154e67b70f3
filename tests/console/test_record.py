"""What becomes of the games of a session: files, and games that are left."""

import os
from pathlib import Path

import oracle
import pytest
from consoles import FIFTY, UNSAVED, Scripted, Terminal

from nowchess_uci.console.pgn_file import PgnFile
from nowchess_uci.pgn.read import read_pgn
from nowchess_uci.pgn.tree import PgnGame
from nowchess_uci.rules.position import Position

# Leaving a game that has not ended.


@pytest.mark.parametrize("lines", [("quit",), ("exit",), (), ("undo", "redo", "quit")])
def test_through_a_pipe_a_game_that_is_left_is_printed(terminal: Terminal, lines: tuple[str, ...]) -> None:
    out = terminal.play("e4", "e5", *lines)
    assert out.count(UNSAVED) == 1
    assert out.endswith("\n\n1. e4 e5 *\n\nGame over. Goodbye!\n")
    assert "Save this game" not in out


def test_new_prints_the_game_that_it_ends_and_keeps_it_in_the_file(terminal: Terminal, tmp_path: Path) -> None:
    out = terminal.play("e4", "new", "d4", "quit")
    assert out.count(UNSAVED) == 2
    assert "\n1. e4 *\n\nNew game.\n" in out
    path = tmp_path / "games.pgn"
    out = terminal.play("e4", "new", "new", "d4", options=("--pgn", str(path)))
    assert UNSAVED not in out
    assert [(game.result, len(game.moves())) for game in read_pgn(path)] == [("*", 1), ("*", 1)]


def test_what_is_saved_or_has_no_move_or_has_ended_is_left_without_ado(terminal: Terminal, tmp_path: Path) -> None:
    save = f"save {tmp_path / 'g.pgn'}"
    for lines in (("e4", save), ("e4", "undo"), ("e4", "resign"), ("e4", save, "flip", "quit")):
        assert UNSAVED not in terminal.play(*lines)
    assert UNSAVED in terminal.play("e4", save, "e5")


def test_a_game_is_in_the_file_as_soon_as_it_has_ended(terminal: Terminal, tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"

    class Looks(Scripted):
        def choose(self, position: Position) -> str:
            self.seen = [game.result for game in read_pgn(path)] if path.exists() else []
            return "e5"

    opponent = Looks()
    terminal.play("e4", "resign", "new", "e4", options=("--pgn", str(path)), opponent=opponent)
    assert opponent.seen == ["0-1"]


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
    terminal.play("f3", "e5", "g4", "Qh4", "new", "e4", options=("--pgn", str(path)))
    terminal.play("Kd2", "1", options=("--fen", FIFTY, "--pgn", str(path)))
    games = list(read_pgn(path))
    assert [game.result for game in games] == ["*", "0-1", "*", "1/2-1/2"]
    assert [len(game.moves()) for game in games] == [1, 4, 1, 1]
    assert [len(game.errors) for game in games] == [0] * 4
    assert games[3].tags["FEN"] == FIFTY


def test_save_adds_a_game_once_and_keeps_the_others(terminal: Terminal, tmp_path: Path) -> None:
    path = tmp_path / "my games.pgn"
    save = f"save {path}"
    out = terminal.play("f3", save, "e5", "g4", "Qh4", save, save, "new", "e4", save)
    assert out.count(f"Saved to {path}.\n") == 4
    assert [(game.result, len(game.moves())) for game in read_pgn(path)] == [("0-1", 4), ("*", 1)]


def test_a_file_is_the_same_however_it_is_called(
    terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "g.pgn"
    names = (str(path), "g.pgn", "./g.pgn", "~/g.pgn", '"g.pgn"')
    lines = [f"save {name}" for name in names]
    out = terminal.play("e4", *lines, "save", options=("--pgn", "~/g.pgn"))
    assert out.count("Saved to ") == len(lines) + 2
    assert [len(game.moves()) for game in read_pgn(path)] == [1]
    assert [found.name for found in tmp_path.iterdir()] == ["g.pgn"]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("~nobody-of-this-name/g.pgn", "No such file or directory"),
        ("/dev/full", "No space left on device"),
        (".", "Is a directory"),
        ("x" * 300, "File name too long"),
    ],
)
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs such a device")
def test_why_a_game_could_not_be_saved_is_said_and_the_game_goes_on(
    terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, reason: str
) -> None:
    monkeypatch.chdir(tmp_path)
    out = terminal.play("e4", f"save {name}", "e5", "pgn")
    assert f"The game could not be saved to '{name}' ({reason}).\nBlack's turn. Enter move: e5\n" in out
    assert "\n1. e4 e5 *\n" in out
    assert not [found for found in tmp_path.iterdir() if found.name.endswith(".part")]


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
    assert out.count(f"The game could not be saved to '{path}' (No such file or directory).") == 2
    assert "The game could not be saved to '\\x00' (embedded null byte).\n" in out
    assert ".part" not in out
    assert "\n1. e4 *\n" in out
    assert terminal.exit_code == 1


def test_who_does_not_want_to_wait_for_a_file_gets_the_game_all_the_same(
    terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(self: PgnFile, games: dict[int, PgnGame]) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(PgnFile, "save", interrupted)
    out = terminal.play("e4", options=("--pgn", str(tmp_path / "g.pgn")))
    assert "g.pgn' (interrupted). Here it is:\n" in out
    assert "\n1. e4 *\n" in out
    assert terminal.exit_code == 1
