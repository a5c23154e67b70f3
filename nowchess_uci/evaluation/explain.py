"""The evaluation as a table for people: what each group of terms adds."""

from nowchess_uci.evaluation.evaluate import score_of, trace_of
from nowchess_uci.evaluation.terms import GROUPS, weight_of
from nowchess_uci.rules.position import Position


def render_evaluation(position: Position) -> str:
    """One row for each group: middlegame and ending, White minus Black; then the score for the side to move."""
    used, phase, _, _ = trace_of(position)
    rows = [f"{'term':<18}{'middlegame':>12}{'ending':>10}"]
    for name, first, last in GROUPS:
        middle = sum(count * weight_of(term)[0] for term, count in used.items() if first <= term < last)
        end = sum(count * weight_of(term)[1] for term, count in used.items() if first <= term < last)
        rows.append(f"{name:<18}{middle:>12}{end:>10}")
    side = "black" if position.side else "white"
    rows += ["", f"Phase: {phase} of 24", f"Evaluation: {score_of(position)} centipawns for {side}, to move"]
    return "\n".join(rows)
