"""What the analysis of a game found, as plain data: what every output is written from, and what goes over the wire.

All scores are White's view. One search per position: the score after a move is the score before the next one.
"""

from dataclasses import dataclass

PHASES = ("opening", "middlegame", "endgame")
JUDGEMENTS = ("inaccuracy", "mistake", "blunder")


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another line from the same position: the second best, the third best."""

    cp: int | None
    mate: int | None
    line: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What the engine thinks of one position."""

    cp: int | None
    """Centipawns; None if there is a mate."""
    mate: int | None
    """Moves to mate, negative if Black mates, 0 if the position is checkmate; None if there is none."""
    wdl: tuple[int, int, int]
    """Thousandths of White's win, draw and loss."""
    depth: int
    nodes: int
    line: tuple[str, ...]
    """The best line from here as SAN; empty if the game is over here."""
    best: str
    """Its first move as UCI text; empty if the game is over here."""
    others: tuple[Alternative, ...] = ()
    """The next best lines in their order, if more than one was asked for."""


@dataclass(frozen=True, slots=True)
class Ply:
    """One move of a game."""

    number: int
    """Half-moves from the first position of the game, counted from 1."""
    fen: str
    """The position before the move."""
    san: str
    uci: str
    before: Evaluation | None
    """The position before the move; None if it was not to be analysed."""
    after: Evaluation | None
    """The position after the move; the next ply's `before`."""
    loss: int | None
    """Centipawns lost by the move, at least 0, scores beyond 1000 counted as 1000; None if an evaluation is missing."""
    drop: float | None
    """Points of win chance (0 to 100) lost by the move, at least 0."""
    accuracy: float | None
    """0 to 100."""
    judgement: str
    """One of JUDGEMENTS, or empty."""
    phase: str
    """One of PHASES."""
    clock: float | None
    """Seconds left after the move, from the PGN; None if it has none."""


@dataclass(frozen=True, slots=True)
class Summary:
    """How one player did in one game, or in one phase of it."""

    moves: int
    """Moves with a loss: those that count."""
    accuracy: float | None
    average_loss: float | None
    inaccuracies: int
    mistakes: int
    blunders: int


@dataclass(frozen=True, slots=True)
class GameAnalysis:
    """One game, analysed."""

    number: int
    """The game's place in its file, counted from 1."""
    source: str
    """The file's name."""
    tags: dict[str, str]
    start_fen: str
    chess960: bool
    result: str
    plies: tuple[Ply, ...]
    white: Summary
    black: Summary
    white_phases: tuple[Summary, ...]
    """One for each of PHASES."""
    black_phases: tuple[Summary, ...]


@dataclass(frozen=True, slots=True)
class PositionAnalysis:
    """One position of an EPD file, analysed and, if the file says what to find, solved or not."""

    number: int
    """The line of its file, counted from 1."""
    source: str
    name: str
    """What the file calls it (`id`); its number if it has no name."""
    fen: str
    evaluation: Evaluation
    wanted: str
    """What solves it, in words; empty if the file does not say."""
    solved: bool | None
    """None if there was nothing to solve."""
    solved_depth: int | None
    """The depth from which on the engine stayed with a solution; None if it has none."""
    solved_nodes: int | None
