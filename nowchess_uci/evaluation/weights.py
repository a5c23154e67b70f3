"""First guesses for the weights of the evaluation, by formula, until games have been played to fit them."""


def centre(square: int) -> int:
    """0 on the rim to 6 in the centre."""
    return min(square % 8, 7 - square % 8) + min(square // 8, 7 - square // 8)


def first_guess() -> tuple[tuple[int, int], ...]:
    """One (middlegame, ending) pair for each term, in the order of evaluate.pxd."""
    weights: list[tuple[int, int]] = [(80, 100), (320, 300), (330, 310), (480, 520), (950, 950)]
    for piece_type in range(6):
        for square in range(64):
            rank = square // 8
            middle, end = (
                (4 * rank + 3 * min(square % 8, 7 - square % 8) - 12, 6 * rank - 12),
                (8 * centre(square) - 24, 6 * centre(square) - 18),
                (4 * centre(square) - 12, 3 * centre(square) - 9),
                (2 * min(square % 8, 7 - square % 8) + (12 if rank == 6 else 0), 2 * rank),
                (2 * centre(square) - 6, 4 * centre(square) - 12),
                (-8 * centre(square) - 10 * rank, 10 * centre(square) - 30),
            )[piece_type]
            weights.append((middle, end))
    for squares, step in ((9, 6), (14, 5), (15, 3), (28, 2)):
        weights += [(step * (count - squares // 2), step * (count - squares // 2)) for count in range(squares)]
    for step in (4, 4, 5, 6):
        weights += [(step * count, 0) for count in range(8)]
    weights += [(2 * rank * rank, 4 * rank * rank) for rank in range(8)]
    weights += [(-rank * rank // 2, -2 * rank * rank) for rank in range(8)]
    weights += [(-10, -12), (-8, -15)]
    weights += [(3 + 2 * rank, 2 * rank) for rank in range(8)]
    weights += [(-20, 0), (0, 0), (15, 0), (25, 0), (-20, 0)]
    weights += [(30, 45), (25, 12), (12, 8)]
    weights += [(0, 0), (50, 30), (50, 35), (70, 30), (60, 30)]
    weights += [(0, 0), (0, 0), (0, 0), (35, 25), (40, 25)]
    weights += [(15, 10)]
    return tuple(weights)


WEIGHTS = first_guess()
