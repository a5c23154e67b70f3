"""The transposition table gives back what it was given, as far as it can be believed."""

import itertools
import random

import pytest

from nowchess_uci.search.scores import MATE_SCORE
from nowchess_uci.search.table import Table

UPPER, LOWER, EXACT = 1, 2, 3
KEY = 0x123456789ABCDEF0


def result(**known: int) -> dict[str, int]:
    """What a search found out; anything not told is some plain number."""
    plain = {"found": True, "move": 796, "score": 35, "static_score": 20, "depth": 9, "bound": EXACT, "was_pv": False}
    return plain | known


def filled_cluster(*depths: int) -> Table:
    """A table with four entries where the keys 1 to 4 belong; the smallest keys share one place."""
    table = Table(1)
    for key, depth in enumerate(depths, 1):
        table.keep(key, 0, result(depth=depth))
    return table


def found(table: Table, keys: range) -> list[int]:
    return [key for key in keys if table.look_up(key)["found"]]


def test_a_new_table_knows_nothing() -> None:
    hit = Table(1).look_up(KEY)
    assert (hit["found"], hit["move"], hit["bound"]) == (False, 0, 0)


def test_everything_comes_back() -> None:
    table = Table(1)
    source = random.Random(1)
    for _ in range(5_000):
        key = source.getrandbits(64)
        entry = result(
            move=source.randrange(1, 1 << 16),
            score=source.randrange(-31_000, 31_000),
            static_score=source.randrange(-32_000, 32_601),
            depth=source.randrange(256),
            bound=source.choice((UPPER, LOWER, EXACT)),
            was_pv=source.random() < 0.5,
        )
        ply = source.randrange(200)
        table.keep(key, ply, entry)
        assert table.look_up(key, source.randrange(200), source.randrange(90)) == entry


def test_another_key_is_not_found() -> None:
    table = Table(1)
    table.keep(KEY, 0, result())
    assert not any(table.look_up(KEY ^ 1 << bit)["found"] for bit in range(64))


@pytest.mark.parametrize("sign", [1, -1])
def test_mates_are_counted_from_the_position_itself(sign: int) -> None:
    # A mate 30 plies from the root, seen at ply 10, is 20 plies away: at ply 4 that is 24 from the root.
    table = Table(1)
    table.keep(KEY, 10, result(score=sign * (MATE_SCORE - 30)))
    assert table.look_up(KEY, 4)["score"] == sign * (MATE_SCORE - 24)
    assert table.look_up(KEY, 10)["score"] == sign * (MATE_SCORE - 30)


def test_near_the_fifty_move_draw_a_score_bounds_nothing() -> None:
    table = Table(1)
    table.keep(KEY, 0, result())
    assert table.look_up(KEY, 0, 89)["bound"] == EXACT
    late = table.look_up(KEY, 0, 90)
    assert late["bound"] == 0
    assert (late["found"], late["move"]) == (True, 796)  # the move is still a good one to try


@pytest.mark.parametrize("sign", [1, -1])
def test_a_mate_that_comes_after_the_fifty_move_draw_bounds_nothing(sign: int) -> None:
    table = Table(1)
    table.keep(KEY, 0, result(score=sign * (MATE_SCORE - 31)))
    assert table.look_up(KEY, 0, 69)["bound"] == EXACT
    assert table.look_up(KEY, 0, 70)["bound"] == 0


def test_a_known_move_is_kept_when_a_search_finds_none() -> None:
    table = Table(1)
    table.keep(KEY, 0, result(depth=5))
    table.keep(KEY, 0, result(depth=6, move=0, bound=UPPER))
    hit = table.look_up(KEY)
    assert (hit["move"], hit["depth"]) == (796, 6)


def test_a_much_shallower_bound_does_not_replace_a_result_but_an_exact_score_does() -> None:
    table = Table(1)
    table.keep(KEY, 0, result(depth=12))
    table.keep(KEY, 0, result(depth=7, bound=LOWER))
    assert table.look_up(KEY)["depth"] == 12
    table.keep(KEY, 0, result(depth=7))
    assert table.look_up(KEY)["depth"] == 7


def test_the_result_of_an_earlier_search_is_replaced_by_a_shallower_one() -> None:
    table = Table(1)
    table.keep(KEY, 0, result(depth=12))
    table.begin_search()
    table.keep(KEY, 0, result(depth=2, bound=LOWER))
    assert table.look_up(KEY)["depth"] == 2


@pytest.mark.parametrize("depths", list(itertools.permutations((3, 6, 9, 12))))
def test_a_full_cluster_gives_up_its_shallowest_entry(depths: tuple[int, ...]) -> None:
    table = filled_cluster(*depths)
    assert found(table, range(1, 5)) == [1, 2, 3, 4]
    table.keep(5, 0, result(depth=1))
    shallowest = depths.index(3) + 1
    assert found(table, range(1, 6)) == [key for key in range(1, 6) if key != shallowest]


def test_an_older_entry_goes_before_a_shallower_one_of_this_search() -> None:
    table = filled_cluster(9, 6)
    table.begin_search()
    table.keep(3, 0, result(depth=2))
    table.keep(4, 0, result(depth=3))
    table.keep(5, 0, result(depth=1))
    assert found(table, range(1, 6)) == [1, 3, 4, 5]  # 6 - 8 is less than 9 - 8


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_clearing_forgets_everything(threads: int) -> None:
    table = Table(2)
    keys = [random.Random(number).getrandbits(64) for number in range(2_000)]
    for key in keys:
        table.keep(key, 0, result())
    assert sum(table.look_up(key)["found"] for key in keys) > 1_990
    table.clear(threads)
    assert not any(table.look_up(key)["found"] for key in keys)


def test_another_size_is_taken_empty_and_a_refusal_changes_nothing() -> None:
    table = Table(1)
    table.keep(KEY, 0, result())
    with pytest.raises(MemoryError):
        table.resize(1 << 40)
    assert table.size_mib == 1
    assert table.look_up(KEY)["found"]
    table.resize(3)
    assert table.size_mib == 3
    assert not table.look_up(KEY)["found"]
