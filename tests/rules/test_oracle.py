"""The rules beside python-chess on random and adversarial positions."""

import random

import oracle
import pytest

POSITIONS = 20_000
PARTS = 20


@pytest.mark.exhaustive
@pytest.mark.parametrize("part", range(PARTS))
def test_agrees_with_python_chess_on_random_games(part: int) -> None:
    source = random.Random(f"rules {part}")
    seen = 0
    while seen < POSITIONS // PARTS:
        for twins in oracle.walk(source):
            assert oracle.differences(twins, source) == [], twins.reproducer()
            seen += 1
