"""The time for one move: arithmetic, no waiting."""

import pytest
from tasks import task

from nowchess_uci.search.clock import FOREVER_MS, Budget, budget_for, scaled_soft_ms


def test_without_a_clock_there_is_no_limit() -> None:
    assert budget_for(task(depth=5)) == Budget(FOREVER_MS, FOREVER_MS)


@pytest.mark.parametrize("time_ms", [1, 10, 50, 100, 1_000, 60_000, 10_000_000])
@pytest.mark.parametrize("increment_ms", [0, 10, 1_000])
@pytest.mark.parametrize("moves_to_go", [None, 1, 2, 40])
def test_the_hard_limit_stays_inside_the_clock(time_ms: int, increment_ms: int, moves_to_go: int | None) -> None:
    budget = budget_for(task(time_ms=time_ms, increment_ms=increment_ms, moves_to_go=moves_to_go, overhead_ms=10))
    assert 0 < budget.soft_ms <= budget.hard_ms
    assert budget.hard_ms <= max(time_ms - 10, 1)


@pytest.mark.parametrize("time_ms", [0, -5, -100_000])
def test_no_time_left_still_gives_a_moment(time_ms: int) -> None:
    assert 0 < budget_for(task(time_ms=time_ms, increment_ms=0)).hard_ms <= 1


def test_without_increment_the_clock_lasts_for_a_long_game() -> None:
    left = 20_000.0
    for _ in range(80):
        left -= budget_for(task(time_ms=round(left))).soft_ms
    assert left > 4_000


def test_with_an_increment_some_of_the_clock_is_never_touched() -> None:
    left = 1_000.0
    for _ in range(200):
        left += 10 - 1 - budget_for(task(time_ms=round(left), increment_ms=10, overhead_ms=10)).soft_ms
    assert left > 300


def test_with_an_increment_more_is_spent() -> None:
    alone = budget_for(task(time_ms=10_000)).soft_ms
    assert budget_for(task(time_ms=10_000, increment_ms=200)).soft_ms > alone + 100


def test_movetime_is_used_up_except_for_the_overhead() -> None:
    assert budget_for(task(movetime_ms=500, overhead_ms=20)) == Budget(480, 480)
    assert budget_for(task(movetime_ms=5, overhead_ms=20)) == Budget(1, 1)


def test_clock_and_movetime_together_take_the_smaller() -> None:
    assert budget_for(task(movetime_ms=500, time_ms=100)).hard_ms <= 100


def test_more_time_is_given_to_falling_scores_and_less_to_clear_moves() -> None:
    budget = Budget(100, 1000)
    normal = scaled_soft_ms(budget, 0.5, 3, 0)
    assert scaled_soft_ms(budget, 0.95, 3, 0) < normal
    assert scaled_soft_ms(budget, 0.5, 9, 0) < normal
    assert scaled_soft_ms(budget, 0.5, 3, 60) > normal
    assert scaled_soft_ms(budget, 0.1, 0, 500) <= budget.hard_ms
