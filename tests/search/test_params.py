"""A tuner sets parameters and sees what they do."""

import functools
from collections.abc import Iterator

import pytest

from nowchess_uci.engine.bench import Bench
from nowchess_uci.search.params import PARAMS, Param, current_params, set_params
from nowchess_uci.search.pruning import decisions, history_bonus, judge_singular, null_move_depth, singular_limit

DEFAULTS = {param.name: param.value for param in PARAMS}


@pytest.fixture(autouse=True)
def _defaults_afterwards() -> Iterator[None]:
    yield
    set_params({})


def test_each_default_is_within_its_range_and_a_step_away_from_its_ends() -> None:
    for param in PARAMS:
        assert param.low <= param.value <= param.high
        assert 0 < param.step <= param.high - param.low
    assert len(DEFAULTS) == len(PARAMS)


def test_the_defaults_are_in_use() -> None:
    assert current_params() == DEFAULTS


def test_one_value_changes_and_the_others_keep_their_defaults() -> None:
    set_params({"futility_margin": 120})
    assert current_params() == {**DEFAULTS, "futility_margin": 120}
    set_params({"null_base": 4})
    assert current_params() == {**DEFAULTS, "null_base": 4}


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(ValueError, match="no parameter is called 'futility'"):
        set_params({"futility_margin": 120, "futility": 1})
    assert current_params() == DEFAULTS


@pytest.mark.parametrize("value", [-1, 0, 100_000])
def test_a_value_out_of_its_range_is_refused(value: int) -> None:
    with pytest.raises(ValueError, match="reduction_divisor"):
        set_params({"reduction_divisor": value})
    assert current_params() == DEFAULTS


def reductions() -> list[int]:
    return [decisions.reduction(depth, number, True) for depth in range(1, 64) for number in range(1, 64)]


def test_tables_made_of_parameters_follow_them() -> None:
    before = reductions()
    set_params({"reduction_base": 175})
    assert reductions() == [reduced + 1024 for reduced in before]  # a ply
    set_params({"reduction_divisor": 400})
    assert sum(reductions()) < sum(before)
    set_params({})
    assert reductions() == before


@functools.cache
def default_nodes(depth: int) -> int:
    return Bench(depth, 1, 1).run()[0]


@pytest.mark.parametrize("param", PARAMS, ids=lambda param: param.name)
def test_every_parameter_reaches_the_search(param: Param) -> None:
    default = default_nodes(8)
    set_params({param.name: param.low if param.low < param.value else param.high})
    assert Bench(8, 1, 1).run()[0] != default


def test_the_defaults_restore_the_search() -> None:
    default = default_nodes(8)
    set_params({param.name: param.low for param in PARAMS})
    assert Bench(8, 1, 1).run()[0] != default
    set_params({})
    assert Bench(8, 1, 1).run()[0] == default


def test_the_decisions_are_made_of_the_parameters() -> None:
    set_params({"late_move_base": 1, "null_base": 5, "singular_margin": 6, "history_bonus_limit": 600})
    assert decisions.late_move_count(1, True) == 2
    assert null_move_depth(12, 0, 0) == 12 - 5 - 4
    assert singular_limit(100, 10, False) == 40
    assert history_bonus(30) == 600
    set_params({"double_extension_margin": 60})
    assert judge_singular(-40, 0, 20, 100, False, False)["extension"] == 1
