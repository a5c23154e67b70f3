"""The names of tables, such as KRPvKR, and the material they stand for."""

LETTERS = "PNBRQ"  # by piece type; the king is always there
ORDER = "KQRBNP"  # as names are written
MOST_MEN = 7


def parse_name(name: str) -> tuple[int, int] | None:
    """The material of both sides, or None if it is not how a table of up to seven men is called.

    The side with more pieces comes first; of equally many, the one whose first different piece is worth more.
    """
    sides = name.split("v")
    if len(sides) != 2 or not 3 <= len(name) - 1 <= MOST_MEN:
        return None
    for side in sides:
        if side[:1] != "K" or not set(side[1:]) <= set(LETTERS) or sorted(side, key=ORDER.index) != list(side):
            return None
    strong, weak = (([-len(side), *map(ORDER.index, side)]) for side in sides)
    if strong > weak:
        return None
    return material_of(sides[0]), material_of(sides[1])


def material_of(side: str) -> int:
    """The pieces of one side as a number: three bits for each type, as `probe` counts them."""
    return sum(side.count(letter) << 3 * index for index, letter in enumerate(LETTERS))
