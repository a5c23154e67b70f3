"""What a score means."""

import pytest

from nowchess_uci.search.scores import DEEPEST_PLY, INFINITE_SCORE, MATE_SCORE, is_mate_score, moves_to_mate


@pytest.mark.parametrize(
    ("score", "moves"),
    [
        (MATE_SCORE - 1, 1),
        (MATE_SCORE - 2, 1),
        (MATE_SCORE - 3, 2),
        (-MATE_SCORE, 0),
        (-MATE_SCORE + 2, -1),
        (-MATE_SCORE + 4, -2),
    ],
)
def test_mates_are_counted_in_moves(score: int, moves: int) -> None:
    assert is_mate_score(score)
    assert moves_to_mate(score) == moves


@pytest.mark.parametrize("score", [0, 1, -1, 300, -2500, 20_000, -20_000])
def test_centipawns_are_no_mates(score: int) -> None:
    assert not is_mate_score(score)
    assert moves_to_mate(score) is None


@pytest.mark.parametrize("sign", [1, -1])
def test_a_mate_at_the_end_of_the_longest_line_is_one(sign: int) -> None:
    assert is_mate_score(sign * (MATE_SCORE - DEEPEST_PLY))
    assert MATE_SCORE < INFINITE_SCORE
