"""Games one after another: the state, undo and redo, and observers that hear what happened.

Decides nothing about chess: `process_move` does. State changes first and outcomes follow in order, so an observer that
fails, or that gives input itself, finds a whole game and leaves one.
"""

import logging
from collections import deque

from nowchess_uci.game.game import Game
from nowchess_uci.game.history import GameHistory, PromotionPiece
from nowchess_uci.game.outcomes import (
    BoardReset,
    DrawAgreed,
    GameEnded,
    GameEvent,
    InvalidMove,
    InvalidPiece,
    Missing,
    MoveExecuted,
    Observer,
    Outcomes,
    PromotionRequired,
    Reason,
    Resigned,
)
from nowchess_uci.game.process import complete_promotion, play, process_move
from nowchess_uci.rules.fen import START_FEN


class GameEngine:
    """One game after another for two players, driven by lines of text."""

    def __init__(self, fen_text: str = START_FEN, *, chess960: bool = False) -> None:
        self._game = Game.from_fen(fen_text, chess960=chess960)
        self._redo: list[int] = []  # moves taken back, the next one to redo last
        self._pending: PromotionRequired | None = None
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
        return self._game.board.turn

    @property
    def can_undo(self) -> bool:
        """True if there is a move to take back."""
        return bool(self._game.history.moves)

    @property
    def can_redo(self) -> bool:
        """True if a move taken back can be made again."""
        return bool(self._redo)

    @property
    def pending_promotion(self) -> PromotionRequired | None:
        """The pawn move that waits for its piece, if there is one."""
        return self._pending

    def fen(self) -> str:
        """The position as a FEN."""
        return self._game.board.fen()

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

    def _refuse(self, reason: Reason) -> None:
        self._publish(InvalidMove(self._game, reason))

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
            self._refuse(Missing.PROMOTION)
            return
        self._accept(complete_promotion(self._game, pending.origin, pending.target, piece))

    def undo(self) -> None:
        """Take back the last move, or only a promotion that is still pending."""
        if self._pending:
            self._pending = None
        elif self.can_undo:
            self._redo.append(self._game.board.last_move)
            self._game = self._game.before()
        else:
            self._refuse(Missing.UNDO)
            return
        self._publish(BoardReset(self._game))

    def redo(self) -> None:
        """Make the move again that was taken back last."""
        if self._redo:
            *later, move = self._redo
            self._accept(play(self._game, move), later)
        else:
            self._refuse(Missing.REDO)

    def resign(self) -> None:
        """The side to move gives the game up."""
        self._accept((Resigned(self._game, "black" if self.turn == "white" else "white"),))

    def agree_draw(self) -> None:
        """The players end the game as a draw."""
        self._accept((DrawAgreed(self._game),))

    def resume(self, game: Game) -> None:
        """Go on with a game as it stood, such as one that has ended; there is nothing to redo then."""
        self._start(game)
        self._publish(BoardReset(game))

    def reset(self, fen_text: str = START_FEN, *, chess960: bool = False) -> None:
        """Begin a new game; raises a FenError, nothing changed, if the text is no position."""
        self._start(Game.from_fen(fen_text, chess960=chess960))
        self._publish(BoardReset(self._game))

    def _start(self, game: Game, redo: list[int] | None = None) -> None:
        self._game = game
        self._redo = redo or []
        self._pending = None

    def _answer_promotion(self, text: str) -> None:
        try:
            piece = PromotionPiece(text.lower())
        except ValueError:
            self._refuse(InvalidPiece(text))
            return
        self.complete_promotion(piece)

    def _accept(self, outcomes: Outcomes, redo: list[int] | None = None) -> None:
        """Change the state as the outcomes say, then tell the observers; `redo` is what can still be redone then."""
        for outcome in outcomes:
            match outcome:
                case MoveExecuted(game):
                    self._start(game, redo)
                case GameEnded():
                    self._start(Game.from_fen())
                case PromotionRequired():
                    self._pending = outcome
        self._publish(*outcomes)
