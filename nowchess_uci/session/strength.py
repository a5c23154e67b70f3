"""Playing weaker than the engine can: fewer nodes and a less certain choice, like a person who sees less.

The formulas are first guesses until they are calibrated by games.
"""

import random

CANDIDATES = 5
FULL_ELO = 2800
LEAST_NODES = 60
ELO_PER_DOUBLING = 190


def nodes_for(elo: int) -> int:
    """How many nodes a player of that strength looks at."""
    return round(LEAST_NODES * 2 ** ((elo - 1000) / ELO_PER_DOUBLING))


def doubt_for(elo: int) -> float:
    """How uncertain such a player is about the score of a move, in centipawns."""
    return max(FULL_ELO - elo, 0) / 9


def choose(scores: list[int], elo: int, source: random.Random) -> int:
    """The index of the move to play: the best one as this player sees it."""
    doubt = doubt_for(elo)
    seen = [score + source.gauss(0, doubt) for score in scores]
    return seen.index(max(seen))
