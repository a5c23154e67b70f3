"""A game at one moment: the position with its past, and the history that people read.

A value: playing or taking back gives another game and leaves this one as it was. The half-move clock of the history
is always that of the position.
"""

from nowchess_uci.game.history import CastleSide, GameHistory, PromotionPiece
from nowchess_uci.rules import draws, fen, movegen
from nowchess_uci.rules.draws import Status
from nowchess_uci.rules.move import (
    captured_pawn_square,
    is_castling,
    is_en_passant,
    is_promotion,
    parse_square,
    render_move,
    square_name,
)
from nowchess_uci.rules.notation import parse_move, render_san
from nowchess_uci.rules.position import Position

EMPTY = 12
NO_SQUARE = 64
PAWNS = ("P", "p")


class Game:
    """A position and how it came about."""

    __slots__ = ("_position", "history", "start_fen")

    def __init__(self, position: Position, history: GameHistory, start_fen: str) -> None:
        self._position = position
        self.history = history
        self.start_fen = start_fen
        """The FEN of the position before the first move."""

    @classmethod
    def from_fen(cls, fen_text: str = fen.START_FEN, *, chess960: bool = False) -> "Game":
        """A game that starts here; raises a FenError if the text is no position."""
        position = fen.parse_fen(fen_text, chess960)
        return cls(position, GameHistory(half_move_clock=position.half_move_clock), fen.render_fen(position))

    # The position.

    @property
    def position(self) -> Position:
        """A copy of the position, which the receiver may play on."""
        return self._position.copy()

    @property
    def chess960(self) -> bool:
        """True if castling is written king-takes-rook."""
        return self._position.chess960

    @property
    def turn(self) -> str:
        """`white` or `black`."""
        return fen.COLOR_NAMES[self._position.side]

    @property
    def is_check(self) -> bool:
        """True if the side to move is in check (FIDE 3.9)."""
        return self._position.in_check

    @property
    def en_passant_square(self) -> str | None:
        """The square of a legal en-passant capture, if there is one."""
        square = self._position.en_passant
        return None if square == NO_SQUARE else square_name(square)

    def piece_at(self, square: str) -> str | None:
        """The FEN letter of the piece on a square such as `e4`, or None."""
        piece = self._position.piece_at(parse_square(square))
        return None if piece == EMPTY else fen.PIECE_LETTERS[piece]

    def fen(self) -> str:
        """The position as a FEN: clock, side, castling rights and en-passant square included."""
        return fen.render_fen(self._position)

    def status(self) -> Status:
        """Whether the game goes on, and if not, why (FIDE 5.1, 5.2, 9.6)."""
        return draws.status(self._position)

    def can_claim_fifty_moves(self, intended: int = 0) -> bool:
        """True if the side to move may claim by the 50-move rule, now or with an intended move (FIDE 9.3)."""
        return draws.can_claim_fifty_moves(self._position, intended)

    def can_claim_threefold(self, intended: int = 0) -> bool:
        """True if the side to move may claim a threefold repetition, now or with an intended move (FIDE 9.2)."""
        return draws.can_claim_threefold(self._position, intended)

    # Moves, as the integers of the rules.

    @property
    def last_move(self) -> int:
        """The move that led here, or 0."""
        return self._position.last_move

    def parse_move(self, text: str) -> int:
        """The legal move that a text names; raises a MoveTextError if there is not exactly one."""
        return parse_move(self._position, text)

    def san(self, move: int) -> str:
        """A legal move in standard algebraic notation."""
        return render_san(self._position, move)

    def captured_by(self, move: int) -> str | None:
        """The FEN letter of the piece that a legal move captures, or None."""
        if is_castling(move):
            return None
        target = parse_square(render_move(move)[2:4])
        if is_en_passant(move):
            target = captured_pawn_square(target, self._position.side)
        return self.piece_at(square_name(target))

    def after(self, move: int) -> "Game":
        """The game with one more move; raises ValueError if it is not legal."""
        position = self._position.copy()
        movegen.play(position, move)
        text = render_move(move)
        history = self.history.add_move(
            text[:2],
            text[2:4],
            castle_side_of(text) if is_castling(move) else None,
            PromotionPiece(text[4]) if is_promotion(move) else None,
            was_pawn_move=self.piece_at(text[:2]) in PAWNS,
            was_capture=self.captured_by(move) is not None,
        )
        return Game(position, history, self.start_fen)

    def before(self) -> "Game":
        """The game without its last move; raises IndexError if there is none."""
        position = self._position.copy()
        movegen.undo(position)
        return Game(position, GameHistory(self.history.moves[:-1], position.half_move_clock), self.start_fen)

    def moves(self) -> list[int]:
        """All moves played, oldest first."""
        position = self._position.copy()
        found = []
        for _ in self.history.moves:
            found.append(position.last_move)
            movegen.undo(position)
        return found[::-1]


def castle_side_of(text: str) -> CastleSide:
    """The side of a castling from its text, whose target is where the king ends: the g- or the c-file."""
    return CastleSide.KING if text[2] == "g" else CastleSide.QUEEN
