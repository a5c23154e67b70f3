"""The board as text: Unicode or ASCII, either side at the bottom, with or without colours.

The squares of the last move and a king in check are shown by colours, and without them by signs: `[e]`, `!K!`.
"""

from nowchess_uci.game.game import Game
from nowchess_uci.rules.constants import file_of, rank_of
from nowchess_uci.rules.diagram import FILES, diagram_rows
from nowchess_uci.rules.move import square_name

FIGURES = dict(zip("KQRBNPkqrbnp", "♔♕♖♗♘♙♚♛♜♝♞♟", strict=True))

LIGHT, DARK, MOVED, CHECKED = "48;5;180", "48;5;137", "48;5;143", "48;5;167"
WHITE_PIECE, BLACK_PIECE = "38;5;231;1", "38;5;16"


def render_board(game: Game, *, flipped: bool = False, unicode: bool = True, colors: bool = False) -> str:
    """The board of a game, White at the bottom unless flipped, each line ended."""
    board = game.board
    moved = last_squares(game)
    checked = "Kk"[board.turn == "black"] if board.is_check else None

    def render_square(square: int, letter: str | None) -> str:
        is_moved = square_name(square) in moved
        is_checked = letter is not None and letter == checked
        if not colors:
            return render_plain(letter, is_moved, is_checked, unicode)
        is_dark = (file_of(square) + rank_of(square)) % 2 == 0
        return render_colored(letter, is_dark, is_moved, is_checked, unicode)

    rows = diagram_rows(board.position, render_square, flipped=flipped)
    edge = f"     {'  '.join(FILES[::-1] if flipped else FILES)}\n"
    return edge + "".join(f"  {rank} {''.join(squares)} {rank}\n" for rank, squares in rows) + edge


def last_squares(game: Game) -> tuple[str, ...]:
    """Where the last move came from and went to; of a castling, the king's squares."""
    if not game.history.moves:
        return ()
    move = game.history.moves[-1]
    return (move.origin, move.target)


def render_plain(letter: str | None, is_moved: bool, is_checked: bool, unicode: bool) -> str:
    """One square of three characters; signs show what colours would."""
    sign = render_piece(letter, unicode) if letter else "."
    if is_checked:
        return f"!{sign}!"
    return f"[{sign}]" if is_moved else f" {sign} "


def render_colored(letter: str | None, is_dark: bool, is_moved: bool, is_checked: bool, unicode: bool) -> str:
    """One square with its background; both sides use the filled figures, whose colour tells whose they are."""
    ground = CHECKED if is_checked else MOVED if is_moved else DARK if is_dark else LIGHT
    if letter is None:
        return f"\x1b[{ground}m   \x1b[0m"
    ink = WHITE_PIECE if letter.isupper() else BLACK_PIECE
    sign = render_piece(letter.lower() if unicode else letter, unicode)
    return f"\x1b[{ground};{ink}m {sign} \x1b[0m"


def render_piece(letter: str, unicode: bool) -> str:
    """A figure, or the FEN letter."""
    return FIGURES[letter] if unicode else letter
