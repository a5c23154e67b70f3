"""One line of a player's input against a game: pure functions from game and text to a result value."""

from nowchess_uci.game.game import Game
from nowchess_uci.game.history import PromotionPiece
from nowchess_uci.game.results import (
    AutomaticDraw,
    Checkmate,
    Claim,
    DrawClaimed,
    IllegalMove,
    InvalidFormat,
    Moved,
    MovedInCheck,
    MoveResult,
    NoPiece,
    Played,
    PromotionRequired,
    Quit,
    Stalemate,
    WrongColor,
)
from nowchess_uci.rules.draws import Status
from nowchess_uci.rules.move import parse_square, square_name
from nowchess_uci.rules.notation import (
    AmbiguousMoveError,
    MoveFormatError,
    MoveTextError,
    PromotionPieceMissingError,
)

QUIT_WORDS = ("quit", "q")
DRAW_WORD = "draw"


def process_move(game: Game, text: str) -> MoveResult:
    """What a move (`e2e4`, `e7e8n`, `Nf3`), `draw`, `draw MOVE`, `quit` or `q` leads to; the game stays as it is."""
    text = text.strip()
    if text in QUIT_WORDS:
        return Quit()
    if is_draw_claim(text):
        return claim_draw(game, text)
    move = find_move(game, text)
    return play(game, move) if isinstance(move, int) else move


def complete_promotion(game: Game, origin: str, target: str, piece: PromotionPiece) -> MoveResult:
    """Make the pawn move for which `process_move` wanted a piece (FIDE 3.7.3.3)."""
    return process_move(game, f"{origin}{target}{piece}")


def is_draw_claim(text: str) -> bool:
    """True for `draw`, with or without an intended move."""
    return text.split(maxsplit=1)[:1] == [DRAW_WORD]


def claim_draw(game: Game, text: str) -> MoveResult:
    """A claim that stands now (FIDE 9.2.2, 9.3.2) or after the intended move it names (9.2.1, 9.3.1).

    A claim that fails is refused as InvalidFormat and plays nothing: the player may still choose another move,
    although article 9.5.3 would oblige him to play the one he named.
    """
    intended = text.removeprefix(DRAW_WORD).strip()
    move: int | MoveResult = find_move(game, intended) if intended else 0
    if isinstance(move, PromotionRequired):
        return InvalidFormat(text)  # a pawn move opens neither claim, whatever the pawn becomes
    if not isinstance(move, int):
        return move
    if game.can_claim_fifty_moves(move):
        return DrawClaimed(Claim.FIFTY_MOVES)
    if game.can_claim_threefold(move):
        return DrawClaimed(Claim.THREEFOLD)
    return InvalidFormat(text)


def find_move(game: Game, text: str) -> int | MoveResult:
    """The legal move that a text names, or why there is none."""
    try:
        return game.parse_move(text)
    except PromotionPieceMissingError as missing:
        square = square_name(missing.target)
        return PromotionRequired(square_name(missing.origin), square, game.piece_at(square))
    except MoveFormatError:
        return InvalidFormat(text)
    except AmbiguousMoveError:
        return IllegalMove(text, is_ambiguous=True)
    except MoveTextError:
        return why_illegal(game, text)


def why_illegal(game: Game, text: str) -> MoveResult:
    """What is wrong with a move that has the right form; only coordinates tell which square was meant."""
    origin = coordinate_origin(text)
    piece = game.piece_at(origin) if origin else ""
    if piece is None:
        return NoPiece(origin)
    if piece and piece.isupper() != (game.turn == "white"):
        return WrongColor(origin)
    return IllegalMove(text)


def coordinate_origin(text: str) -> str:
    """The first of the two squares that a coordinate move such as `e2e4` or `e7-e8=Q` starts with, else nothing."""
    rest = text[2:].removeprefix("-").removeprefix("x")
    return text[:2] if is_square(text[:2]) and is_square(rest[:2]) else ""


def is_square(text: str) -> bool:
    """True for `a1` to `h8`."""
    try:
        parse_square(text)
    except ValueError:
        return False
    return True


def play(game: Game, move: int) -> Played:
    """Make a legal move and see what the game has become."""
    after = game.after(move)
    captured = game.captured_by(move)
    status = after.status()
    if status is Status.ONGOING:
        return Moved(after, captured)
    if status is Status.CHECK:
        return MovedInCheck(after, captured)
    if status is Status.CHECKMATE:
        return Checkmate(after, captured, game.turn)
    if status is Status.STALEMATE:
        return Stalemate(after, captured)
    return AutomaticDraw(after, captured, status)
