"""What a search tells while and after it runs: values, not text. `uci.render` turns them into lines."""

from typing import NamedTuple


class Progress(NamedTuple):
    """One line of thought: the best line (or the multipv-th best) after an iteration."""

    depth: int
    selective_depth: int
    multipv: int
    score: int
    bound: str  # "", "lowerbound" or "upperbound"
    nodes: int
    seconds: float
    hashfull: int
    line: tuple[int, ...]


class CurrentMove(NamedTuple):
    """The root move being searched, after some seconds."""

    depth: int
    move: int
    number: int


class BestMove(NamedTuple):
    """The end of a search: the move to play (0 if there is none) and the expected answer (0 if not known)."""

    move: int
    ponder: int


Report = Progress | CurrentMove | BestMove
