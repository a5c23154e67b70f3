"""The words that a player reads for what happened in a game, and for why an input changed nothing."""

from nowchess_uci.game import outcomes
from nowchess_uci.game.game import Game
from nowchess_uci.rules.fen import shown

PIECE_NAMES = {"p": "Pawn", "n": "Knight", "b": "Bishop", "r": "Rook", "q": "Queen", "k": "King"}
OTHER = {"white": "Black", "black": "White"}
MISSING = {
    outcomes.Missing.UNDO: "Nothing to undo.",
    outcomes.Missing.REDO: "Nothing to redo.",
    outcomes.Missing.PROMOTION: "No promotion is pending.",
}


def side_name(game: Game) -> str:
    """The side to move, as it begins a sentence."""
    return game.board.turn.capitalize()


def render_outcome(outcome: outcomes.GameEvent) -> str:
    """One line, or nothing for what the board shows by itself."""
    match outcome:
        case outcomes.MoveExecuted(_, move, _, captured) if captured:
            mover, loser = ("White", "Black") if captured.islower() else ("Black", "White")
            return f"{mover} captures {loser} {PIECE_NAMES[captured.lower()]} on {move.target}"
        case outcomes.CheckDetected(game):
            return f"{side_name(game)} is in check!"
        case outcomes.ThreefoldAvailable(game):
            return f"[Threefold repetition] {side_name(game)} may claim a draw by typing draw."
        case outcomes.InvalidMove(_, reason):
            return render_reason(reason)
        case outcomes.Checkmate(_, winner):
            return f"Checkmate! {winner.capitalize()} wins."
        case outcomes.Stalemate():
            return "Stalemate! The game is a draw."
        case outcomes.AutomaticDraw(_, status):
            return f"Draw by {status}."
        case outcomes.DrawClaimed(_, claim):
            return f"Draw claimed by {claim}."
        case outcomes.DrawAgreed():
            return "Draw agreed."
        case outcomes.Resigned(_, winner):
            return f"{OTHER[winner]} resigns. {winner.capitalize()} wins."
    return ""


def render_reason(reason: outcomes.Reason) -> str:
    """Why an input changed nothing."""
    match reason:
        case outcomes.InvalidFormat(text):
            return f"Invalid move format {shown(text)}. Use coordinate notation, e.g. e2e4, or SAN, e.g. Nf3."
        case outcomes.NoPiece(square):
            return f"No piece on {square}."
        case outcomes.WrongColor():
            return "That is not your piece."
        case outcomes.IllegalMove():
            return "Illegal move. Type moves to see the legal ones."
        case outcomes.AmbiguousMove(text, choices):
            return f"{shown(text)} fits several moves: {', '.join(choices)}."
        case outcomes.DrawRefused():
            return render_refusal(reason)
        case outcomes.InvalidPiece():
            return "Invalid piece. Choose (q/r/b/n)."
        case outcomes.Missing():
            return MISSING[reason]


def render_refusal(refused: outcomes.DrawRefused) -> str:
    """Why a draw cannot be claimed."""
    _, *intended = refused.text.split(maxsplit=1)
    if not intended:
        return "Draw cannot be claimed: the 50-move rule has not been triggered."
    move = shown(intended[0])
    if refused.stands_without_move:
        return f"Draw cannot be claimed with {move}, only before it: type draw alone."
    return f"Draw cannot be claimed with {move}: no 50 moves, no threefold repetition."


def render_failure(name: str, error: BaseException) -> str:
    """Why a file could not be written, by the name that the player knows it by."""
    reason = (isinstance(error, OSError) and error.strerror) or str(error) or "interrupted"
    return f"The game could not be saved to {name!a} ({reason})."
