# mypy: disable-error-code="name-defined"
"""The numbers of the search, one line each: name, value, lowest, highest, step, meaning.

`set_params` changes them for the whole process, and everything made of them (`when_set`) is made anew, so that a tuner
sees what each one does. No search may run meanwhile.
"""

from collections.abc import Callable
from typing import NamedTuple


class Param(NamedTuple):
    """One tunable number."""

    name: str
    value: int
    low: int
    high: int
    step: int
    meaning: str


PARAMS = (
    Param("aspiration_window", 13, 5, 60, 3, "first half-width of the window around the last score"),
    Param("reverse_futility_margin", 85, 30, 200, 8, "score above beta for each ply of depth"),
    Param("reverse_futility_improving", 60, 0, 150, 8, "less of it when the static score is rising"),
    Param("null_base", 4, 2, 5, 1, "plies a null move is reduced by"),
    Param("null_depth_divisor", 3, 2, 8, 1, "and one more for so many plies of depth"),
    Param("null_score_divisor", 200, 80, 400, 20, "and one more for so many centipawns above beta"),
    Param("null_lead", 150, 0, 300, 15, "static score above beta that a null move needs"),
    Param("null_lead_slope", 20, 0, 60, 4, "less of it for each ply of depth"),
    Param("futility_base", 110, 20, 250, 10, "score below alpha where late quiet moves are hopeless"),
    Param("futility_margin", 95, 20, 200, 8, "and so much more for each ply of depth"),
    Param("late_move_base", 4, 1, 10, 1, "moves always looked at, before depth squared adds more"),
    Param("quiet_exchange_margin", 55, 10, 150, 6, "exchange a quiet move may lose, for each ply of depth"),
    Param("tactical_exchange_margin", 95, 20, 250, 10, "exchange a capture may lose, for each ply of depth"),
    Param("history_prune_margin", 5000, 500, 8000, 400, "how bad a history prunes, for each ply of depth"),
    Param("probcut_margin", 180, 80, 350, 15, "score above beta that a capture must keep at low depth"),
    Param("singular_margin", 1, 1, 6, 1, "how far below the table score the others must stay, for each ply"),
    Param("double_extension_margin", 16, 5, 60, 4, "and so much farther for a second ply of extension"),
    Param("reduction_base", 75, 0, 200, 10, "hundredths of a ply every late move is reduced by"),
    Param("reduction_divisor", 225, 120, 400, 10, "hundredths; divides log(depth) * log(move number)"),
    Param("reduction_history_divisor", 11500, 3000, 16000, 500, "history that saves one ply of reduction"),
    Param("deeper_margin", 40, 5, 120, 6, "how far above the best a reduced move earns a ply more"),
    Param("shallower_margin", 8, 0, 40, 3, "and a ply less if it is above by less than this"),
    Param("history_bonus_slope", 170, 50, 400, 20, "what a cutoff adds to a history, for each ply of depth"),
    Param("history_bonus_offset", 60, 0, 300, 20, "less of it at every depth"),
    Param("history_bonus_limit", 1800, 600, 4000, 150, "and never more than this"),
    Param("check_bonus", 8500, 0, 16000, 600, "how far a quiet check goes before moves with the same history"),
    Param("delta_margin", 170, 50, 400, 15, "what a capture in quiescence may fall short of alpha"),
)


_listeners: list[Callable[[], None]] = []


def set_params(values: dict[str, int]) -> None:
    """Use these values from now on, and the defaults for all others; raises ValueError and changes nothing if a name
    is unknown or a value out of its range."""
    known = {param.name: param for param in PARAMS}
    for name, value in values.items():
        if name not in known:
            raise ValueError(f"no parameter is called {name!r}")
        if not known[name].low <= value <= known[name].high:
            raise ValueError(f"{name}: {value} is not between {known[name].low} and {known[name].high}")
    global params
    params = {param.name: values.get(param.name, param.value) for param in PARAMS}
    for listener in _listeners:
        listener()


def when_set(fill: Callable[[], None]) -> None:
    """Call `fill` now and whenever parameters change: for tables that are made of them."""
    _listeners.append(fill)
    fill()


def current_params() -> dict[str, int]:
    """The values in use, by name."""
    return params


set_params({})
