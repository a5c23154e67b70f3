"""The decisions of the search, as functions of numbers."""

import itertools

import pytest

from nowchess_uci.search.pruning import (
    decisions,
    history_bonus,
    judge_singular,
    null_move_depth,
    null_move_lead,
    singular_limit,
)
from nowchess_uci.search.scores import MATE_SCORE

DEPTHS = range(1, 40)
PLY = 1024  # reductions are counted in parts of it


def is_rising(values: list[int]) -> bool:
    """True if no value is below the one before."""
    return all(first <= second for first, second in itertools.pairwise(values))


@pytest.mark.parametrize("improving", [False, True])
def test_margins_grow_with_depth(improving: bool) -> None:
    assert is_rising([decisions.reverse_futility_margin(depth, improving) for depth in DEPTHS])
    assert is_rising([decisions.futility_margin(depth) for depth in DEPTHS])
    assert is_rising([decisions.late_move_count(depth, improving) for depth in DEPTHS])
    assert is_rising([-decisions.exchange_margin(depth, improving) for depth in DEPTHS])
    assert is_rising([history_bonus(depth) for depth in DEPTHS])


def test_a_rising_score_is_trusted_more_and_its_moves_are_given_more_chances() -> None:
    for depth in DEPTHS:
        assert decisions.reverse_futility_margin(depth, True) < decisions.reverse_futility_margin(depth, False)
        assert decisions.late_move_count(depth, True) > decisions.late_move_count(depth, False)


def test_a_node_is_cut_only_far_above_beta_and_near_the_leaves() -> None:
    margin = decisions.reverse_futility_margin(5, False)
    assert decisions.is_safely_above(50 + margin, 50, 5, False)
    assert not decisions.is_safely_above(49 + margin, 50, 5, False)
    assert not decisions.is_safely_above(10_000, 50, 10, False)
    assert not decisions.is_safely_above(MATE_SCORE - 10, 50, 5, False)


def test_a_null_move_needs_a_lead_at_low_depth_only() -> None:
    assert null_move_lead(3) > 0
    assert is_rising([-null_move_lead(depth) for depth in DEPTHS])
    assert null_move_lead(12) < 0


def test_a_null_move_leaves_less_depth_the_higher_the_score() -> None:
    depths = [null_move_depth(12, 100 + lead, 100) for lead in range(0, 2000, 50)]
    assert is_rising([-depth for depth in depths])
    assert depths[0] < 12 - 3
    assert depths[0] - depths[-1] == 3  # however high the score is


@pytest.mark.parametrize("improving", [False, True])
def test_quiet_moves_are_late_from_the_count_on(improving: bool) -> None:
    for depth in DEPTHS:
        count = decisions.late_move_count(depth, improving)
        assert count >= 1
        assert decisions.is_late(count, depth, improving)
        assert not decisions.is_late(count - 1, depth, improving)


def test_quiet_moves_are_futile_far_below_alpha() -> None:
    margin = decisions.futility_margin(3)
    assert decisions.is_futile(100 - margin, 100, 3)
    assert not decisions.is_futile(101 - margin, 100, 3)
    assert decisions.is_futile(-10_000, 100, 8)
    assert not decisions.is_futile(-10_000, 100, 9)  # too far from the leaves


def test_only_a_very_bad_history_prunes_and_only_next_to_the_leaves() -> None:
    assert decisions.has_bad_history(-24_000, 4, 4)
    assert not decisions.has_bad_history(-24_000, 4, 5)
    assert not decisions.has_bad_history(-24_000, 6, 4)
    assert not decisions.has_bad_history(0, 1, 0)


def test_exchanges_are_asked_near_the_leaves_and_may_lose_something() -> None:
    assert [depth for depth in range(20) if decisions.asks_exchange(depth, True)] == list(range(9))
    assert [depth for depth in range(20) if decisions.asks_exchange(depth, False)] == list(range(8))
    assert decisions.exchange_margin(0, True) == 0
    assert decisions.exchange_margin(1, False) < decisions.exchange_margin(1, True) < 0


@pytest.mark.parametrize("quiet", [False, True])
def test_reductions_grow_with_depth_and_with_the_number_of_the_move(quiet: bool) -> None:
    for fixed in range(1, 100):
        assert is_rising([decisions.reduction(fixed, number, quiet) for number in range(1, 256)])
        assert is_rising([decisions.reduction(depth, fixed, quiet) for depth in range(1, 256)])


def test_captures_are_reduced_less_than_quiet_moves_and_a_first_move_not_at_all() -> None:
    for depth, number in itertools.product(range(1, 70), repeat=2):
        assert 0 <= decisions.reduction(depth, number, False) <= decisions.reduction(depth, number, True)
    assert all(decisions.reduction(depth, 1, quiet) < PLY for depth in range(1, 70) for quiet in (False, True))


def test_the_node_adds_to_a_reduction() -> None:
    plain = decisions.node_reduction(True, False, False, False)
    assert plain == 0
    assert decisions.node_reduction(False, False, False, False) > plain
    assert decisions.node_reduction(True, True, False, False) > plain
    once_on_the_variation = decisions.node_reduction(True, False, False, True)
    assert decisions.node_reduction(True, False, True, True) < once_on_the_variation < plain


def test_its_surroundings_add_to_a_reduction() -> None:
    assert decisions.doubt_reduction(False, 0, 0) == 0
    assert decisions.doubt_reduction(True, 0, 0) > 0
    assert decisions.doubt_reduction(False, 10, 0) > 0
    assert decisions.doubt_reduction(False, 0, 100) < 0


def test_checks_killers_and_good_histories_are_reduced_less() -> None:
    assert decisions.move_reduction(False, 0, False) == 0
    assert decisions.move_reduction(True, 0, False) == -PLY
    assert decisions.move_reduction(False, 0, True) == -PLY
    assert decisions.move_reduction(True, 30_000, True) < -2 * PLY
    assert decisions.move_reduction(False, -30_000, False) > 0
    assert is_rising([-decisions.move_reduction(False, history, False) for history in range(-49_000, 49_000, 500)])


def test_a_move_that_surprises_when_reduced_is_searched_deeper_and_one_that_hardly_does_less_deep() -> None:
    assert decisions.revised_depth(500, 100, 8) == 1
    assert decisions.revised_depth(102, 100, 8) == -1
    assert decisions.revised_depth(130, 100, 8) == 0


class TestSingular:
    """A table move of score 100 at depth 10, in a node whose beta is 60 or 200."""

    limit = singular_limit(100, 10, False)

    def test_the_limit_is_below_the_score_of_the_table(self) -> None:
        assert singular_limit(100, 20, False) < self.limit < 100
        assert singular_limit(100, 10, True) < self.limit

    def test_a_move_better_than_all_others_is_extended(self) -> None:
        assert judge_singular(self.limit - 1, self.limit, 100, 200, False, False)["extension"] == 1
        assert judge_singular(self.limit - 1, self.limit, 100, 200, True, False)["extension"] == 1

    def test_a_move_much_better_than_all_others_is_extended_twice_but_not_on_the_principal_variation(self) -> None:
        assert judge_singular(-500, self.limit, 100, 200, False, False)["extension"] == 2
        assert judge_singular(-500, self.limit, 100, 200, True, False)["extension"] == 1

    def test_others_that_beat_beta_cut_the_node_off(self) -> None:
        result = judge_singular(90, self.limit, 100, 60, False, True)
        assert result["is_cutoff"]
        assert result["score"] == 90

    def test_a_mate_without_the_move_is_not_returned(self) -> None:
        assert not judge_singular(MATE_SCORE - 5, self.limit, 100, 60, False, False)["is_cutoff"]

    def test_a_move_that_only_the_table_puts_above_beta_is_searched_less(self) -> None:
        assert judge_singular(self.limit, self.limit, 100, 95, False, False) == {
            "extension": -2,
            "is_cutoff": False,
            "score": self.limit,
        }

    def test_where_a_cutoff_is_expected_a_move_that_is_not_singular_is_searched_less(self) -> None:
        assert judge_singular(self.limit, self.limit, 100, 200, False, True)["extension"] == -1

    def test_other_moves_change_nothing(self) -> None:
        result = judge_singular(self.limit, self.limit, 100, 200, False, False)
        assert (result["extension"], result["is_cutoff"]) == (0, False)


def test_the_history_bonus_has_a_limit() -> None:
    assert history_bonus(1) > 0
    assert history_bonus(60) == history_bonus(200)


def test_only_a_result_that_contradicts_the_static_score_corrects_it() -> None:
    upper, lower, exact = 1, 2, 3
    assert decisions.belies_static(80, 50, exact)
    assert decisions.belies_static(20, 50, exact)
    assert decisions.belies_static(80, 50, lower)  # at least 80: more than 50
    assert not decisions.belies_static(20, 50, lower)  # at least 20: it may be 50
    assert decisions.belies_static(20, 50, upper)
    assert not decisions.belies_static(80, 50, upper)
    assert not decisions.belies_static(MATE_SCORE - 7, 50, exact)
