"""UCI lines to values."""

import pytest

from nowchess_uci.uci.parse import (
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
        ("", None),
        ("nonsense", None),
        ("moves e2e4", None),
    ],
)
def test_position(rest: str, command: PositionCommand | None) -> None:
    assert parse_position(rest) == command


@pytest.mark.parametrize(
    ("rest", "command"),
    [
        ("", GoCommand({}, False, False, [])),
        ("infinite", GoCommand({}, True, False, [])),
        ("ponder wtime 1 btime 2", GoCommand({"wtime": 1, "btime": 2}, False, True, [])),
        ("binc 3 winc 4 movestogo 5", GoCommand({"binc": 3, "winc": 4, "movestogo": 5}, False, False, [])),
        ("wtime -50", GoCommand({"wtime": -50}, False, False, [])),
        ("depth", GoCommand({}, False, False, [])),
        ("depth x nodes 7", GoCommand({"nodes": 7}, False, False, [])),
        ("dance depth 4 sing", GoCommand({"depth": 4}, False, False, [])),
        ("searchmoves e2e4 d2d4 depth 3", GoCommand({"depth": 3}, False, False, ["e2e4", "d2d4"])),
        ("depth 3 searchmoves e2e4 infinite", GoCommand({"depth": 3}, True, False, ["e2e4"])),
        ("searchmoves", GoCommand({}, False, False, [])),
        ("nodes 99999999999999999999999", GoCommand({"nodes": 1 << 62}, False, False, [])),
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
        ("value 3", None),
        ("", None),
    ],
)
def test_set_option(rest: str, command: SetOptionCommand | None) -> None:
    assert parse_set_option(rest) == command
