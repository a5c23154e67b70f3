"""Limited strength: more Elo sees more and doubts less."""

import random
from itertools import pairwise

import pytest
from tasks import task

from nowchess_uci.engine import strength

ELOS = range(strength.LEAST_ELO, strength.FULL_ELO + 1, 10)


def test_every_elo_is_stronger_than_the_one_below() -> None:
    for low, high in pairwise(strength.level_for(elo) for elo in ELOS):
        assert strength.nodes_at(low) <= strength.nodes_at(high)
        assert strength.doubt_at(low) >= strength.doubt_at(high)
        assert (strength.nodes_at(low), strength.doubt_at(low)) != (strength.nodes_at(high), strength.doubt_at(high))
        assert strength.candidates_at(low) >= strength.candidates_at(high)


@pytest.mark.parametrize(("elo", "level"), strength.LEVELS)
def test_measured_strengths_have_their_measured_level(elo: int, level: float) -> None:
    assert strength.level_for(elo) == level


def test_the_doubtful_consider_several_moves_and_sometimes_take_a_worse_one() -> None:
    limits = strength.limited(task(), strength.LEAST_ELO, random.Random(1))
    assert limits.lines > strength.MOST_CANDIDATES
    assert limits.shown_lines == 1
    assert limits.choose is not None
    picked = {limits.choose([30, 10, 0]) for _ in range(200)}
    assert picked == {0, 1, 2}
    # A blunder that a beginner sees is not played.
    assert {limits.choose([900, -900]) for _ in range(200)} == {0}


def test_the_strong_play_the_best_move_they_see() -> None:
    limits = strength.limited(task(time_ms=1000), strength.FULL_ELO, random.Random(1))
    assert limits.choose is None
    assert limits.lines == 1
    assert limits.time_ms == 1000


def test_a_smaller_node_limit_of_the_gui_stands() -> None:
    assert strength.limited(task(nodes=5), 2000, random.Random(1)).limits.nodes == 5
    own = strength.nodes_at(strength.level_for(2000))
    assert strength.limited(task(nodes=10**9), 2000, random.Random(1)).limits.nodes == own
