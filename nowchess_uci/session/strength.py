"""Playing weaker than the engine can: fewer nodes and a less certain choice, like a person who sees less.

The formulas are first guesses until they are calibrated by games.
"""

from __future__ import annotations

from nowchess_uci.search.limits import Limits

TYPE_CHECKING = False
if TYPE_CHECKING:
    import random  # takes milliseconds to import, and few play at limited strength

CANDIDATES = 5
LEAST_ELO = 1000
FULL_ELO = 2800
LEAST_NODES = 60
ELO_PER_DOUBLING = 190


def nodes_for(elo: int) -> int:
    """How many nodes a player of that strength looks at."""
    return round(LEAST_NODES * 2 ** ((elo - LEAST_ELO) / ELO_PER_DOUBLING))


def doubt_for(elo: int) -> float:
    """How uncertain such a player is about the score of a move, in centipawns."""
    return max(FULL_ELO - elo, 0) / 9


def choose(scores: list[int], elo: int, source: random.Random) -> int:
    """The index of the move to play: the best one as this player sees it."""
    doubt = doubt_for(elo)
    seen = [score + source.gauss(0, doubt) for score in scores]
    return seen.index(max(seen))


def limited(limits: Limits, elo: int, source: random.Random) -> Limits:
    """The limits of a search that is to be as weak as `elo` says."""
    nodes = nodes_for(elo)
    return limits._replace(
        nodes=min(nodes, limits.nodes or nodes),
        multi_pv=max(limits.multi_pv, CANDIDATES),
        choose=lambda scores: choose(scores, elo, source),
    )
