"""Reads positions with results, as `scripts/training/selfplay.py text` writes them."""

from collections.abc import Iterator


def read_positions(path: str) -> Iterator[tuple[str, float, int]]:
    """FEN, result for White (1, 0.5 or 0) and score for White of every line."""
    with open(path, encoding="ascii") as file:
        for line in file:
            fen, result, score = line.split(";")
            yield fen, float(result), int(score)
