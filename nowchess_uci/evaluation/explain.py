"""The evaluation as a table for people: what each group of terms adds."""

from nowchess_uci.evaluation.evaluate import Evaluator, score_of, trace_of
from nowchess_uci.evaluation.network import Network
from nowchess_uci.evaluation.terms import DANGER_SCALE, GROUPS, weight_of
from nowchess_uci.rules.fen import COLOR_NAMES
from nowchess_uci.rules.position import Position


def danger_of(attack: dict[int, int]) -> tuple[int, int]:
    """What the units of one side's attack are worth, middlegame and ending."""
    units = sum(count * weight_of(term)[0] for term, count in attack.items())
    end = sum(count * weight_of(term)[1] for term, count in attack.items())
    return max(units, 0) ** 2 // DANGER_SCALE, end


def render_evaluation(position: Position, network: Network | None = None) -> str:
    """One row for each group: middlegame and ending, White minus Black; then the score for the side to move.

    With a network, only what it is and its score.
    """
    side = COLOR_NAMES[position.side]
    if network is not None:
        score = Evaluator(network).score(position)
        return f"Network {network.name}\nEvaluation: {score} centipawns for {side}, to move"
    used, attacks, phase, _, _ = trace_of(position)
    rows = [f"{'term':<18}{'middlegame':>12}{'ending':>10}"]
    for name, first, last in GROUPS[:-1]:
        middle = sum(count * weight_of(term)[0] for term, count in used.items() if first <= term < last)
        end = sum(count * weight_of(term)[1] for term, count in used.items() if first <= term < last)
        rows.append(f"{name:<18}{middle:>12}{end:>10}")
    (white, white_end), (black, black_end) = (danger_of(attack) for attack in attacks)
    rows.append(f"{GROUPS[-1][0]:<18}{white - black:>12}{white_end - black_end:>10}")
    rows += ["", f"Phase: {phase} of 24", f"Evaluation: {score_of(position)} centipawns for {side}, to move"]
    return "\n".join(rows)
