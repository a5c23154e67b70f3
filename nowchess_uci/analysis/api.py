"""Analysis of games for Python programs: one game in one call, or a file game by game."""

import os
from collections.abc import Callable, Iterator
from contextlib import closing, nullcontext
from typing import IO

from nowchess_uci.analysis.judging import SCALES
from nowchess_uci.analysis.model import GameAnalysis
from nowchess_uci.analysis.sources import Counts, Problem, Selection, game_unit, read_games
from nowchess_uci.analysis.units import DEFAULT_NODES, Failure, Settings, Unit, analyse_unit
from nowchess_uci.analysis.workers import run_units
from nowchess_uci.engine.settings import THREADS
from nowchess_uci.engine.tasks import check_request
from nowchess_uci.game.game import Game
from nowchess_uci.pgn.tree import PgnGame
from nowchess_uci.search.limits import Limits

DEFAULT_LIMITS = Limits(nodes=DEFAULT_NODES)


def analyse_game(
    game: Game | PgnGame,
    limits: Limits = DEFAULT_LIMITS,
    *,
    lines: int = 1,
    scale: str = "engine",
    reuse_evaluations: bool = False,
) -> GameAnalysis:
    """Search every position of a game, each within these limits, and judge its moves.

    With a limit of nodes or depth the result is the same every time. Raises ValueError for what makes no sense.
    """
    settings = settings_of(limits, lines, scale)
    tree = PgnGame.of(game) if isinstance(game, Game) else game
    found = analyse_unit(game_unit(tree, "", 1, settings, reuse_evaluations=reuse_evaluations))
    assert isinstance(found, GameAnalysis)
    return found


def analyse_pgn(
    source: str | os.PathLike[str] | IO[bytes],
    limits: Limits = DEFAULT_LIMITS,
    *,
    lines: int = 1,
    scale: str = "engine",
    reuse_evaluations: bool = False,
    player: str = "",
    colour: str = "",
    workers: int = 0,
    on_problem: Callable[[Problem], None] = lambda _: None,
) -> Iterator[GameAnalysis]:
    """The games of a PGN file, given as a path or opened for bytes, analysed one after another in their order.

    `workers` processes share the work; 0 does it on the caller's own thread. `player` and `colour` choose games.
    `on_problem` hears what could not be read or analysed, and the rest goes on.
    """
    settings = settings_of(limits, lines, scale)
    if workers and not THREADS.holds(workers):
        raise ValueError(f"workers takes 0 or a whole number from {THREADS}, not {workers!r:.40}")
    if colour not in ("", "white", "black"):
        raise ValueError(f"colour takes 'white' or 'black', not {colour!r:.40}")
    selection = Selection(player, colour)
    units = units_of(source, settings, selection, reuse_evaluations, on_problem)
    return analysed_here(units) if not workers else analysed_by_workers(units, workers, on_problem)


def settings_of(limits: Limits, lines: int, scale: str) -> Settings:
    """Checked settings; raises ValueError."""
    check_request(limits, lines)
    if not any((limits.nodes, limits.depth, limits.movetime_ms, limits.mate)) or limits.is_endless:
        raise ValueError("a limit is needed that ends the search of a position: nodes, depth, movetime_ms or mate")
    if scale not in SCALES:
        raise ValueError(f"scale takes one of {', '.join(SCALES)}, not {scale!r:.40}")
    return Settings(limits, lines, scale)


def units_of(
    source: str | os.PathLike[str] | IO[bytes],
    settings: Settings,
    selection: Selection,
    reuse_evaluations: bool,
    on_problem: Callable[[Problem], None],
) -> Iterator[Unit]:
    """The games that can be analysed."""
    with open(source, "rb") if isinstance(source, str | os.PathLike) else nullcontext(source) as file:
        name = os.fspath(source) if isinstance(source, str | os.PathLike) else "the file"
        for found in read_games(file, name, settings, selection, Counts(), reuse_evaluations=reuse_evaluations):
            if isinstance(found, Problem):
                on_problem(found)
            elif not found.raw:
                yield found.unit


def analysed_here(units: Iterator[Unit]) -> Iterator[GameAnalysis]:
    """On the caller's thread."""
    for unit in units:
        found = analyse_unit(unit)
        assert isinstance(found, GameAnalysis)
        yield found


def analysed_by_workers(
    units: Iterator[Unit], workers: int, on_problem: Callable[[Problem], None]
) -> Iterator[GameAnalysis]:
    """By processes, which end when the iterator does."""
    handed_out: list[Unit] = []

    def hand_out() -> Iterator[Unit]:
        for unit in units:
            handed_out.append(unit)
            yield unit

    with closing(run_units(hand_out(), workers)) as results:
        for found in results:
            unit = handed_out.pop(0)
            if isinstance(found, GameAnalysis):
                yield found
            elif isinstance(found, Failure):
                on_problem(Problem(unit.source, f"game {unit.number}", f"could not be analysed: {found.reason}"))
