"""A score as people and programs use it: centipawns or a mate, seen by one side, comparable, with its chances.

The search itself works with plain integers (scores.pxd); this is what it reports.
"""

from functools import total_ordering

from nowchess_uci.evaluation.chances import chances
from nowchess_uci.search.scores import MATE_SCORE, centipawns, is_mate_score, moves_to_mate


@total_ordering
class Score:
    """How good a position is for one side. Scores of different sides' views compare as one side sees them."""

    __slots__ = ("units", "view")

    def __init__(self, units: int, view: str) -> None:
        if view not in ("white", "black"):
            raise ValueError(f"a score is seen by 'white' or 'black', not by {view!r}")
        self.units = units
        """As the search counts: centipawns, and mates and tablebase wins by their plies near the ends of the scale."""
        self.view = view
        """Whose view this is: `white` or `black`."""

    @property
    def cp(self) -> int | None:
        """Centipawns, positive if the side is better; None if there is a forced mate.

        A win by the tablebases is 20000 less the plies to the position that they know.
        """
        return centipawns(self.units)

    @property
    def mate(self) -> int | None:
        """Moves to a forced mate, negative if the side itself is mated (0: it is mated now); None if there is none."""
        moves = moves_to_mate(abs(self.units))  # of the side that mates, which is not always the one that is asked
        return -moves if moves and self.units < 0 else moves

    @property
    def is_mate(self) -> bool:
        """True if a mate is forced, by either side."""
        return is_mate_score(self.units)

    @property
    def wdl(self) -> tuple[int, int, int]:
        """The chances of win, draw and loss for the side, in thousandths."""
        return chances(self.units)

    @property
    def expectation(self) -> float:
        """The points that the side can expect: 1 for a win, 0.5 for a draw."""
        win, draw, _ = self.wdl
        return (win + draw / 2) / 1000

    @property
    def white(self) -> "Score":
        """The same score as White sees it."""
        return self.seen_by("white")

    @property
    def black(self) -> "Score":
        """The same score as Black sees it."""
        return self.seen_by("black")

    def seen_by(self, view: str) -> "Score":
        """The same score as `white` or `black` sees it."""
        return self if view == self.view else Score(-self.units, view)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Score):
            return NotImplemented
        return self.units == other.seen_by(self.view).units

    def __lt__(self, other: "Score") -> bool:
        if not isinstance(other, Score):
            return NotImplemented
        return self.units < other.seen_by(self.view).units

    def __hash__(self) -> int:
        return hash(self.white.units)

    def __str__(self) -> str:
        """`+0.35` in pawns, or `#3` and `#-3` for mates."""
        if self.is_mate:
            return f"#{self.mate if self.units != -MATE_SCORE else '-0'}"
        return f"{(self.cp or 0) / 100:+.2f}"

    def __repr__(self) -> str:
        return f"<Score {self} for {self.view}>"
