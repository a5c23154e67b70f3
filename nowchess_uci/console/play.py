"""`nowchess-uci play`: a game at the terminal, against an opponent or between two people.

Reads lines and prints text; what a move means is decided by the `GameEngine`, whose events are printed here. Piped
input works as typed input does: it is echoed after the prompt, so that a transcript reads like a terminal.
"""

import argparse
import io
import os
import random
import sys
import time
from collections.abc import Callable
from typing import TextIO

from nowchess_uci.console.board import render_board
from nowchess_uci.console.commands import ACTIONS, GAME_WORDS
from nowchess_uci.console.messages import render_outcome, render_reason, side_name
from nowchess_uci.console.pgn_file import PgnFile
from nowchess_uci.game.arbiter import GameEngine
from nowchess_uci.game.game import Game
from nowchess_uci.game.history import PromotionPiece
from nowchess_uci.game.outcomes import (
    BoardReset,
    Checkmate,
    GameEnded,
    GameEvent,
    InvalidPiece,
    MoveExecuted,
    QuitRequested,
)
from nowchess_uci.pgn.tree import UNKNOWN_RESULT, PgnGame
from nowchess_uci.pgn.write import render_pgn
from nowchess_uci.rules.draws import CLAIM_CLOCK
from nowchess_uci.rules.fen import COLOR_NAMES, FenError
from nowchess_uci.rules.notation import MoveTextError
from nowchess_uci.rules.position import Position

Opponent = Callable[[Position], str]
"""Chooses a move: takes a position it may play on, returns the move as text (`e2e4`, `e7e8q` or SAN)."""

DRAWN = "1/2-1/2"
WON = {"white": "1-0", "black": "0-1"}


class OpponentError(Exception):
    """The opponent plays no chess."""


class Console:
    """One session: games one after another until the input ends."""

    def __init__(
        self,
        engine: GameEngine,
        opponent: Opponent,
        human: str | None = None,
        pgn_file: PgnFile | None = None,
        *,
        ascii_only: bool = False,
    ) -> None:
        self.engine = engine
        self.opponent = opponent
        """Plays the other side, if there is one human; gives hints in any case."""
        self.human = human
        """The side of the only human, or None if both sides are played here."""
        self.pgn_file = pgn_file
        self.flipped = human == "black"
        self.unicode = not ascii_only and can_print_figures(sys.stdout)
        self.colors = sys.stdout.isatty() and "NO_COLOR" not in os.environ
        self.echoes = not sys.stdin.isatty()
        self.unsaid: list[str] = []
        self.board_changed = True
        self.is_leaving = False
        self.declined: Game | None = None  # where a 50-move claim was offered and not made
        self.finished: list[PgnGame] = []
        self.files = {str(pgn_file.path): pgn_file} if pgn_file else {}
        engine.subscribe(self.show)

    # The loop.

    def run(self) -> int:
        """Play until the input ends; returns the exit code."""
        exit_code = 0
        try:
            while not self.is_leaving:
                self.print_said()
                self.take_turn()
        except OpponentError as error:
            print(f"The engine gave no legal move: {error}.")
            exit_code = 1
        except EOFError:
            pass
        except KeyboardInterrupt:
            print()
        return self.leave(exit_code)

    def take_turn(self) -> None:
        """One move or one command, of whoever is to move."""
        game = self.engine.game
        if self.human and game.board.turn != self.human:
            san = self.ask(self.opponent, game)
            print(f"{side_name(game)} plays {san}")
            self.engine.process_user_input(san)
            return
        line = ""
        if game.history.half_move_clock >= CLAIM_CLOCK and self.declined is not game:
            self.declined = game
            line = self.offer_claim(game)
        line = line or self.read(f"{side_name(game)}'s turn. Enter move:")
        word, _, rest = line.partition(" ")
        action = ACTIONS.get(word.lower())
        if action:
            action(self, rest.strip())
            return
        self.engine.process_user_input(line.lower() if line.lower() in GAME_WORDS else line)
        while self.engine.pending_promotion:
            self.choose_piece()

    def offer_claim(self, game: Game) -> str:
        """The menu of the 50-move rule (FIDE 9.3); returns the input it amounts to, nothing if the game goes on."""
        print(f"[50-move rule] {side_name(game)} may claim a draw, or continue playing.")
        print(" 1. Claim draw")
        print(" 2. Continue")
        answer = self.read(">")
        return {"1": "draw", "2": ""}.get(answer, answer)

    def choose_piece(self) -> None:
        """Ask what a pawn becomes; a wrong answer leaves it where it is."""
        answer = self.read("Promote to: (q/r/b/n)?").lower()
        if answer == "quit":
            raise EOFError
        if answer == "undo":
            self.engine.undo()
        elif answer in tuple(PromotionPiece):
            self.engine.complete_promotion(PromotionPiece(answer))
        else:
            print(render_reason(InvalidPiece(answer)))

    def ask(self, opponent: Opponent, game: Game) -> str:
        """The move that the opponent would play, as SAN."""
        try:
            return game.board.san(opponent(game.board.position))
        except MoveTextError as error:
            raise OpponentError(str(error)) from None

    def read(self, prompt: str) -> str:
        """One line of input without the space around it."""
        print(prompt, end=" ", flush=True)
        line = sys.stdin.readline()
        if self.echoes or not line:
            print(line.strip())
        if not line:
            raise EOFError
        return line.strip()

    def leave(self, exit_code: int) -> int:
        """Say goodbye and save what was played; a file that cannot be written is no reason to lose a game."""
        print("Game over. Goodbye!")
        games = dict(enumerate(self.finished))
        if self.engine.history.moves:
            games.update([self.latest()])
        if not self.pgn_file or not games:
            return exit_code
        try:
            self.pgn_file.save(games)
        except OSError as error:
            print(f"The game could not be saved ({error}); here it is:\n")
            print("".join(map(render_pgn, games.values())), end="")
            return 1
        print(f"Saved to {self.pgn_file.path}.")
        return exit_code

    def moves_per_turn(self) -> int:
        """How many moves `undo` and `redo` go, so that the same person is to move again: against an opponent two."""
        return 2 if self.human else 1

    # What is shown.

    def show(self, event: GameEvent) -> None:
        """Note what happened, in words. Printed later: an observer must not fail because the output does."""
        match event:
            case MoveExecuted() | BoardReset():
                self.board_changed = True
            case QuitRequested():
                self.is_leaving = True
            case GameEnded():
                self.end_game(event)
                return
        message = render_outcome(event)
        if message:
            self.say(message)

    def say(self, text: str) -> None:
        """Print this before anything else is printed."""
        self.unsaid.append(text)

    def say_board(self, game: Game) -> None:
        """The board, a blank line before it."""
        board = render_board(game, flipped=self.flipped, unicode=self.unicode, colors=self.colors)
        self.say(f"\n{board.rstrip()}")
        self.board_changed = False

    def print_said(self) -> None:
        """Print what is to be said, and the board if it has changed."""
        if self.board_changed:
            self.say_board(self.engine.game)
        while self.unsaid:
            print(self.unsaid.pop(0))

    def end_game(self, end: GameEnded) -> None:
        """Show how the game ended and keep it; the engine has begun another one."""
        if self.board_changed:
            self.say_board(end.game)
        self.say(f"{render_outcome(end)}\nNew game.")
        self.finished.append(self.pgn_of(end.game, WON[end.winner] if isinstance(end, Checkmate) else DRAWN))
        self.board_changed = True

    def latest(self) -> tuple[int, PgnGame]:
        """The game that a person means now, with its number: the last one ended, until the next has a move."""
        if self.finished and not self.engine.history.moves:
            return len(self.finished) - 1, self.finished[-1]
        return len(self.finished), self.pgn_of(self.engine.game, UNKNOWN_RESULT)

    def pgn_of(self, game: Game, result: str) -> PgnGame:
        """The game with tags that say who played and when."""
        names = {"White": "?", "Black": "?"}
        if self.human:
            names = {"White": "NowChess UCI", "Black": "NowChess UCI", self.human.capitalize(): "Human"}
        today = time.strftime("%Y.%m.%d")
        return PgnGame.of(game, {"Event": "NowChess game", "Date": today, **names, "Result": result})


def can_print_figures(stream: TextIO) -> bool:
    """True if the stream's encoding has the chess figures."""
    try:
        "\N{WHITE CHESS KING}".encode(stream.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def run(arguments: argparse.Namespace, opponent: Opponent) -> int:
    """The `play` command; returns the exit code."""
    try:
        engine = GameEngine(arguments.fen)
    except FenError as error:
        return refuse(str(error))
    board = engine.game.board
    if board.status().is_over:
        return refuse(f"this position is the end of a game: {board.status()}")
    for note in board.notes:
        print(f"nowchess-uci play: note: {note}", file=sys.stderr)
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # no odd byte may end a game
    human = random.choice(COLOR_NAMES) if arguments.side == "random" else arguments.side
    if arguments.two_players:
        human = None
    pgn_file = PgnFile(arguments.pgn) if arguments.pgn else None
    console = Console(engine, opponent, human, pgn_file, ascii_only=arguments.ascii)
    try:
        exit_code = console.run()
        sys.stdout.flush()
    except OSError:
        # Whoever read the output has gone, or its disk is full; the games are still saved, and Python must not try to
        # flush at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        exit_code = console.leave(1)
    return exit_code


def refuse(reason: str) -> int:
    """Say why there is no game."""
    print(f"nowchess-uci play: {reason}", file=sys.stderr)
    return 2
