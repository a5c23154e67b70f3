"""One table of commands, from which everything else is made."""

from nowchess_uci.console.commands import ACTIONS, COMMANDS, GAME_WORDS, render_help
from nowchess_uci.game.process import DRAW_WORD, QUIT_WORDS


def test_help_has_a_line_for_each_command() -> None:
    first, *rows = render_help().splitlines()
    assert first == "Moves: e2e4, e7e8q, Nf3, O-O. Commands:"
    assert len(rows) == len(COMMANDS)
    assert rows[1] == "  draw MOVE   claim a draw with the move you intend to play"
    assert len({row.index(command.help) for row, command in zip(rows, COMMANDS, strict=True)}) == 1


def test_what_the_table_leaves_to_the_game_is_what_the_game_understands() -> None:
    assert {DRAW_WORD, *QUIT_WORDS} == GAME_WORDS
    assert not GAME_WORDS & set(ACTIONS)
    assert all(command.name.islower() for command in COMMANDS)
