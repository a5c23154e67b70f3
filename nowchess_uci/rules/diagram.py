"""The board as a picture in text: which squares stand in which row, and what stands on them.

The frame and the look of a square are the caller's, so that a terminal may use figures and colours.
"""

from collections.abc import Callable

from nowchess_uci.rules.constants import EMPTY
from nowchess_uci.rules.fen import PIECE_LETTERS
from nowchess_uci.rules.position import Position

FILES = "abcdefgh"
RANKS = "12345678"


def piece_letter(position: Position, square: int) -> str | None:
    """The FEN letter of the piece on a square, or None."""
    piece = position.piece_at(square)
    return None if piece == EMPTY else PIECE_LETTERS[piece]


def render_letter(square: int, letter: str | None) -> str:
    """The plainest look of a square: its piece's FEN letter, or a dot."""
    return letter or "."


def diagram_rows(
    position: Position,
    render_square: Callable[[int, str | None], str] = render_letter,
    *,
    flipped: bool = False,
) -> list[tuple[str, list[str]]]:
    """The rows from the top, each as the name of its rank and its eight squares; White at the bottom unless flipped."""
    ranks, files = (range(8), range(7, -1, -1)) if flipped else (range(7, -1, -1), range(8))
    rows = []
    for rank in ranks:
        squares = [8 * rank + file for file in files]
        rows.append((RANKS[rank], [render_square(square, piece_letter(position, square)) for square in squares]))
    return rows


def render_diagram(position: Position, *, coordinates: bool = False) -> str:
    """Eight lines of FEN letters and dots, White at the bottom; coordinates add the ranks' and files' names."""
    rows = [f"{rank}  {' '.join(cells)}" if coordinates else " ".join(cells) for rank, cells in diagram_rows(position)]
    if coordinates:
        rows.append(f"   {' '.join(FILES)}")
    return "\n".join(rows)
