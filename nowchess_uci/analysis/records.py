"""Analyses as rows of plain values, for JSON lines and CSV: everything that is known about a move, or a position."""

import csv
import io
import json
from collections.abc import Iterator

from nowchess_uci.analysis.model import Alternative, Evaluation, GameAnalysis, Ply, PositionAnalysis

Row = dict[str, object]
GAME_COLUMNS = (
    *("source", "game", "white", "black", "result", "ply", "move", "colour", "fen", "san", "uci", "phase", "clock"),
    *("cp", "mate", "win", "draw", "loss", "depth", "nodes", "best", "line"),
    *("cp_after", "mate_after", "win_after", "draw_after", "loss_after"),
    *("cp_loss", "drop", "accuracy", "judgement"),
)
POSITION_COLUMNS = (
    *("source", "line_number", "id", "fen", "cp", "mate", "win", "draw", "loss", "depth", "nodes", "best", "line"),
    *("wanted", "solved", "solved_depth", "solved_nodes"),
)


def rows_of(analysis: GameAnalysis | PositionAnalysis) -> Iterator[Row]:
    """One row for each move of a game, or one for a position."""
    if isinstance(analysis, PositionAnalysis):
        yield position_row(analysis)
    else:
        for ply in analysis.plies:
            yield ply_row(analysis, ply)


def ply_row(game: GameAnalysis, ply: Ply) -> Row:
    """One move: `cp` to `line` are of the position before it, as White sees it."""
    after = evaluation_row(ply.after)
    fields = ply.fen.split()
    return {
        "source": game.source,
        "game": game.number,
        "white": game.tags.get("White", "?"),
        "black": game.tags.get("Black", "?"),
        "result": game.result,
        "ply": ply.number,
        "move": int(fields[5]),
        "colour": "white" if fields[1] == "w" else "black",
        "fen": ply.fen,
        "san": ply.san,
        "uci": ply.uci,
        "phase": ply.phase,
        "clock": ply.clock,
        **evaluation_row(ply.before),
        **{f"{name}_after": after[name] for name in ("cp", "mate", "win", "draw", "loss")},
        "cp_loss": ply.loss,
        "drop": rounded(ply.drop),
        "accuracy": rounded(ply.accuracy),
        "judgement": ply.judgement,
    }


def evaluation_row(evaluation: Evaluation | None) -> Row:
    """What the engine thinks of a position; all empty if it was not asked."""
    if evaluation is None:
        return dict.fromkeys(("cp", "mate", "win", "draw", "loss", "depth", "nodes", "best", "line"))
    win, draw, loss = evaluation.wdl
    row: Row = {
        "cp": evaluation.cp,
        "mate": evaluation.mate,
        "win": win,
        "draw": draw,
        "loss": loss,
        "depth": evaluation.depth,
        "nodes": evaluation.nodes,
        "best": evaluation.best,
        "line": list(evaluation.line),
    }
    if evaluation.others:
        row["others"] = [other_row(other) for other in evaluation.others]
    return row


def other_row(other: Alternative) -> Row:
    """The second best line of a position, or the third."""
    return {"cp": other.cp, "mate": other.mate, "line": list(other.line)}


def position_row(position: PositionAnalysis) -> Row:
    """One position of an EPD file."""
    return {
        "source": position.source,
        "line_number": position.number,
        "id": position.name,
        "fen": position.fen,
        **evaluation_row(position.evaluation),
        "wanted": position.wanted,
        "solved": position.solved,
        "solved_depth": position.solved_depth,
        "solved_nodes": position.solved_nodes,
    }


def rounded(value: float | None) -> float | None:
    """Two decimals: what is beyond them may differ from one processor to the next."""
    return None if value is None else round(value, 2)


def json_line(row: Row) -> str:
    """A row as one line of JSON."""
    return json.dumps(row, ensure_ascii=False) + "\n"


def csv_line(values: list[object]) -> str:
    """A row of CSV; a text that a spreadsheet would take for a formula is marked as a text."""
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerow([csv_value(value) for value in values])
    return buffer.getvalue()


def csv_value(value: object) -> object:
    """A value as a spreadsheet takes it."""
    if isinstance(value, list):
        return " ".join(str(item) for item in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r")):
        return f"'{value}"
    return value
