"""One line of a player's input against a game: pure functions from game and text to outcomes."""

from nowchess_uci.game.game import Game
from nowchess_uci.game.history import PromotionPiece
from nowchess_uci.game.outcomes import (
    AmbiguousMove,
    AutomaticDraw,
    CheckDetected,
    Checkmate,
    Claim,
    DrawClaimed,
    DrawRefused,
    FiftyMoveRuleAvailable,
    GameEvent,
    IllegalMove,
    InvalidFormat,
    InvalidMove,
    MoveExecuted,
    NoPiece,
    Outcomes,
    PromotionRequired,
    QuitRequested,
    Reason,
    Stalemate,
    ThreefoldAvailable,
    WrongColor,
)
from nowchess_uci.game.reading import choices, origin_of, read_move
from nowchess_uci.rules.board import Board
from nowchess_uci.rules.draws import Status
from nowchess_uci.rules.move import square_name
from nowchess_uci.rules.notation import (
    AmbiguousMoveError,
    MoveFormatError,
    MoveTextError,
    PromotionPieceMissingError,
)

QUIT_WORDS = ("quit", "q")
DRAW_WORD = "draw"


def process_move(game: Game, text: str) -> Outcomes:
    """What a move (`e2e4`, `e7e8n`, `Nf3`), `draw`, `draw MOVE`, `quit` or `q` leads to; the game stays as it is."""
    text = text.strip()
    if text in QUIT_WORDS:
        return (QuitRequested(game),)
    if text.lower().split(maxsplit=1)[:1] == [DRAW_WORD]:
        return (claim_draw(game, text),)
    move = find_move(game, text)
    return play(game, move) if isinstance(move, int) else (move,)


def complete_promotion(game: Game, origin: str, target: str, piece: PromotionPiece) -> Outcomes:
    """Make the pawn move for which `process_move` wanted a piece (FIDE 3.7.3.3)."""
    return process_move(game, f"{origin}{target}{piece}")


def claim_draw(game: Game, text: str) -> GameEvent:
    """A claim that stands now (FIDE 9.2.2, 9.3.2) or after the intended move it names (9.2.1, 9.3.1).

    A claim that fails plays nothing: the player may still choose another move, although article 9.5.3 would oblige
    him to play the one he named.
    """
    intended = text[len(DRAW_WORD) :].strip()
    move = find_move(game, intended) if intended else None
    if isinstance(move, InvalidMove):
        return move
    # A pawn move opens neither claim, whatever the pawn becomes.
    claim = None if isinstance(move, PromotionRequired) else find_claim(game.board, move)
    if claim:
        return DrawClaimed(game, claim)
    return InvalidMove(game, DrawRefused(text, stands_without_move=find_claim(game.board) is not None))


def find_claim(board: Board, intended: str | int | None = None) -> Claim | None:
    """What the side to move may claim a draw for, now or with an intended move."""
    if board.can_claim_fifty_moves(intended):
        return Claim.FIFTY_MOVES
    return Claim.THREEFOLD if board.can_claim_threefold(intended) else None


def find_move(game: Game, text: str) -> int | PromotionRequired | InvalidMove:
    """The legal move that a text names, or why there is none."""
    board = game.board
    try:
        return read_move(board, text)
    except PromotionPieceMissingError as missing:
        target = square_name(missing.target)
        return PromotionRequired(game, square_name(missing.origin), target, board.piece_at(target))
    except MoveFormatError:
        return InvalidMove(game, InvalidFormat(text))
    except AmbiguousMoveError:
        return InvalidMove(game, AmbiguousMove(text, choices(board, text)))
    except MoveTextError:
        return InvalidMove(game, why_illegal(board, text))


def why_illegal(board: Board, text: str) -> Reason:
    """What is wrong with a move that has the right form; only coordinates tell which square was meant."""
    origin = origin_of(text)
    piece = board.piece_at(origin) if origin else ""
    if piece is None:
        return NoPiece(origin)
    if piece and piece.isupper() != (board.turn == "white"):
        return WrongColor(origin)
    return IllegalMove(text)


def play(game: Game, move: int) -> Outcomes:
    """Make a legal move and see what the game has become."""
    before = game.board
    after = game.after(move)
    executed = MoveExecuted(after, after.history.moves[-1], before.san(move), before.captured_by(move))
    return executed, *consequences(after, before.turn)


def consequences(game: Game, mover: str) -> list[GameEvent]:
    """What the last move, by this side, means for the game."""
    board = game.board
    status = board.status()
    if status is Status.CHECKMATE:
        return [Checkmate(game, mover)]
    if status is Status.STALEMATE:
        return [Stalemate(game)]
    if status.is_over:
        return [AutomaticDraw(game, status)]
    found: list[GameEvent] = []
    if status is Status.CHECK:
        found.append(CheckDetected(game))
    if board.can_claim_fifty_moves():
        found.append(FiftyMoveRuleAvailable(game))
    if board.can_claim_threefold():
        found.append(ThreefoldAvailable(game))
    return found
