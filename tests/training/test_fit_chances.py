"""The curve of chances is fitted to what there is, or the lack is named; either ends."""

import pytest
from training import fit_chances
from training.fit_chances import Count


def counted(even: float, spread: float) -> list[Count]:
    """A hundred thousand positions of each score, as a curve has them."""
    found = []
    for score in range(-600, 601, 10):
        loss, draw, win = fit_chances.predicted(score, even, spread)
        found.append(Count(score, round(1e5 * loss), round(1e5 * draw), round(1e5 * win)))
    return found


@pytest.mark.parametrize(("even", "spread"), [(133, 88), (60, 200), (300, 40)])
def test_a_curve_is_found_again(even: float, spread: float) -> None:
    assert fit_chances.fit(counted(even, spread)) == pytest.approx((even, spread), abs=2)


@pytest.mark.parametrize(
    "counts",
    [
        [Count(-50, 27, 0, 2), Count(50, 0, 0, 29)],  # nothing drawn
        [Count(0, 0, 10, 0)],  # everything
        [Count(-50, 10, 10, 10), Count(50, 10, 10, 10)],  # a score says nothing
        [Count(-50, 0, 1, 30), Count(50, 30, 1, 0)],  # or the wrong thing
    ],
)
def test_a_fit_ends_whatever_the_games_are(counts: list[Count]) -> None:
    even, spread = fit_chances.fit(counts)
    assert 0 <= even <= fit_chances.MOST
    assert 10 < spread <= fit_chances.MOST
