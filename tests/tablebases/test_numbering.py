"""The numbers of placements of up to seven men, compared with python-chess's: no tables are needed for that."""

import random
from itertools import groupby

import pytest
from oracle import table_number

from nowchess_uci.rules.constants import EMPTY
from nowchess_uci.tablebases.layout import TableError, number_placement
from nowchess_uci.tablebases.names import parse_name

LETTERS = "PNBRQK"


def random_name(source: random.Random) -> str:
    """The name of an ending of three to seven men."""
    while True:
        men = source.randrange(1, 6)
        letters = source.choices("PPNBRQ", k=men)
        split = source.randrange(men + 1)
        sides = ["K" + "".join(sorted(part, key="QRBNP".index)) for part in (letters[:split], letters[split:])]
        name = "v".join(sides)
        if parse_name(name):
            return name


def random_order(name: str, source: random.Random) -> list[str]:
    """The pieces of an ending in an order that a file may have: pawns lead, or three single pieces, or the kings."""
    strong, weak = name.split("v")
    letters = strong + weak.lower()
    groups = [list(group) for _, group in groupby(sorted(letters))]
    source.shuffle(groups)
    if "P" in name:
        groups.sort(key=lambda group: (group[0] not in "Pp", len(group) if group[0] in "Pp" else 0))
    elif sum(len(group) == 1 for group in groups) >= 3:
        groups.sort(key=len)
    else:
        groups.sort(key=lambda group: group[0] not in "Kk")
    return [letter for group in groups for letter in group]


def count_groups(pieces: list[str], name: str) -> int:
    kinds = [list(group) for _, group in groupby(pieces)]
    if "P" in name:
        return len(kinds)
    singles = sum(len(kind) == 1 for kind in kinds)
    return len(kinds) - (2 if singles >= 3 else 1)


def test_random_placements_have_the_same_numbers() -> None:
    source = random.Random(1)
    seen = set()
    for _ in range(6_000):
        name = random_name(source)
        pieces = random_order(name, source)
        groups = count_groups(pieces, name)
        order, other_order = source.sample(range(max(groups, 2)), 2)
        both = "P" in name.split("v")[0] and "P" in name.split("v")[1]
        if not both:
            order = source.randrange(groups)
        squares: list[int] = []
        for letter, group in groupby(pieces):
            room = range(8, 56) if letter in "Pp" else range(64)
            free = [square for square in room if square not in squares]
            squares += sorted(source.sample(free, len(list(group))))  # as they are read off a board
        kings = [square for letter, square in zip(pieces, squares, strict=True) if letter in "Kk"]
        if max(abs(kings[0] // 8 - kings[1] // 8), abs(kings[0] % 8 - kings[1] % 8)) < 2:
            continue
        codes = [LETTERS.index(letter.upper()) + 1 + 8 * letter.islower() for letter in pieces]
        ours = bytes(2 * LETTERS.index(letter.upper()) + letter.islower() for letter in pieces)
        found = number_placement(ours, squares, order, other_order)
        assert found == table_number(name, codes, squares, order, other_order), (name, pieces, squares, order)
        assert 0 <= found[0] < found[1]
        seen.add(name)
    assert len(seen) > 500


@pytest.mark.parametrize(
    ("pieces", "order", "other_order"),
    [
        ("QKk", 1, 0),  # only one group
        ("QKQk", 0, 0),  # equal pieces apart
        ("KPk", 0, 0),  # pawns have to lead
        ("QQKk", 0, 0),  # the kings have to
        ("PpKk", 1, 1),  # two groups at one place
        ("PKpk", 0, 1),  # pawns first
    ],
)
def test_orders_that_cannot_be_are_refused(pieces: str, order: int, other_order: int) -> None:
    codes = bytes(2 * LETTERS.index(letter.upper()) + letter.islower() for letter in pieces)
    assert max(codes) < EMPTY
    with pytest.raises(TableError):
        number_placement(codes, list(range(8, 8 + len(codes))), order, other_order)
