"""From what was asked for to what the search has to do: the clock of the side to move, moves, settings."""

from collections.abc import Callable

from nowchess_uci.engine import strength
from nowchess_uci.engine.notes import MoveLeftOut
from nowchess_uci.engine.settings import LINES, Settings
from nowchess_uci.rules.notation import MoveTextError, parse_move
from nowchess_uci.rules.position import Position
from nowchess_uci.search.limits import Limits
from nowchess_uci.search.task import Probing, Task

UNKNOWN_CLOCK_MS = 1000  # where a `go` speaks of a clock and does not say what it shows
MOST_NAMED = 5  # moves left out; the others are counted


def check_request(limits: Limits, lines: int) -> None:
    """Raise a ValueError that says what makes no sense."""
    if not isinstance(limits, Limits):
        raise ValueError(f"limits are a Limits, not {type(limits).__name__}")
    limits.check()
    if not LINES.holds(lines):
        raise ValueError(f"lines takes a whole number from {LINES}, not {lines!r}")


def task_for(
    position: Position, limits: Limits, settings: Settings, lines: int, on_note: Callable[[MoveLeftOut], None] | None
) -> Task:
    """The task of a search of this position; a move that is none is noted and left out, or raises MoveTextError."""
    white = position.side == 0
    task = Task(
        limits,
        time_ms=clock_of(limits, white),
        increment_ms=max(limits.white_increment_ms if white else limits.black_increment_ms, 0),
        search_moves=moves_of(position, limits.search_moves, on_note),
        lines=lines,
        shown_lines=lines,
        overhead_ms=settings.move_overhead_ms,
        analysing=settings.analyse_mode or limits.infinite,
        may_ponder=settings.ponder,
        probing=Probing(settings.syzygy_probe_limit, settings.syzygy_probe_depth, settings.syzygy_50_move_rule),
    )
    if settings.elo is not None and not task.analysing:
        import random  # only here: it takes milliseconds to import

        return strength.limited(task, settings.elo, random.Random())
    return task


def clock_of(limits: Limits, white: bool) -> int | None:
    """What the clock of the side to move has left; None if nothing was said of a clock.

    Some clients name only the other side's clock, or only increments: then that has to do, so that the search ends.
    """
    own, other = limits.white_time_ms, limits.black_time_ms
    if not white:
        own, other = other, own
    if own is not None or other is not None:
        return other if own is None else own
    increment = limits.white_increment_ms if white else limits.black_increment_ms
    if increment > 0 or limits.white_increment_ms or limits.black_increment_ms or limits.moves_to_go is not None:
        return max(increment, UNKNOWN_CLOCK_MS)
    return None


def moves_of(
    position: Position, texts: tuple[str, ...], on_note: Callable[[MoveLeftOut], None] | None
) -> tuple[int, ...]:
    """The moves that some texts name."""
    found = []
    problems = []
    for text in dict.fromkeys(texts):
        try:
            found.append(parse_move(position, text))
        except MoveTextError as error:
            if on_note is None:
                raise
            problems.append(str(error))
    if len(problems) > MOST_NAMED:
        problems[MOST_NAMED:] = [f"{len(problems) - MOST_NAMED} more are not legal moves here"]
    if texts and not found:
        problems.append("none of them is left, so all moves are searched")
    if on_note is not None:
        for problem in problems:
            on_note(MoveLeftOut(problem))
    return tuple(found)
