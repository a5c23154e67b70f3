"""Tasks for the tests of the search, with limits and the rest in one call."""

from typing import Any

from nowchess_uci.search.limits import Limits
from nowchess_uci.search.task import Task


def task(**parts: Any) -> Task:
    """A task with these limits and other parts; one without a clock for the side to move needs no side."""
    limits = {name: parts.pop(name) for name in tuple(parts) if name in Limits._fields and name != "search_moves"}
    return Task(Limits(**limits), **parts)
