"""The console at a real terminal: line editing, colours, a sign of thinking, questions before a game is left."""

import importlib.util
import os
import re
import select
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from shared.engine_process import ENGINE_COMMAND

from nowchess_uci.pgn import read_pgn

pty = pytest.importorskip("pty")  # not on every system

PROMPT = "Enter move: "
QUESTION = "Save this game to nowchess.pgn? (y)es, (n)o, (c)ontinue playing: "
UNSAVED = "The game was not saved; here it is:"
UP = "\x1b[A"
LEFT = "\x1b[D"


class Person:
    """Somebody who types and reads."""

    def __init__(self, folder: Path, *arguments: str, **environment: str) -> None:
        self.ours, theirs = pty.openpty()
        without = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS", "LINES")}
        self.process = subprocess.Popen(
            [*ENGINE_COMMAND, "play", *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=folder,
            env={**without, "TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8", **environment},
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
            start_new_session=True,
        )
        os.close(theirs)
        self.seen = ""

    def type(self, text: str) -> None:
        os.write(self.ours, text.encode())

    def read_until(self, text: str, seconds: float = 20) -> str:
        """What came up to this text, which is left out of what is read next."""
        end = time.monotonic() + seconds
        while text not in self.seen:
            assert time.monotonic() < end, self.seen
            if select.select([self.ours], [], [], 0.1)[0]:
                try:
                    self.seen += os.read(self.ours, 65536).decode(errors="replace")
                except OSError:  # the other end is closed
                    assert text in self.seen, self.seen
        found, _, self.seen = self.seen.partition(text)
        return found + text

    def play(self, *lines: str) -> str:
        """Type each line when a prompt is there; what came up to the next prompt."""
        said = self.read_until(PROMPT)
        for line in lines:
            self.type(f"{line}\n")
            said += self.read_until(PROMPT)
        return said

    def leave(self) -> tuple[str, int]:
        """What is said at the end, and the exit code."""
        said = self.read_until("Goodbye!")
        code = self.process.wait(20)
        while select.select([self.ours], [], [], 0.2)[0]:
            try:
                self.seen += os.read(self.ours, 65536).decode(errors="replace")
            except OSError:
                break
        return said + self.seen, code

    def interrupt(self) -> None:
        time.sleep(0.2)  # the prompt is there a moment before somebody listens
        self.process.send_signal(signal.SIGINT)


@pytest.fixture
def people() -> Iterator[list[Person]]:
    made: list[Person] = []
    yield made
    for person in made:
        person.process.kill()
        person.process.wait()
        os.close(person.ours)


@pytest.fixture
def person(people: list[Person], tmp_path: Path) -> Person:
    people.append(Person(tmp_path, "--two-players", "--ascii"))
    return people[0]


# What is shown.


@pytest.mark.parametrize(
    ("environment", "options", "has_colors", "white", "black"),
    [
        ({}, (), True, "38;5;231;1m \N{BLACK CHESS PAWN} ", "38;5;16m \N{BLACK CHESS PAWN} "),
        ({"NO_COLOR": "1"}, (), False, " \N{WHITE CHESS PAWN} ", " \N{BLACK CHESS PAWN} "),
        ({"TERM": "dumb"}, (), False, "  2  P  P", "  7  p  p"),
        ({"NO_COLOR": "1"}, ("--ascii",), False, "  2  P  P", "  7  p  p"),
    ],
)
def test_colours_are_for_terminals_that_have_them_and_the_sides_differ_on_all(
    people: list[Person],
    tmp_path: Path,
    environment: dict[str, str],
    options: tuple[str, ...],
    has_colors: bool,
    white: str,
    black: str,
) -> None:
    person = Person(tmp_path, *options, **environment)
    people.append(person)
    said = person.play("hint")
    person.type("quit\n")
    rest, code = person.leave()
    assert ("\x1b" in said + rest) == has_colors
    assert white in said
    assert black in said
    assert rest.count("quit") == 1  # echoed by the terminal only
    assert code == 0


def test_a_sign_of_thinking_comes_and_goes(people: list[Person], tmp_path: Path) -> None:
    person = Person(tmp_path, "--ascii", "--movetime", "300", NO_COLOR="1")
    people.append(person)
    said = person.play("e4")
    assert re.search(r"Black is thinking\.\.\.\r {20,}\rBlack plays \S+\r\n", said)
    assert "\x1b" not in said


def test_there_is_no_sign_of_thinking_through_a_pipe(tmp_path: Path) -> None:
    command = [*ENGINE_COMMAND, "play", "--movetime", "10"]
    result = subprocess.run(command, input="e4\ne5\n", capture_output=True, text=True, timeout=60, check=True)
    assert "Black plays" in result.stdout
    assert "thinking" not in result.stdout
    assert "\r" not in result.stdout


# Line editing.


@pytest.mark.skipif(importlib.util.find_spec("readline") is None, reason="this Python has no line editing")
def test_lines_can_be_edited_and_come_back(person: Person) -> None:
    person.play(f"e3{LEFT}\x1b[3~4")  # the 3 deleted, a 4 instead
    person.type("e5\nundo\n")
    person.read_until(PROMPT)
    person.read_until(PROMPT)
    person.type(f"{UP}{UP}\n")  # the line before the last
    person.read_until(PROMPT)
    person.type("pgn\n")
    assert "\n1. e4 e5 *\r\n" in person.read_until(PROMPT)


# Leaving.


def test_quit_asks_what_to_do_with_the_game_and_obeys(person: Person, tmp_path: Path) -> None:
    person.play("e4")
    person.type("quit\n")
    person.read_until(QUESTION)
    person.type("what?\n")
    person.read_until(QUESTION)
    person.type("c\n")
    person.read_until("Black's turn. Enter move: ")
    person.type("exit\n")
    person.read_until(QUESTION)
    person.type("y\n")
    said, code = person.leave()
    assert "Saved to nowchess.pgn." in said
    assert UNSAVED not in said
    assert code == 0
    assert [len(game.moves()) for game in read_pgn(tmp_path / "nowchess.pgn")] == [1]


def test_the_answer_may_be_another_file_or_no(person: Person, tmp_path: Path) -> None:
    person.play("e4")
    person.type("new\n")
    person.read_until(QUESTION)
    person.type("none/a.pgn\n")
    person.read_until("The game could not be saved to 'none/a.pgn' (No such file or directory).")
    person.read_until(QUESTION)
    person.type("a.pgn\n")
    person.read_until("Saved to a.pgn.")
    person.play("d4")
    person.type("quit\n")
    person.read_until(QUESTION)
    person.type("no\n")
    said, _ = person.leave()
    assert UNSAVED not in said
    assert [found.name for found in tmp_path.iterdir()] == ["a.pgn"]
    assert [len(game.moves()) for game in read_pgn(tmp_path / "a.pgn")] == [1]


@pytest.mark.parametrize("way", ["ctrl-c", "ctrl-d"])
def test_ctrl_c_and_ctrl_d_ask_and_do_not_ask_twice(person: Person, way: str) -> None:
    def press() -> None:
        if way == "ctrl-c":
            person.interrupt()
        else:
            person.type("\x04")

    person.play("e4")
    press()
    person.read_until(QUESTION)
    person.type("\n")
    person.read_until("Black's turn. Enter move: ")
    press()
    person.read_until(QUESTION)
    press()
    said, code = person.leave()
    assert UNSAVED in said
    assert "\n1. e4 *\r\n" in said
    assert "Traceback" not in said
    assert code == 0


def test_with_a_file_nothing_is_asked(people: list[Person], tmp_path: Path) -> None:
    for number, way in enumerate(("quit\n", "\x04", "ctrl-c")):
        person = Person(tmp_path, "--two-players", "--pgn", "g.pgn")
        people.append(person)
        person.play("e4", "new", "d4")
        if way == "ctrl-c":
            person.interrupt()
        else:
            time.sleep(0.2)
            person.type(way)
        said, code = person.leave()
        assert "Save this game" not in said
        assert "Saved to g.pgn." in said
        assert code == 0
        assert len(list(read_pgn(tmp_path / "g.pgn"))) == 2 * (number + 1)


def test_ctrl_c_while_the_engine_thinks_asks_and_the_game_may_go_on(people: list[Person], tmp_path: Path) -> None:
    person = Person(tmp_path, "--movetime", "2000")
    people.append(person)
    person.read_until(PROMPT)
    person.type("e4\n")
    person.read_until("Black is thinking...")
    person.interrupt()
    person.read_until(QUESTION)
    person.type("c\n")
    person.read_until("Black plays")
    person.read_until(PROMPT)
    person.type("quit\n")
    person.read_until(QUESTION)
    person.type("n\n")
    assert person.leave()[1] == 0


def test_a_window_that_is_closed_does_not_cost_the_game(people: list[Person], tmp_path: Path) -> None:
    person = Person(tmp_path, "--two-players", "--pgn", "g.pgn")
    people.append(person)
    person.play("e4", "e5")
    os.close(person.ours)
    person.ours = os.open(os.devnull, os.O_RDONLY)
    person.process.send_signal(signal.SIGHUP)
    person.process.wait(20)
    assert [len(game.moves()) for game in read_pgn(tmp_path / "g.pgn")] == [2]


def test_ctrl_c_in_the_middle_of_a_promotion_asks_and_goes_back_to_it(people: list[Person], tmp_path: Path) -> None:
    person = Person(tmp_path, "--two-players", "--ascii", "--fen", "7k/4P3/8/8/8/8/P7/4K3 w - - 0 1")
    people.append(person)
    person.play("Kf1", "Kg7")
    person.type("e8\n")
    person.read_until("Promote to: (q/r/b/n)? ")
    person.interrupt()
    person.read_until(QUESTION)
    person.type("c\n")
    person.read_until("Promote to: (q/r/b/n)? ")
    person.type("knight\n")
    person.read_until("Black is in check!")
    person.read_until(PROMPT)
    person.type("fen\n")
    assert "4N3/6k1/8/8/8/8/P7/5K2 b" in person.read_until(PROMPT)
