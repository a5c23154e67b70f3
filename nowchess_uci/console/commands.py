"""What a player may type besides moves: one table, from which `help` and the README's list are made.

A new command is a function and a row here. A row without a function is understood by the game itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nowchess_uci.console.messages import render_reason
from nowchess_uci.console.pgn_file import PgnFile
from nowchess_uci.game.outcomes import Missing
from nowchess_uci.pgn.write import render_pgn

if TYPE_CHECKING:
    from nowchess_uci.console.play import Console

Action = Callable[["Console", str], None]
"""Does what a command says; takes what was typed after its name."""


@dataclass(frozen=True, slots=True)
class Command:
    """One row of the list."""

    name: str
    help: str
    action: Action | None = None
    arguments: str = ""
    aliases: tuple[str, ...] = ()

    @property
    def usage(self) -> str:
        """What to type."""
        return f"{self.name} {self.arguments}".strip()


def undo(console: Console, _: str) -> None:
    """Take back the last move, and the opponent's before it."""
    count = console.moves_per_turn()
    if len(console.engine.history.moves) < count:
        print(render_reason(Missing.UNDO))
        return
    for _move in range(count):
        console.engine.undo()


def redo(console: Console, _: str) -> None:
    """Make again what `undo` took back."""
    for _move in range(console.moves_per_turn() if console.engine.can_redo else 1):
        console.engine.redo()


def flip(console: Console, _: str) -> None:
    """Turn the board round."""
    console.flipped = not console.flipped
    console.board_changed = True


def print_fen(console: Console, _: str) -> None:
    """Print the position."""
    print(console.engine.fen())


def print_pgn(console: Console, _: str) -> None:
    """Print the game."""
    print(render_pgn(console.latest()[1]), end="")


def save(console: Console, name: str) -> None:
    """Add the game to a file."""
    if not name:
        print("Which file? For example: save game.pgn")
        return
    try:
        console.files.setdefault(name, PgnFile(name)).save(dict([console.latest()]))
    except (OSError, ValueError) as error:
        print(f"The game could not be saved ({error}).")
    else:
        print(f"Saved to {name}.")


def hint(console: Console, _: str) -> None:
    """Show what the opponent would play."""
    print(f"Hint: {console.ask(console.opponent, console.engine.game)}")


def print_help(console: Console, _: str) -> None:
    """Print the list of commands."""
    print(render_help())


COMMANDS = (
    Command("draw", "claim a draw (50-move rule, threefold repetition)"),
    Command("draw", "claim a draw with the move you intend to play", arguments="MOVE"),
    Command("undo", "take a move back", undo),
    Command("redo", "make a move again that was taken back", redo),
    Command("flip", "turn the board round", flip),
    Command("fen", "print the position", print_fen),
    Command("pgn", "print the game", print_pgn),
    Command("save", "add the game to a PGN file", save, arguments="FILE"),
    Command("hint", "ask the engine for a move", hint),
    Command("help", "this list", print_help),
    Command("quit", "leave (also q)", aliases=("q",)),
)
ACTIONS = {command.name: command.action for command in COMMANDS if command.action}
GAME_WORDS = {word for command in COMMANDS if not command.action for word in (command.name, *command.aliases)}


def render_help() -> str:
    """The list for the terminal."""
    width = max(len(command.usage) for command in COMMANDS) + 3
    rows = [f"  {command.usage:<{width}}{command.help}" for command in COMMANDS]
    return "\n".join(["Moves: e2e4, e7e8q, Nf3, O-O. Commands:", *rows])


def render_table() -> str:
    """The list for the README."""
    rows = [f"| `{command.usage}` | {command.help} |" for command in COMMANDS]
    return "\n".join(["| command | what it does |", "| --- | --- |", *rows])
