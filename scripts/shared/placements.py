"""Random legal positions with given pieces."""

import random
import re

from nowchess_uci import Board, FenError


def random_board(pieces: str, source: random.Random) -> Board:
    """These pieces, as in a FEN, on random squares, either side to move, with a legal move; no castling rights."""
    while True:
        squares = ["."] * 64
        for letter, square in zip(pieces, source.sample(range(64), len(pieces)), strict=True):
            squares[square] = letter
        rows = "/".join("".join(squares[8 * row : 8 * row + 8]) for row in range(8))
        placement = re.sub("[.]+", lambda gap: str(len(gap.group())), rows)
        try:
            board = Board(f"{placement} {source.choice('wb')} - - 0 1")
        except FenError:
            continue
        if board.legal_moves():
            return board


def pieces_of(name: str) -> str:
    """The pieces of an ending such as KRPvKR, the first ones White's."""
    strong, weak = name.split("v")
    return strong + weak.lower()
