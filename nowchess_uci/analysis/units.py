"""The unit of work: one game or one position in, what the engine thinks of it out. Pure, and plain data both ways.

`analyse_unit` gives the same answer wherever it runs: one thread, a table of fixed size that is empty at the start of
each unit, and by default so many nodes a position. A game is walked backwards, so that what was found out about a
position helps with the one before it.
"""

import threading
from collections.abc import Callable
from typing import NamedTuple

from nowchess_uci.analysis.judging import SCALES, Judged, Verdict, judge, summarise, weights_of
from nowchess_uci.analysis.model import (
    PHASES,
    Alternative,
    Evaluation,
    GameAnalysis,
    Ply,
    PositionAnalysis,
    Summary,
)
from nowchess_uci.engine.analysis import Analysis, Line
from nowchess_uci.engine.engine import Engine
from nowchess_uci.rules.constants import WHITE
from nowchess_uci.rules.draws import Status, status
from nowchess_uci.rules.fen import START_FEN, parse_fen, render_fen
from nowchess_uci.rules.movegen import play, undo
from nowchess_uci.rules.notation import parse_move, render_san
from nowchess_uci.rules.position import Position
from nowchess_uci.search.limits import Limits
from nowchess_uci.search.score import Score

DEFAULT_NODES = 300_000
HASH_MIB = 32
MOST_PLIES = 20  # of a line that is kept
OVER = Evaluation(0, None, (0, 1000, 0), 0, 0, (), "")
MATED = {True: Evaluation(None, 0, (0, 0, 1000), 0, 0, (), ""), False: Evaluation(None, 0, (1000, 0, 0), 0, 0, (), "")}


class Settings(NamedTuple):
    """How to analyse; the same for all units of a run."""

    limits: Limits = Limits(nodes=DEFAULT_NODES)
    """For each position."""
    lines: int = 1
    """Best lines of each position."""
    scale: str = "engine"
    """A name in `judging.SCALES`."""
    from_move: int = 1
    """Full moves: those before are left out."""
    to_move: int | None = None
    """Full moves: those after are left out; None for all."""
    skip_plies: int = 0
    """Half-moves at the beginning of each game that are left out."""
    hash_mib: int = HASH_MIB


class GameUnit(NamedTuple):
    """A game to analyse. Moves are UCI text, so that nobody depends on how we number moves."""

    number: int
    source: str
    tags: dict[str, str]
    start_fen: str
    chess960: bool
    moves: tuple[str, ...]
    result: str
    settings: Settings
    clocks: tuple[float | None, ...] = ()
    """For each move; empty if there are none."""
    known: tuple[Evaluation | None, ...] = ()
    """For each position: what need not be searched; empty if nothing is known."""


class PositionUnit(NamedTuple):
    """A position to analyse, and perhaps to solve."""

    number: int
    source: str
    name: str
    fen: str
    best: tuple[str, ...]
    """Moves that solve it, as UCI text; any if empty."""
    avoid: tuple[str, ...]
    mate: int
    """The mate to find, in moves; 0 if none."""
    settings: Settings
    known: PositionAnalysis | None = None
    """The answer, if it is known."""


class Failure(NamedTuple):
    """Why there is no result for a unit."""

    reason: str


Unit = GameUnit | PositionUnit
Result = GameAnalysis | PositionAnalysis


def analyse_unit(unit: Unit, on_position: Callable[[], None] = lambda: None) -> Result:
    """Analyse a game or a position, on the caller's thread and with an engine that only this thread uses.

    `on_position` is called after each search.
    """
    if isinstance(unit, PositionUnit) and unit.known is not None:
        return unit.known
    engine = engine_of_thread(unit.settings.hash_mib)
    engine.forget()
    if isinstance(unit, GameUnit):
        return analyse_game_unit(unit, engine, on_position)
    found = analyse_position_unit(unit, engine)
    on_position()
    return found


def analyse_or_fail(unit: Unit, on_position: Callable[[], None] = lambda: None) -> Result | Failure:
    """`analyse_unit` for a run that goes on: what is wrong with one unit is its result."""
    try:
        return analyse_unit(unit, on_position)
    except Exception as error:
        return Failure(f"{type(error).__name__}: {error}")


def analyse_and_count(unit: Unit) -> tuple[Result | Failure, int]:
    """The same on a machine far away, which cannot say how far it is: with the number of searches."""
    searches = 0

    def count() -> None:
        nonlocal searches
        searches += 1

    return analyse_or_fail(unit, count), searches


_own = threading.local()


def engine_of_thread(hash_mib: int) -> Engine:
    """This thread's engine. It is kept for the next unit, because its memory is taken only once."""
    engine: Engine | None = getattr(_own, "engine", None)
    if engine is None or engine.settings.hash_mib != hash_mib:
        engine = Engine(threads=1, hash_mib=hash_mib)
        engine.configure(move_overhead_ms=0)
        _own.engine = engine
    return engine


# Games.


class Step(NamedTuple):
    """A move of a game before it is judged."""

    fen: str
    san: str
    uci: str
    is_white: bool


def wanted_plies(unit: GameUnit) -> range:
    """The moves that are to be judged, counted from 0."""
    settings = unit.settings
    _, side, _, _, _, number = unit.start_fen.split()
    before = 2 * int(number) + (side == "b")  # half-moves before the first one, had they been counted from move 0
    first = max(settings.skip_plies, 2 * settings.from_move - before, 0)
    last = len(unit.moves) if settings.to_move is None else min(2 * settings.to_move + 2 - before, len(unit.moves))
    return range(first, max(first, last))


def positions_to_search(unit: GameUnit) -> list[int]:
    """Positions before and after the wanted moves that are not known, the last one first."""
    wanted = wanted_plies(unit)
    positions = range(wanted.stop, wanted.start - 1, -1) if wanted else range(0)
    return [index for index in positions if not unit.known or unit.known[index] is None]


def analyse_game_unit(unit: GameUnit, engine: Engine, on_position: Callable[[], None]) -> GameAnalysis:
    """Search every position that is wanted, from the last to the first, and judge the moves between them."""
    settings = unit.settings
    position = parse_fen(unit.start_fen, unit.chess960)
    steps: list[Step] = []
    for text in unit.moves:
        move = parse_move(position, text)
        steps.append(Step(render_fen(position), render_san(position, move), text, position.side == WHITE))
        play(position, move)
    wanted = wanted_plies(unit)
    found: list[Evaluation | None] = [None] * (len(steps) + 1)
    if unit.known and wanted:
        found[wanted.start : wanted.stop + 1] = unit.known[wanted.start : wanted.stop + 1]
    standing = len(steps)
    for index in positions_to_search(unit):
        for _ in range(standing - index):
            undo(position)
        standing = index
        found[index] = evaluate(engine, position, settings)
        on_position()
    return game_of(unit, steps, found)


def evaluate(engine: Engine, position: Position, settings: Settings) -> Evaluation:
    """One search, unless the game is over."""
    state = status(position)
    if state is Status.CHECKMATE:
        return MATED[position.side == WHITE]
    if state.is_over:
        return OVER
    return evaluation_of(engine.analyse(position, settings.limits, lines=settings.lines))


def evaluation_of(analysis: Analysis) -> Evaluation:
    """What a search found, as White sees it."""
    best = analysis.best
    score = best.score.white
    others = tuple(
        Alternative(line.score.white.cp, line.score.white.mate, line.san[:MOST_PLIES]) for line in analysis.lines[1:]
    )
    line = best.san[:MOST_PLIES]
    return Evaluation(score.cp, score.mate, score.wdl, best.depth, analysis.nodes, line, best.move, others)


def game_of(unit: GameUnit, steps: list[Step], found: list[Evaluation | None]) -> GameAnalysis:
    """Judge the moves and sum them up."""
    verdicts = verdicts_of(unit, steps, found)
    phases = phases_of([step.fen for step in steps])
    clocks = unit.clocks or (None,) * len(steps)
    plies = []
    for index, step in enumerate(steps):
        judged = verdicts[index]
        verdict = judged.verdict if judged else Verdict(0, 0.0, 0.0, "")
        plies.append(
            Ply(
                index + 1,
                step.fen,
                step.san,
                step.uci,
                found[index],
                found[index + 1],
                verdict.loss if judged else None,
                verdict.drop if judged else None,
                verdict.accuracy if judged else None,
                verdict.judgement,
                phases[index],
                clocks[index],
            )
        )

    def summary(is_white: bool, phase: str = "") -> Summary:
        return summarise(
            [
                judged
                for step, judged, its_phase in zip(steps, verdicts, phases, strict=True)
                if judged and step.is_white == is_white and phase in ("", its_phase)
            ]
        )

    return GameAnalysis(
        unit.number,
        unit.source,
        dict(unit.tags),
        unit.start_fen,
        unit.chess960,
        unit.result,
        tuple(plies),
        summary(True),
        summary(False),
        tuple(summary(True, phase) for phase in PHASES),
        tuple(summary(False, phase) for phase in PHASES),
    )


def verdicts_of(unit: GameUnit, steps: list[Step], found: list[Evaluation | None]) -> list[Judged | None]:
    """For each move its verdict and weight; None for moves that were not wanted.

    The wanted moves stand in a row, so they have all their evaluations, and those of their neighbours are not needed.
    """
    scale = SCALES[unit.settings.scale]
    wanted = wanted_plies(unit)
    verdicts: list[Judged | None] = [None] * len(steps)
    if not wanted:
        return verdicts
    known = {index: evaluation for index, evaluation in enumerate(found) if evaluation is not None}
    if 0 in known:
        known[0] = scale.first(known[0], unit.start_fen == START_FEN)
    percents = [scale.win_percent(known[index]) for index in range(wanted.start, wanted.stop + 1)]
    for index, weight in zip(wanted, weights_of(percents), strict=True):
        step = steps[index]
        verdict = judge(known[index], known[index + 1], step.uci, step.is_white, scale)
        verdicts[index] = Judged(verdict, weight)
    return verdicts


def phases_of(fens: list[str]) -> list[str]:
    """The phase that each position belongs to; a game never goes back to an earlier one."""
    phases: list[str] = []
    latest = 0
    for fen in fens:
        latest = max(latest, PHASES.index(phase_of(fen)))
        phases.append(PHASES[latest])
    return phases


def phase_of(fen: str) -> str:
    """Endgame with at most six pieces apart from kings and pawns; opening while a side has hardly developed."""
    ranks = fen.split()[0].split("/")
    pieces = sum(fen.split()[0].count(letter) for letter in "QRBNqrbn")
    if pieces <= 6:
        return PHASES[2]
    at_home = max(sum(map(str.islower, ranks[0])), sum(map(str.isupper, ranks[-1])))
    return PHASES[0] if pieces > 10 and at_home > 4 else PHASES[1]


# Positions.


def analyse_position_unit(unit: PositionUnit, engine: Engine) -> PositionAnalysis:
    """Search one position, and note since when the engine has had a solution."""
    position = parse_fen(unit.fen)
    settings = unit.settings
    first: Line | None = None

    def watch(line: Line) -> None:
        nonlocal first
        if line.rank > 1 or line.bound or not line.pv:
            return
        if not is_solved(unit, line.move, line.score):
            first = None
        elif first is None:
            first = line

    if status(position).is_over:
        evaluation = evaluate(engine, position, settings)
    else:
        job = engine.start(position, settings.limits, watch, lines=settings.lines)
        try:
            evaluation = evaluation_of(job.result())
        finally:
            job.end()
    has_goal = bool(unit.best or unit.avoid or unit.mate)
    return PositionAnalysis(
        unit.number,
        unit.source,
        unit.name,
        unit.fen,
        evaluation,
        wanted_of(unit, position),
        first is not None if has_goal else None,
        first.depth if has_goal and first else None,
        first.nodes if has_goal and first else None,
    )


def is_solved(unit: PositionUnit, move: str, score: Score) -> bool:
    """True if this move with this score is what the file wants."""
    if (unit.best and move not in unit.best) or move in unit.avoid:
        return False
    return not unit.mate or (score.mate is not None and 0 < score.mate <= unit.mate)


def wanted_of(unit: PositionUnit, position: Position) -> str:
    """The solution in words."""
    parts = [render_san(position, parse_move(position, move)) for move in unit.best]
    parts += [f"not {render_san(position, parse_move(position, move))}" for move in unit.avoid]
    return " ".join([*parts, *([f"mate in {unit.mate}"] if unit.mate else [])])
