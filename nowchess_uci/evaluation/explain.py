"""The evaluation for people: a board that shows what each piece is worth to the network, and the score."""

from nowchess_uci.evaluation.evaluate import Evaluator
from nowchess_uci.evaluation.network import Network
from nowchess_uci.rules.constants import WHITE
from nowchess_uci.rules.diagram import FILES, diagram_rows
from nowchess_uci.rules.fen import COLOR_NAMES
from nowchess_uci.rules.position import Position

CELL = 7  # letters


def render_evaluation(position: Position, network: Network) -> str:
    """Each piece with what the score loses without it, in pawns and White's view; then the score."""
    evaluator = Evaluator(network)
    sign = 1 if position.side == WHITE else -1

    def render_worth(square: int, letter: str | None) -> str:
        worth = evaluator.worth(position, square)
        return "" if letter is None or worth is None else f"{sign * worth / 100:+.2f}"

    frame = "  " + "+".join(["", *["-" * CELL] * 8, ""])
    lines = [frame]
    letters = diagram_rows(position, lambda _, letter: letter or "")
    for (rank, pieces), (_, worths) in zip(letters, diagram_rows(position, render_worth), strict=True):
        lines.append(f"{rank} |" + "|".join(piece.center(CELL) for piece in pieces) + "|")
        lines.append("  |" + "|".join(worth.center(CELL) for worth in worths) + "|")
        lines.append(frame)
    lines.append("   " + " ".join(file.center(CELL) for file in FILES).rstrip())
    score = evaluator.score(position)
    mover = COLOR_NAMES[position.side].capitalize()
    return "\n".join(
        [
            *lines,
            "",
            "Under each piece: what the network's score would lose without it, in pawns for White.",
            "These do not add up to the score: each piece is worth what it is among the others.",
            f"Network {network.name}: {sign * evaluator.network_score(position) / 100:+.2f} pawns for White",
            f"Evaluation: {sign * score / 100:+.2f} pawns for White, as the search uses it: scaled by material, and "
            f"corrected in known endings ({score:+d} centipawns for {mover}, to move)",
        ]
    )
