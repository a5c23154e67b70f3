"""What a player may type besides moves: one table, from which `help` and the README's list are made.

A new command is a function and a row here.
"""

from __future__ import annotations

import difflib
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nowchess_uci.pgn.write import render_pgn

if TYPE_CHECKING:
    from nowchess_uci.console.session import Console

Action = Callable[["Console", str], None]
"""Does what a command says; takes what was typed after its name."""

WIDTH = 79


@dataclass(frozen=True, slots=True)
class Command:
    """One row of the list."""

    name: str
    help: str
    action: Action
    arguments: str = ""
    aliases: tuple[str, ...] = ()
    needs_game: bool = False
    """True if it means nothing once the game is over."""

    @property
    def usage(self) -> str:
        """What to type."""
        return f"{self.name} {self.arguments}".strip()


def draw(console: Console, move: str) -> None:
    """Claim a draw, or offer one."""
    console.draw(move)


def resign(console: Console, _: str) -> None:
    """Give the game up."""
    console.engine.resign()


def undo(console: Console, _: str) -> None:
    """Take back the last move, and the opponent's before it."""
    console.undo()


def redo(console: Console, _: str) -> None:
    """Make again what `undo` took back."""
    console.redo()


def new(console: Console, _: str) -> None:
    """Begin another game."""
    console.start_game()


def show_board(console: Console, _: str) -> None:
    """Show the board again."""
    console.board_changed = True


def flip(console: Console, _: str) -> None:
    """Turn the board round."""
    console.flipped = not console.flipped
    console.board_changed = True


def print_moves(console: Console, _: str) -> None:
    """List the legal moves."""
    board = console.game.board
    print(textwrap.fill(" ".join(sorted(map(board.san, board.legal_moves()))), WIDTH))


def print_fen(console: Console, _: str) -> None:
    """Print the position."""
    print(console.game.board.fen())


def print_pgn(console: Console, _: str) -> None:
    """Print the game."""
    print(render_pgn(console.record.current(console.game)[1]), end="")


def save(console: Console, name: str) -> None:
    """Add the game to a file."""
    name = name.strip("\"'") or console.record.pgn_name
    if not name:
        print("Which file? For example: save game.pgn")
    elif not console.game.history.moves:
        print("There is no move to save yet.")
    else:
        console.record.save(name, console.game)


def hint(console: Console, _: str) -> None:
    """Show the move that the engine would play here."""
    print(f"Hint: {console.ask_move()}")


def print_help(console: Console, _: str) -> None:
    """Print the list of commands."""
    print(render_help())


def leave(console: Console, _: str) -> None:
    """End the session."""
    console.quit()


COMMANDS = (
    Command("draw", "claim a draw (50-move rule, threefold repetition), or offer one", draw, needs_game=True),
    Command("draw", "claim a draw with the move you are about to play", draw, arguments="MOVE", needs_game=True),
    Command("resign", "resign the game", resign, needs_game=True),
    Command("undo", "take back a move, even after the game has ended", undo),
    Command("redo", "replay a move that was taken back", redo),
    Command("new", "start a new game", new),
    Command("moves", "list the legal moves", print_moves, needs_game=True),
    Command("hint", "ask the engine for a move", hint, needs_game=True),
    Command("board", "show the board again", show_board),
    Command("flip", "turn the board around", flip),
    Command("fen", "print the position", print_fen),
    Command("pgn", "print the game", print_pgn),
    Command("save", "add the game to a PGN file", save, arguments="FILE"),
    Command("help", "show this list", print_help, aliases=("?",)),
    Command("quit", "leave (also exit, q)", leave, aliases=("exit", "q")),
)
BY_WORD = {word: command for command in COMMANDS for word in (command.name, *command.aliases)}


def find_command(word: str) -> Command | None:
    """The command that a word in any letter case names."""
    return BY_WORD.get(word.lower())


def nearest_command(text: str) -> str:
    """The command whose name was perhaps misspelt; empty if there is none."""
    word = text.split()[0][:20].lower() if text.split() else ""
    return next(iter(difflib.get_close_matches(word, BY_WORD, 1, 0.7)), "")


def render_help() -> str:
    """The list for the terminal."""
    width = max(len(command.usage) for command in COMMANDS) + 3
    rows = [f"  {command.usage:<{width}}{command.help}" for command in COMMANDS]
    return "\n".join(["Moves: e2e4, e7e8q, Nf3, O-O. Commands:", *rows])


def render_table() -> str:
    """The list for the README."""
    rows = [f"| `{command.usage}` | {command.help} |" for command in COMMANDS]
    return "\n".join(["| command | what it does |", "| --- | --- |", *rows])
