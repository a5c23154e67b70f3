"""A game at one moment: the board with its past, and the history that people read.

A value: playing or taking back gives another game and leaves this one as it was. The half-move clock of the history
is always that of the board.
"""

from nowchess_uci.game.history import CastleSide, GameHistory, HistoryMove, PromotionPiece
from nowchess_uci.rules.board import Board
from nowchess_uci.rules.constants import BISHOP, KNIGHT, QUEEN, ROOK
from nowchess_uci.rules.fen import START_FEN
from nowchess_uci.rules.move import (
    castled_king_square,
    is_castling,
    is_promotion,
    origin_of,
    promotion_of,
    square_name,
    target_of,
)

PAWNS = ("P", "p")
PROMOTIONS = {
    QUEEN: PromotionPiece.QUEEN,
    ROOK: PromotionPiece.ROOK,
    BISHOP: PromotionPiece.BISHOP,
    KNIGHT: PromotionPiece.KNIGHT,
}


class Game:
    """A board and how its position came about."""

    __slots__ = ("_board", "history", "start_fen")

    def __init__(self, board: Board, history: GameHistory, start_fen: str) -> None:
        self._board = board  # nobody else may hold it
        self.history = history
        self.start_fen = start_fen
        """The FEN of the position before the first move."""

    @classmethod
    def from_fen(cls, fen_text: str = START_FEN, *, chess960: bool = False) -> "Game":
        """A game that starts here; raises a FenError if the text is no position."""
        board = Board(fen_text, chess960=chess960)
        return cls(board, GameHistory(half_move_clock=board.half_move_clock), board.fen())

    @property
    def board(self) -> Board:
        """A copy of the board, which the receiver may play on."""
        return self._board.copy()

    def after(self, *moves: str | int) -> "Game":
        """The game with these moves played too; raises ValueError if one of them is not legal."""
        board, history = self.board, self.history
        for text in moves:
            move = board.parse_move(text)
            record = record_of(move)
            was_pawn_move = board.piece_at(record.origin) in PAWNS
            was_capture = board.captured_by(move) is not None
            history = history.add_move(record, was_pawn_move=was_pawn_move, was_capture=was_capture)
            board.play(move)
        return Game(board, history, self.start_fen)

    def before(self) -> "Game":
        """The game without its last move; raises IndexError if there is none."""
        board = self.board
        board.undo()
        return Game(board, GameHistory(self.history.moves[:-1], board.half_move_clock), self.start_fen)

    def moves(self) -> list[int]:
        """All moves played, oldest first, as the integers of the rules."""
        board = self.board
        found = []
        for _ in self.history.moves:
            found.append(board.last_move)
            board.undo()
        return found[::-1]


def record_of(move: int) -> HistoryMove:
    """What the history keeps of a move."""
    if is_castling(move):
        target = castled_king_square(move)
        side = CastleSide.KING if target_of(move) > origin_of(move) else CastleSide.QUEEN
        return HistoryMove(square_name(origin_of(move)), square_name(target), side)
    piece = PROMOTIONS[promotion_of(move)] if is_promotion(move) else None
    return HistoryMove(square_name(origin_of(move)), square_name(target_of(move)), promotion_piece=piece)
