"""What a search reports while it runs and when it ends: values with all that a renderer needs, never text."""

from typing import NamedTuple

from nowchess_uci.search.lateness import Late
from nowchess_uci.search.score import Score


class Progress(NamedTuple):
    """One line of thought: the best line (or the rank-th best) after an iteration."""

    depth: int
    selective_depth: int
    rank: int
    score: Score
    bound: str  # "", "lowerbound" or "upperbound"
    nodes: int
    seconds: float
    hashfull: int
    tbhits: int
    line: tuple[int, ...]
    chess960: bool


class CurrentMove(NamedTuple):
    """The root move being searched, after some seconds."""

    depth: int
    move: int
    number: int
    chess960: bool


class BestMove(NamedTuple):
    """The end of a search: the move to play (0 if there is none) and the expected answer (0 if not known)."""

    move: int
    ponder: int
    chess960: bool


Report = Progress | CurrentMove | Late | BestMove
