"""The games of a session: how they stand as PGN, where they are saved, and that none is lost without a word."""

import os
import time

from nowchess_uci.console.messages import render_failure
from nowchess_uci.console.pgn_file import PgnFile
from nowchess_uci.console.terminal import Terminal, printable
from nowchess_uci.files import is_special
from nowchess_uci.game.game import Game
from nowchess_uci.pgn.tree import UNKNOWN_RESULT, PgnGame
from nowchess_uci.pgn.write import render_pgn

DEFAULT_FILE = "nowchess.pgn"


class Record:
    """Games in the order in which they were played; the one on the board is the last, or not yet among them."""

    def __init__(self, terminal: Terminal, human: str | None, pgn_name: str) -> None:
        self.terminal = terminal
        self.human = human
        """The side of the only human, or None if both sides are played by people."""
        self.pgn_name = pgn_name
        """The file to which all games go; empty if there is none."""
        self._games: list[PgnGame] = []
        self._is_over = False  # the game on the board has ended and is the last of them
        self._is_due = False  # something has to be saved to the file of the session
        self._settled: Game | None = None  # the game as it was saved last, printed, or given up
        self._files: dict[str, PgnFile] = {}

    # Beginnings and ends.

    def end(self, game: Game, result: str) -> None:
        """The game on the board is over."""
        self._games.append(self.pgn(game, result))
        self._is_over = self._is_due = True

    def reopen(self) -> None:
        """The game on the board goes on after its end."""
        self._games.pop()
        self._is_over = False

    def put_away(self, game: Game) -> None:
        """The game on the board makes room for another one."""
        if not self._is_over and game.history.moves:
            self.end(game, UNKNOWN_RESULT)
        self._is_over = False

    # As PGN.

    def pgn(self, game: Game, result: str) -> PgnGame:
        """A game with tags that say who played and when."""
        names = {"White": "?", "Black": "?"}
        if self.human:
            names = {"White": "NowChess UCI", "Black": "NowChess UCI", self.human.capitalize(): "Human"}
        today = time.strftime("%Y.%m.%d")
        return PgnGame.of(game, {"Event": "NowChess game", "Date": today, **names, "Result": result})

    def current(self, game: Game) -> tuple[int, PgnGame]:
        """The game on the board, with its number in the session."""
        if self._is_over:
            return len(self._games) - 1, self._games[-1]
        return len(self._games), self.pgn(game, UNKNOWN_RESULT)

    # Files.

    def save(self, name: str, game: Game) -> bool:
        """Put the game on the board into a file, and say so or why not."""
        try:
            self._write(name, dict([self.current(game)]))
        except (OSError, ValueError) as error:
            print(render_failure(name, error))
            return False
        print(f"Saved to {printable(name)}.")
        self._settled = game
        return True

    def save_session(self) -> None:
        """Put games that have ended into the file of the session; if that fails it is tried again at the end.

        A pipe or a device forgets nothing that it was given: it gets all games once, at the end.
        """
        if self.pgn_name and self._is_due and not is_special(path_of(self.pgn_name)):
            self._is_due = False
            try:
                self._write(self.pgn_name, dict(enumerate(self._games)))
            except (OSError, ValueError) as error:
                print(render_failure(self.pgn_name, error))

    def save_all(self, game: Game) -> bool:
        """Put all games into the file of the session, if there is one; prints what cannot be saved."""
        games = dict(enumerate(self._games))
        if game.history.moves:
            games.update([self.current(game)])
        if not self.pgn_name or not games:
            return True
        try:
            self._write(self.pgn_name, games)
        except (OSError, ValueError, KeyboardInterrupt) as error:  # whoever does not want to wait gets it too
            print(f"{render_failure(self.pgn_name, error)} Here it is:\n")
            print("".join(map(render_pgn, games.values())), end="")
            return False
        print(f"Saved to {printable(self.pgn_name)}.")
        return True

    def _write(self, name: str, games: dict[int, PgnGame]) -> None:
        path = path_of(name)
        file = self._files.get(path) or PgnFile(path)
        file.save(games)
        self._files[path] = file

    # Leaving a game.

    def settle(self, game: Game) -> bool:
        """Before a game is left that has not ended: keep it or ask; False if the player would rather go on."""
        if not self._would_be_lost(game):
            return True
        if self.terminal.is_person:
            try:
                return self._ask(game)
            except (EOFError, KeyboardInterrupt):
                pass  # in a hurry
        self.print_unsaved(game)
        return True

    def print_unsaved(self, game: Game) -> None:
        """Print the game on the board if it would be lost otherwise."""
        if self._would_be_lost(game):
            self._settled = game
            print(f"The game was not saved; here it is:\n\n{render_pgn(self.current(game)[1])}", end="")

    def _would_be_lost(self, game: Game) -> bool:
        is_kept = self._is_over or bool(self.pgn_name) or self._settled is game
        return bool(game.history.moves) and not is_kept

    def _ask(self, game: Game) -> bool:
        """Ask until there is an answer; False if the player would rather go on."""
        while True:
            answer = self.terminal.read(f"Save this game to {DEFAULT_FILE}? (y)es, (n)o, (c)ontinue playing:")
            name = answer.removeprefix("save ") if answer.endswith(".pgn") else ""
            match answer.lower():
                case "n" | "no":
                    self._settled = game
                    return True
                case "c" | "continue" | "":
                    return False
                case "y" | "yes":
                    name = DEFAULT_FILE
            if name and self.save(name, game):
                return True


def path_of(name: str) -> str:
    """One path for one file, however it is called."""
    return os.path.realpath(os.path.expanduser(name))
