"""The game that goes on: state, undo and redo, and observers who are told what happened.

Decides nothing about chess: `process_move` does. State changes first and events follow in order, so an observer that
fails, or that gives input itself, finds a whole game and leaves one.
"""

import logging
from collections import deque

from nowchess_uci.game import events, results
from nowchess_uci.game.events import GameEvent, Observer
from nowchess_uci.game.game import Game
from nowchess_uci.game.history import GameHistory, PromotionPiece
from nowchess_uci.game.process import complete_promotion, is_draw_claim, play, process_move
from nowchess_uci.rules.fen import START_FEN, shown

INVALID_PIECE = "Invalid piece. Choose (q/r/b/n)."
DRAW_REFUSED = "Draw cannot be claimed: the 50-move rule has not been triggered."


class GameEngine:
    """One game after another for two players, driven by lines of text."""

    def __init__(self, fen_text: str = START_FEN, *, chess960: bool = False) -> None:
        self._game = Game.from_fen(fen_text, chess960=chess960)
        self._redo: list[int] = []  # moves taken back, the next one to redo last
        self._pending: results.PromotionRequired | None = None
        self._observers: list[Observer] = []
        self._queue: deque[GameEvent] = deque()
        self._publishing = False

    # What there is.

    @property
    def game(self) -> Game:
        """The game as it stands."""
        return self._game

    @property
    def history(self) -> GameHistory:
        """The moves played and the half-move clock."""
        return self._game.history

    @property
    def turn(self) -> str:
        """`white` or `black`."""
        return self._game.turn

    @property
    def can_undo(self) -> bool:
        """True if there is a move to take back."""
        return bool(self._game.history.moves)

    @property
    def can_redo(self) -> bool:
        """True if a move taken back can be made again."""
        return bool(self._redo)

    @property
    def pending_promotion(self) -> results.PromotionRequired | None:
        """The pawn move that waits for its piece, if there is one."""
        return self._pending

    def fen(self) -> str:
        """The position as a FEN."""
        return self._game.fen()

    # Observers.

    def subscribe(self, observer: Observer) -> None:
        """Tell this callable about every event from now on."""
        self._observers.append(observer)

    def unsubscribe(self, observer: Observer) -> None:
        """Stop telling it; unknown ones are ignored."""
        if observer in self._observers:
            self._observers.remove(observer)

    def _publish(self, *happened: GameEvent) -> None:
        """Tell all observers in order. Events caused meanwhile wait, so that everyone hears the same order."""
        self._queue.extend(happened)
        if self._publishing:
            return
        self._publishing = True
        try:
            while self._queue:
                event = self._queue.popleft()
                for observer in tuple(self._observers):
                    try:
                        observer(event)
                    except Exception:
                        logging.getLogger(__name__).exception("an observer failed on %s", type(event).__name__)
        finally:
            self._queue.clear()  # not empty only if something like Ctrl-C came through
            self._publishing = False

    def _refuse(self, reason: str) -> None:
        self._publish(events.InvalidMove(self._game, reason))

    # Input.

    def process_user_input(self, text: str) -> None:
        """Act on one line: a move, `draw`, `draw MOVE`, `undo`, `redo`, `quit`, or the piece of a pending promotion."""
        text = text.strip()
        if text == "undo":
            self.undo()
        elif self._pending and text != "quit":
            self._answer_promotion(text)
        elif text == "redo":
            self.redo()
        else:
            self._accept(process_move(self._game, text))

    def complete_promotion(self, piece: PromotionPiece) -> None:
        """Make the pending promotion with the piece chosen."""
        pending = self._pending
        if pending is None:
            self._refuse("No promotion is pending.")
            return
        self._accept(complete_promotion(self._game, pending.origin, pending.target, piece))

    def undo(self) -> None:
        """Take back the last move, or only a promotion that is still pending."""
        if self._pending:
            self._pending = None
        elif self.can_undo:
            self._redo.append(self._game.last_move)
            self._game = self._game.before()
        else:
            self._refuse("Nothing to undo.")
            return
        self._publish(events.BoardReset(self._game))

    def redo(self) -> None:
        """Make the move again that was taken back last."""
        if self._redo:
            *later, move = self._redo
            self._accept(play(self._game, move), later)
        else:
            self._refuse("Nothing to redo.")

    def reset(self, fen_text: str = START_FEN, *, chess960: bool = False) -> None:
        """Begin a new game; raises a FenError, nothing changed, if the text is no position."""
        self._start(Game.from_fen(fen_text, chess960=chess960))
        self._publish(events.BoardReset(self._game))

    def _start(self, game: Game, redo: list[int] | None = None) -> None:
        self._game = game
        self._redo = redo or []
        self._pending = None

    def _answer_promotion(self, text: str) -> None:
        try:
            piece = PromotionPiece(text.lower())
        except ValueError:
            self._refuse(INVALID_PIECE)
            return
        self.complete_promotion(piece)

    def _accept(self, result: results.MoveResult, redo: list[int] | None = None) -> None:
        """Change the state as the result says, then tell the observers; `redo` is what can still be redone then."""
        match result:
            case results.Quit():
                self._publish(events.QuitRequested(self._game))
            case results.InvalidFormat(text):
                self._refuse(DRAW_REFUSED if is_draw_claim(text) else invalid_format(text))
            case results.NoPiece(square):
                self._refuse(f"No piece on {square}.")
            case results.WrongColor():
                self._refuse("That is not your piece.")
            case results.IllegalMove(text, is_ambiguous):
                self._refuse(f"Illegal move: {shown(text)} fits several pieces." if is_ambiguous else "Illegal move.")
            case results.PromotionRequired(origin, target):
                self._pending = result
                self._publish(events.PromotionRequired(self._game, origin, target))
            case results.DrawClaimed(claim):
                ended = self._game
                self._start(Game.from_fen())
                self._publish(events.DrawClaimed(ended, claim))
            case _:
                happened = events_of(self._game, result)
                is_over = isinstance(result, results.Checkmate | results.Stalemate | results.AutomaticDraw)
                if is_over:
                    self._start(Game.from_fen())
                else:
                    self._start(result.game, redo)
                self._publish(*happened)


def invalid_format(text: str) -> str:
    """The message for a text that is no move."""
    return f"Invalid move format {shown(text)}. Use coordinate notation, e.g. e2e4."


def events_of(before: Game, result: results.Played) -> list[GameEvent]:
    """What a move has to be told as: itself first, then what it led to."""
    game = result.game
    happened: list[GameEvent] = [
        events.MoveExecuted(game, game.history.moves[-1], before.san(game.last_move), result.captured)
    ]
    match result:
        case results.Checkmate(winner=winner):
            return [*happened, events.Checkmate(game, winner)]
        case results.Stalemate():
            return [*happened, events.Stalemate(game)]
        case results.AutomaticDraw(reason=reason):
            return [*happened, events.AutomaticDraw(game, reason)]
    if isinstance(result, results.MovedInCheck):
        happened.append(events.CheckDetected(game))
    if game.can_claim_fifty_moves():
        happened.append(events.FiftyMoveRuleAvailable(game))
    if game.can_claim_threefold():
        happened.append(events.ThreefoldAvailable(game))
    return happened
