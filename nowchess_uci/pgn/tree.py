"""A game as a PGN file holds it: tags, moves with comments and marks, variations inside variations, a result.

Plain data; `walk` goes through it. Moves are the integers of the rules.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from nowchess_uci.game.game import Game
from nowchess_uci.rules import fen, movegen
from nowchess_uci.rules.position import Position

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
UNKNOWN_RESULT = "*"
CHESS960_NAMES = ("chess960", "fischerandom", "fischerrandom")
STANDARD_NAMES = ("", "standard", "chess", "normal", "fromposition")


@dataclass(frozen=True, slots=True)
class PgnError:
    """What is wrong in a game, and where it stands in the file, both counted from 1."""

    line: int
    column: int
    reason: str

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.reason}"


# Compared and shown by identity: a tree as deep as its file likes must not be walked by recursion.
@dataclass(slots=True, eq=False, repr=False)
class PgnMove:
    """One move, the marks and the comment that follow it, and what else could have been played instead of it."""

    move: int
    nags: tuple[int, ...] = ()  # tuples, because most are empty and an empty tuple costs nothing
    comment: str = ""
    variations: tuple["PgnLine", ...] = ()


@dataclass(slots=True, eq=False, repr=False)
class PgnLine:
    """Moves in a row: the main line or a variation, with the comment before its first move."""

    comment: str = ""
    moves: list[PgnMove] = field(default_factory=list)


@dataclass(slots=True, eq=False, repr=False)
class PgnGame:
    """One game of a PGN file. `errors` says what could not be read; the moves are those before the first error."""

    tags: dict[str, str] = field(default_factory=dict)
    line: PgnLine = field(default_factory=PgnLine)
    result: str = UNKNOWN_RESULT
    errors: list[PgnError] = field(default_factory=list)

    @classmethod
    def of(cls, game: Game, tags: Mapping[str, str] | None = None) -> "PgnGame":
        """A played game with the tags given; its result is the tag's, `*` if there is none."""
        pgn = cls(dict(tags or {}))
        pgn.result = pgn.tags.get("Result", UNKNOWN_RESULT)
        chess960 = game.board.chess960
        if chess960:
            pgn.tags["Variant"] = "Chess960"
        if chess960 or game.start_fen != fen.START_FEN:
            pgn.tags["SetUp"] = "1"
            pgn.tags["FEN"] = game.start_fen
        pgn.line.moves = [PgnMove(move) for move in game.moves()]
        return pgn

    def game(self) -> Game:
        """The main line as a played game, with its history; raises ValueError if it cannot be played."""
        start = self.start()
        return Game.from_fen(fen.render_fen(start), chess960=start.chess960).after(*self.moves())

    def moves(self) -> list[int]:
        """The moves of the main line."""
        return [node.move for node in self.line.moves]

    def start(self) -> Position:
        """The position before the first move; raises ValueError if the tags name none that can be played."""
        return start_of(self.tags)

    def end(self) -> Position:
        """The position after the last move of the main line, with its past."""
        position = self.start()
        for node in self.line.moves:
            movegen.play(position, node.move)
        return position


def start_of(tags: Mapping[str, str]) -> Position:
    """The position that these tags begin a game with; raises ValueError if it cannot be played."""
    variant = tags.get("Variant", "")
    name = "".join(letter for letter in variant.lower() if letter.isalnum())
    if name in CHESS960_NAMES:
        return fen.parse_fen(tags.get("FEN", fen.START_FEN), True)
    if name not in STANDARD_NAMES:
        raise ValueError(f"the variant {fen.shown(variant)} is not known")
    return fen.parse_fen(tags["FEN"]) if "FEN" in tags else Position()
