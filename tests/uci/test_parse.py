"""UCI lines to values."""

import pytest

from nowchess_uci.search.limits import Limits
from nowchess_uci.uci.parse import (
    CommandError,
    GoCommand,
    PositionCommand,
    SetOptionCommand,
    parse_go,
    parse_line,
    parse_number,
    parse_position,
    parse_set_option,
)


@pytest.mark.parametrize(
    ("line", "word", "rest"),
    [
        ("uci", "uci", ""),
        ("  isready \r\n", "isready", ""),
        ("go\tdepth 3", "go", "depth 3"),
        ("position   startpos", "position", "startpos"),
        ("", "", ""),
        (" \t\r\n", "", ""),
        ("\ufeffuci", "uci", ""),
    ],
)
def test_a_line_is_a_word_and_a_rest(line: str, word: str, rest: str) -> None:
    assert parse_line(line) == (word, rest)


@pytest.mark.parametrize(
    ("rest", "command"),
    [
        ("startpos", PositionCommand(None, [])),
        ("startpos moves e2e4 e7e5", PositionCommand(None, ["e2e4", "e7e5"])),
        ("startpos moves", PositionCommand(None, [])),
        ("fen 8/8/8/8/8/8/8/8 w - - 0 1", PositionCommand("8/8/8/8/8/8/8/8 w - - 0 1", [])),
        ("fen 8/8 w - - moves a2a3", PositionCommand("8/8 w - -", ["a2a3"])),
        ("fen", PositionCommand("", [])),
    ],
)
def test_position(rest: str, command: PositionCommand) -> None:
    assert parse_position(rest) == command


@pytest.mark.parametrize(
    ("rest", "message"),
    [
        ("", "'startpos' or 'fen' expected"),
        ("nonsense", "'startpos' or 'fen' expected, not 'nonsense'"),
        ("moves e2e4", "'startpos' or 'fen' expected, not 'moves'"),
        ("startposmoves d2d4", "'startpos' or 'fen' expected, not 'startposmoves'"),
        ("startpos move e7e5", "'moves' expected after 'startpos', not 'move'"),
        ("startpos d2d4", "'moves' expected after 'startpos', not 'd2d4'"),
        ("startpos MOVES d2d4", "'moves' expected after 'startpos', not 'MOVES'"),
    ],
)
def test_what_is_no_position_is_named(rest: str, message: str) -> None:
    with pytest.raises(CommandError) as found:
        parse_position(rest)
    assert str(found.value) == message


@pytest.mark.parametrize(
    ("rest", "command"),
    [
        ("", GoCommand(Limits())),
        ("infinite", GoCommand(Limits(infinite=True))),
        ("ponder wtime 1 btime 2", GoCommand(Limits(white_time_ms=1, black_time_ms=2, ponder=True))),
        (
            "binc 3 winc 4 movestogo 5",
            GoCommand(Limits(black_increment_ms=3, white_increment_ms=4, moves_to_go=5)),
        ),
        ("wtime -50", GoCommand(Limits(white_time_ms=-50))),
        ("movestogo 0", GoCommand(Limits())),
        ("depth", GoCommand(Limits(), problems=("depth takes a whole number",))),
        ("depth -3 mate 0 nodes 0", GoCommand(Limits(depth=1, mate=1, nodes=1))),
        ("depth x nodes 7", GoCommand(Limits(nodes=7), problems=("depth takes a whole number, not 'x'",))),
        ("movetime 50ms", GoCommand(Limits(), problems=("movetime takes a whole number, not '50ms'",))),
        ("wtime infinite", GoCommand(Limits(infinite=True), problems=("wtime takes a whole number",))),
        ("perft", GoCommand(Limits(), problems=("perft takes a whole number",))),
        (
            "dance depth 4 sing",
            GoCommand(Limits(depth=4), problems=("unknown word 'dance'", "unknown word 'sing'")),
        ),
        ("searchmoves e2e4 d2d4 depth 3", GoCommand(Limits(depth=3, search_moves=("e2e4", "d2d4")))),
        ("depth 3 searchmoves e2e4 infinite", GoCommand(Limits(depth=3, infinite=True, search_moves=("e2e4",)))),
        ("searchmoves", GoCommand(Limits(), problems=("searchmoves names no moves",))),
        ("perft 3", GoCommand(Limits(), 3)),
        ("nodes 99999999999999999999999", GoCommand(Limits(nodes=1 << 62))),
    ],
)
def test_go(rest: str, command: GoCommand) -> None:
    assert parse_go(rest) == command


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        ("-7", -7),
        ("+7", 7),
        ("", None),
        ("-", None),
        ("1.5", None),
        ("--3", None),
        ("\u0663", None),
        ("x", None),
    ],
)
def test_numbers(text: str, number: int | None) -> None:
    assert parse_number(text) == number


@pytest.mark.parametrize(
    ("rest", "command"),
    [
        ("name Hash value 64", SetOptionCommand("Hash", "64")),
        ("name Clear Hash", SetOptionCommand("Clear Hash", "")),
        ("name Move  Overhead value 30", SetOptionCommand("Move Overhead", "30")),
        ("name Debug Log File value /a b/c.txt", SetOptionCommand("Debug Log File", "/a b/c.txt")),
        ("name Debug Log File value", SetOptionCommand("Debug Log File", "")),
    ],
)
def test_set_option(rest: str, command: SetOptionCommand) -> None:
    assert parse_set_option(rest) == command


@pytest.mark.parametrize("rest", ["", "name", "value 3", "Hash value 8", "name value", "NAME Hash value 8"])
def test_an_option_without_a_name_is_refused(rest: str) -> None:
    with pytest.raises(CommandError, match="'name NAME value VALUE' expected"):
        parse_set_option(rest)


@pytest.mark.parametrize(
    ("line", "word", "rest"),
    [
        ("joho debug on", "debug", "on"),
        ("god go depth 1", "go", "depth 1"),
        ("please  setoption name A  B", "setoption", "name A  B"),
        ("nothing known here", "nothing", "known here"),
        ("x " * 60 + "go", "x", ("x " * 59 + "go")),
    ],
)
def test_words_before_a_command_are_skipped(line: str, word: str, rest: str) -> None:
    assert parse_line(line, ("go", "debug", "setoption")) == (word, rest)


def test_what_go_does_not_understand_is_named_up_to_five_times() -> None:
    assert parse_go("a b c d e").problems == tuple(f"unknown word {letter!a}" for letter in "abcde")
    assert parse_go("a b c d e f depth x").problems[5:] == ("2 more words were not understood",)
