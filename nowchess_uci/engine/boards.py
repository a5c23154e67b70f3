"""What may be given as a board: our own, a FEN, or a board of python-chess, which is not imported for it."""

from typing import Protocol

from nowchess_uci.rules.board import Board
from nowchess_uci.rules.fen import parse_fen
from nowchess_uci.rules.movegen import play
from nowchess_uci.rules.notation import parse_move
from nowchess_uci.rules.position import Position


class HasFen(Protocol):
    """A board of another library. With `root()` and `move_stack`, the moves that led here count for repetitions."""

    def fen(self) -> str: ...


class HasBoard(Protocol):
    """A game."""

    @property
    def board(self) -> Board: ...


BoardLike = Board | Position | str | HasFen | HasBoard


def position_of(board: BoardLike) -> Position:
    """An independent position with its past; raises ValueError if there is no legal position in it."""
    if isinstance(board, Board):
        return board.position
    if isinstance(board, Position):
        return board.copy()
    if isinstance(board, str):
        return parse_fen(board)
    inner = getattr(board, "board", None)
    if isinstance(inner, Board):
        return inner.position
    fen = getattr(board, "fen", None)
    if not callable(fen):
        raise ValueError(f"a Board, a FEN, or an object with a fen() is needed, not {type(board).__name__}")
    chess960 = bool(getattr(board, "chess960", False))
    moves = getattr(board, "move_stack", None)
    root = getattr(board, "root", None)
    try:
        if not moves or not callable(root):
            return parse_fen(fen(), chess960)
        position = parse_fen(root().fen(), chess960)
        for move in moves:
            play(position, parse_move(position, move.uci()))
    except (AttributeError, TypeError) as error:
        raise ValueError(f"{type(board).__name__} is no board that can be read: {error}") from error
    return position
