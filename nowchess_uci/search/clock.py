"""How long to think: plain arithmetic on the clock, no position, no waiting.

The soft limit says when not to start another iteration, the hard limit when to stop in the middle of one.
"""

from typing import NamedTuple

from nowchess_uci.search.task import Task

LONGEST_HORIZON = 40  # moves the remaining time is spread over when nothing is added to it
SHORTEST_HORIZON = 24  # and when each move adds a hundredth of it or more
RESERVE_MS = 50  # never planned for: a busy machine may take as much from one move
FOREVER_MS = 1e15


class Budget(NamedTuple):
    """Milliseconds from the start of the clock."""

    soft_ms: float
    hard_ms: float


def budget_for(task: Task) -> Budget:
    """The time for one move, safely inside what the clock has left."""
    hard = FOREVER_MS
    soft = FOREVER_MS
    if task.limits.movetime_ms is not None:
        hard = soft = max(task.limits.movetime_ms - task.overhead_ms, 1)
    if task.time_ms is not None:
        usable = float(max(task.time_ms - task.overhead_ms, 1))
        usable -= min(RESERVE_MS, 0.25 * usable)
        moves = float(min(task.limits.moves_to_go or LONGEST_HORIZON, LONGEST_HORIZON))
        if task.limits.moves_to_go is None:
            moves -= (LONGEST_HORIZON - SHORTEST_HORIZON) * min(100 * task.increment_ms / usable, 1)
        kept = max(task.increment_ms - task.overhead_ms, 0)  # the moves to come have their overhead too
        share = usable / moves + 0.8 * kept
        most = usable * (0.85 if task.limits.moves_to_go == 1 else 0.5 if task.limits.moves_to_go else 0.3)
        hard = min(hard, most, 4.5 * share)
        soft = min(soft, hard, (0.72 if task.may_ponder else 0.6) * share)
    return Budget(soft, hard)


def scaled_soft_ms(budget: Budget, best_share: float, stable_iterations: int, score_drop: int) -> float:
    """The soft limit adjusted to the position: less when one move takes most of the nodes and stays the best,
    more when the score is falling."""
    by_nodes = 1.75 - 1.25 * best_share
    by_stability = max(1.25 - 0.07 * stable_iterations, 0.8)
    by_score = 1.0 + min(max(score_drop, 0), 80) / 100
    return min(budget.soft_ms * by_nodes * by_stability * by_score, budget.hard_ms)
