"""Playing weaker than the engine can: fewer nodes and a less certain choice, like a person who sees less.

A player's level is one number. Each level doubles the nodes and, below SURE_LEVEL, takes away some of the doubt about
the scores that the search finds. Which level plays at which Elo was measured against Stockfish's UCI_Elo: the games
are in docs/records/strength.md.
"""

from __future__ import annotations

import math
from itertools import pairwise

from nowchess_uci.search.task import Task

TYPE_CHECKING = False
if TYPE_CHECKING:
    import random  # takes milliseconds to import, and few play at limited strength

# Elo, and the level that plays so; straight lines between them.
LEVELS = (
    (600, -2.0),
    (680, 0.0),
    (890, 2.0),
    (1010, 3.0),
    (1070, 4.0),
    (1210, 5.0),
    (1275, 6.0),
    (1600, 7.0),
    (1910, 8.0),
    (2050, 9.0),
    (2320, 10.0),
    (2570, 11.0),
    (2830, 13.0),
)
LEAST_ELO = LEVELS[0][0]
FULL_ELO = LEVELS[-1][0]
NODES_AT_ZERO = 30
DOUBT_OF_A_LEVEL = 24
SURE_LEVEL = 10
LEAST_NODES_LEVEL = 3  # below it the nodes stay the same and more moves are compared, in more doubt
CANDIDATES_OF_A_LEVEL = 2
MOST_CANDIDATES = 5
DOUBT_OF_A_CANDIDATE = 30


def level_for(elo: int) -> float:
    """The level of that strength."""
    (low_elo, low), (high_elo, high) = next(pair for pair in pairwise(LEVELS) if elo <= pair[1][0])
    return low + (high - low) * (elo - low_elo) / (high_elo - low_elo)


def nodes_at(level: float) -> int:
    """How many nodes a player of that level looks at."""
    return round(NODES_AT_ZERO * 2 ** max(level, LEAST_NODES_LEVEL))


def doubt_at(level: float) -> float:
    """How uncertain such a player is about the score of a move, in centipawns."""
    return DOUBT_OF_A_LEVEL * max(SURE_LEVEL - level, 0)


def candidates_at(level: float) -> int:
    """How many moves such a player compares: the doubtful more, the sure one only sees the best."""
    most = MOST_CANDIDATES + max(math.ceil(CANDIDATES_OF_A_LEVEL * (LEAST_NODES_LEVEL - level)), 0)
    return min(1 + math.ceil(doubt_at(level) / DOUBT_OF_A_CANDIDATE), most)


def choose(scores: list[int], doubt: float, source: random.Random) -> int:
    """The index of the move to play: the best one as this player sees it."""
    seen = [score + source.gauss(0, doubt) for score in scores]
    return seen.index(max(seen))


def limited(task: Task, elo: int, source: random.Random) -> Task:
    """A search that is to be as weak as `elo` says."""
    return at_level(task, level_for(elo), source)


def at_level(task: Task, level: float, source: random.Random) -> Task:
    """A search by a player of that level."""
    nodes = nodes_at(level)
    task = task._replace(limits=task.limits._replace(nodes=min(nodes, task.limits.nodes or nodes)))
    doubt = doubt_at(level)
    if not doubt:
        return task
    candidates = max(task.lines, candidates_at(level))
    return task._replace(lines=candidates, choose=lambda scores: choose(scores, doubt, source))
