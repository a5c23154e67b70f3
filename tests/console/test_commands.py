"""One table of commands, from which everything else is made."""

import pytest

from nowchess_uci.console.commands import BY_WORD, COMMANDS, find_command, nearest_command, render_help
from nowchess_uci.game.process import DRAW_WORD, QUIT_WORDS
from nowchess_uci.rules.board import Board


def test_help_has_a_line_for_each_command() -> None:
    first, *rows = render_help().splitlines()
    assert first == "Moves: e2e4, e7e8q, Nf3, O-O. Commands:"
    assert len(rows) == len(COMMANDS)
    assert rows[1] == "  draw MOVE   claim a draw with the move you are about to play"
    assert len({row.index(command.help) for row, command in zip(rows, COMMANDS, strict=True)}) == 1


def test_the_words_of_the_game_are_commands_in_any_letter_case() -> None:
    assert {DRAW_WORD, *QUIT_WORDS} <= set(BY_WORD)
    assert all(word == word.lower() for word in BY_WORD)
    assert find_command("ReSIGN") is find_command("resign") is not None
    assert find_command("exit") is find_command("q") is find_command("quit") is not None


def test_no_command_can_be_mistaken_for_a_move() -> None:
    board = Board()
    assert not [word for word in BY_WORD if board.is_legal(word)]


@pytest.mark.parametrize(
    ("typed", "near"),
    [("hlep", "help"), ("Resing now", "resign"), ("quti", "quit"), ("e2e5", ""), ("xyz", ""), ("", ""), ("x" * 99, "")],
)
def test_a_misspelt_command_is_recognised(typed: str, near: str) -> None:
    assert nearest_command(typed) == near
