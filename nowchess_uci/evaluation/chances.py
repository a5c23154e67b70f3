"""From a score to the chances of win, draw and loss.

A logistic curve for winning and one for losing, fitted by scripts/training/fit_chances.py to the engine's own games.
"""

from math import exp

EVEN_CHANCE = 133.0  # centipawns at which half of the games are won
SPREAD = 88.0


def chances(score: int) -> tuple[int, int, int]:
    """Thousandths of win, draw and loss for the side to move; together 1000."""
    win = round(1000 / (1 + exp(min(max((EVEN_CHANCE - score) / SPREAD, -50), 50))))
    loss = round(1000 / (1 + exp(min(max((EVEN_CHANCE + score) / SPREAD, -50), 50))))
    return win, 1000 - win - loss, loss
