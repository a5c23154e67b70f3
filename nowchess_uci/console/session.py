"""A session at the terminal: games one after another, against an opponent or between two people.

Reads lines and prints text; what a move means is decided by the `GameEngine`, whose events are printed here. That one
stands at the start of the next game as soon as a game has ended; here the ended game stays on the board until another
one is asked for.
"""

from collections.abc import Callable
from typing import TypeVar

from nowchess_uci.console.board import render_board
from nowchess_uci.console.commands import find_command, nearest_command
from nowchess_uci.console.messages import OTHER, render_outcome, render_reason, side_name
from nowchess_uci.console.opponent import Answer, Opponent, answer_offer, wants_draw
from nowchess_uci.console.record import Record
from nowchess_uci.console.terminal import Terminal
from nowchess_uci.game.arbiter import GameEngine
from nowchess_uci.game.game import Game
from nowchess_uci.game.history import PromotionPiece
from nowchess_uci.game.outcomes import (
    BoardReset,
    Checkmate,
    DrawRefused,
    GameEnded,
    GameEvent,
    InvalidFormat,
    InvalidMove,
    InvalidPiece,
    Missing,
    MoveExecuted,
    Resigned,
    ThreefoldAvailable,
)
from nowchess_uci.game.process import DRAW_WORD, find_claim
from nowchess_uci.rules.draws import CLAIM_CLOCK
from nowchess_uci.rules.position import Position

T = TypeVar("T")
DRAWN = "1/2-1/2"
WON = {"white": "1-0", "black": "0-1"}
PIECE_WORDS = {"queen": "q", "rook": "r", "bishop": "b", "knight": "n"}
OVER = "The game is over. Type new for another one, or undo to go on with this one."
END_PROMPT = "Game over. Enter command (new, undo, save FILE, quit):"
DECLINED = {
    Answer.EARLY: "declines: it is too early for a draw.",
    Answer.BETTER: "declines and plays on for a win.",
}


class OpponentError(Exception):
    """The opponent cannot go on; says so in a sentence."""


class Hangup(KeyboardInterrupt):
    """The session has to end at once, without a question; carries the number of the signal that said so."""


class Console:
    """One session: games one after another until the player leaves."""

    def __init__(
        self, engine: GameEngine, opponent: Opponent, terminal: Terminal, human: str | None = None, pgn_name: str = ""
    ) -> None:
        self.engine = engine
        self.opponent = opponent
        """Plays the other side, if there is one human; gives hints in any case."""
        self.terminal = terminal
        self.human = human
        """The side of the only human, or None if both sides are played here."""
        self.record = Record(terminal, human, pgn_name)
        self.start_fen = engine.game.start_fen
        self.end: GameEnded | None = None
        """How the game on the board has ended, if it has."""
        self.flipped = human == "black"
        self.board_changed = True
        self.unsaid: list[str] = []
        self.is_leaving = False
        self.before_leaving: Callable[[], None] = lambda: None
        self.declined: Game | None = None  # where a 50-move claim was offered and not made
        self.offered = ""  # the side of two people that has offered a draw
        engine.subscribe(self.show)

    @property
    def game(self) -> Game:
        """The game on the board: the one that goes on, or the one that has ended."""
        return self.end.game if self.end else self.engine.game

    # The loop.

    def run(self) -> int:
        """Play until the player leaves; returns the exit code."""
        self.print_said()
        print(self.introduction())
        while not self.is_leaving:
            try:
                self.print_said()
                self.record.save_session()
                self.take_turn()
            except Hangup as hangup:
                return self.leave(128 + hangup.args[0])
            except (EOFError, KeyboardInterrupt):
                self.quit()
            except OpponentError as error:
                print(error)
                return self.leave(1)
        return self.leave(0)

    def introduction(self) -> str:
        """What a newcomer has to know."""
        who = f"You are {self.human.capitalize()}." if self.human else "Two players at this board."
        sides = ""
        if not self.terminal.colors:
            sides = " White has the outlined pieces." if self.terminal.unicode else " White has the capital letters."
        return f"{who}{sides}\nType a move, such as e4, e2e4 or Nf3, or help for the commands."

    def take_turn(self) -> None:
        """One move or one command, of whoever is to move."""
        game = self.game
        if self.end:
            self.obey(self.terminal.read(END_PROMPT))
        elif self.engine.pending_promotion:
            self.choose_piece()
        elif self.is_opponents_turn(game):
            self.reply(game)
        elif game.history.half_move_clock >= CLAIM_CLOCK and self.declined is not game:
            self.offer_claim(game)
        else:
            self.obey(self.terminal.read(f"{side_name(game)}'s turn. Enter move:"))

    def obey(self, line: str) -> None:
        """Do what a command says, or play a move."""
        word, *rest = line.split(maxsplit=1) or [""]
        command = find_command(word)
        if command and not (self.end and command.needs_game):
            command.action(self, "".join(rest))
        elif self.end and line:
            print(OVER)
        elif line:
            self.engine.process_user_input(line)

    def offer_claim(self, game: Game) -> None:
        """The menu of the 50-move rule (FIDE 9.3); it comes again until it is answered or a move is made."""
        print(f"[50-move rule] {side_name(game)} may claim a draw, or continue playing.")
        print(" 1. Claim draw")
        print(" 2. Continue")
        answer = self.terminal.read(">")
        if answer in ("2", ""):
            self.declined = game
        else:
            self.obey(DRAW_WORD if answer == "1" else answer)

    def choose_piece(self) -> None:
        """Ask what a pawn becomes; a wrong answer leaves it where it is."""
        answer = self.terminal.read("Promote to: (q/r/b/n)?").lower()
        answer = PIECE_WORDS.get(answer, answer)
        if answer in tuple(PromotionPiece):
            self.engine.complete_promotion(PromotionPiece(answer))
        elif answer in ("undo", "quit", "exit"):
            self.obey(answer)
        else:
            print(render_reason(InvalidPiece(answer)))

    # The opponent.

    def reply(self, game: Game) -> None:
        """The opponent's turn: a claim, if there is one that it wants to make, or a move."""
        claim, san = find_claim(game.board), ""
        if not claim:
            san = self.ask_move()
            claim = find_claim(game.board, san)
        if claim and wants_draw(self.ask_score()):
            print(f"{side_name(game)} claims a draw{f' with {san}' if san else ''}.")
            self.engine.process_user_input(f"{DRAW_WORD} {san}")
            return
        san = san or self.ask_move()
        print(f"{side_name(game)} plays {san}")
        self.engine.process_user_input(san)

    def ask_move(self) -> str:
        """The move that the opponent would play, as SAN."""
        board = self.game.board
        move = self.ask(self.opponent.choose)
        try:
            return board.san(move)
        except ValueError as error:
            raise OpponentError(f"The engine gave no legal move: {error}.") from None

    def ask_score(self) -> int:
        """How good the opponent finds the position for the side to move."""
        return self.ask(self.opponent.score)

    def ask(self, question: Callable[[Position], T]) -> T:
        """Let the opponent think about the position; raises an OpponentError if it cannot."""
        who = self.engine_name() if self.is_opponents_turn(self.game) else "The engine"
        with self.terminal.thinking(who):
            try:
                return question(self.game.board.position)
            except Exception as error:
                raise OpponentError(f"The engine failed: {str(error) or type(error).__name__}.") from error

    def engine_name(self) -> str:
        """What the opponent is called while it thinks."""
        return OTHER[self.human] if self.human else "The engine"

    # Draws.

    def draw(self, move: str) -> None:
        """Claim a draw, with a move perhaps; what cannot be claimed is offered."""
        board = self.game.board
        if move or find_claim(board):
            self.engine.process_user_input(f"{DRAW_WORD} {move}")
        elif self.human:
            self.offer_to_opponent()
        elif self.offered and self.offered != board.turn:
            self.engine.agree_draw()
        else:
            self.offered = board.turn
            print(render_reason(DrawRefused(DRAW_WORD)))
            print(f"It is offered: {OTHER[board.turn]} may accept after your move.")

    def offer_to_opponent(self) -> None:
        """Let the opponent decide by what it thinks of its position."""
        game = self.game
        answer = answer_offer(-self.ask_score(), game.board, game.start_fen)
        if answer is Answer.ACCEPTED:
            print(f"{self.engine_name()} accepts the draw.")
            self.engine.agree_draw()
        else:
            print(f"{self.engine_name()} {DECLINED[answer]}")

    # Back and forth.

    def undo(self) -> None:
        """Take back what happened since the same player was to move before; after the end that may be the end only."""
        if self.end:
            game, was_by_move = self.end.game, self.end.game.board.status().is_over
            count = self.moves_back(game) if was_by_move or self.is_opponents_turn(game) else 0
        else:
            game, count = self.engine.game, self.moves_back(self.engine.game)
        if self.engine.pending_promotion:
            count = 1  # the pawn has not moved yet
        elif len(game.history.moves) < count:
            print(render_reason(Missing.UNDO))
            return
        if self.end:
            self.record.reopen()
            self.end = None
            self.engine.resume(game)
        for _ in range(count):
            self.engine.undo()

    def redo(self) -> None:
        """Make again what was taken back, up to where the same player is to move."""
        self.engine.redo()
        while self.engine.can_redo and self.is_opponents_turn(self.engine.game):
            self.engine.redo()

    def moves_back(self, game: Game) -> int:
        """How many moves `undo` goes back until the same person is to move: against an opponent two, most often."""
        return 2 if self.human and not self.is_opponents_turn(game) else 1

    def is_opponents_turn(self, game: Game) -> bool:
        """True if the side to move is not played at this terminal."""
        return self.human is not None and game.board.turn != self.human

    def start_game(self) -> None:
        """Another game from the same position, unless the player would rather keep this one."""
        if not self.record.settle(self.game):
            return
        self.record.put_away(self.game)
        self.end = None
        self.say("New game.")
        self.engine.reset(self.start_fen)

    # Leaving.

    def quit(self) -> None:
        """Leave, unless the player would rather go on."""
        self.is_leaving = self.record.settle(self.game)

    def leave(self, exit_code: int) -> int:
        """Say goodbye and save what was played; a file that cannot be written is no reason to lose a game."""
        self.before_leaving()
        self.record.print_unsaved(self.game)
        print("Game over. Goodbye!")
        return exit_code if self.record.save_all(self.game) else exit_code or 1

    # What is shown.

    def show(self, event: GameEvent) -> None:
        """Note what happened, in words. Printed later: an observer must not fail because the output does."""
        match event:
            case MoveExecuted():
                self.board_changed = True
                self.show_offer(event.game.board.turn)
            case BoardReset():
                self.board_changed = True
                self.offered = ""
            case ThreefoldAvailable(game) if self.is_opponents_turn(game):
                return  # it needs no advice
            case GameEnded():
                self.end_game(event)
                return
        message = render_outcome(event)
        if isinstance(event, InvalidMove) and isinstance(event.reason, InvalidFormat):
            near = nearest_command(event.reason.text)
            message += f"\nDid you mean {near}?" if near else "\nType help for the commands."
        if message:
            self.say(message)

    def show_offer(self, turn: str) -> None:
        """After a move: an offer reaches the other player, or is declined by it (FIDE 9.1)."""
        if self.offered and self.offered != turn:
            self.say(f"{self.offered.capitalize()} offers a draw. {turn.capitalize()} may accept by typing draw.")
        else:
            self.offered = ""

    def say(self, text: str) -> None:
        """Print this before anything else is printed."""
        self.unsaid.append(text)

    def say_board(self, game: Game) -> None:
        """The board, a blank line before it."""
        terminal = self.terminal
        board = render_board(game, flipped=self.flipped, unicode=terminal.unicode, colors=terminal.colors)
        self.say(f"\n{board.rstrip()}")
        self.board_changed = False

    def print_said(self) -> None:
        """Print what is to be said, and the board if it has changed."""
        if self.board_changed:
            self.say_board(self.game)
        while self.unsaid:
            print(self.unsaid.pop(0))

    def end_game(self, end: GameEnded) -> None:
        """Show how the game ended and keep it."""
        if self.board_changed:
            self.say_board(end.game)
        self.say(render_outcome(end))
        self.end = end
        self.offered = ""
        self.record.end(end.game, WON[end.winner] if isinstance(end, Checkmate | Resigned) else DRAWN)
