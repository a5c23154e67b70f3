"""Which tables there are: the files of some folders, by their names."""

import os
from collections.abc import Callable
from typing import NamedTuple

from nowchess_uci.tablebases.names import parse_name

WDL_SUFFIX, DTZ_SUFFIX = ".rtbw", ".rtbz"
FILES_OF_OTHERS = 64  # that the process has open besides the tables


class Problem(NamedTuple):
    """A file or folder that is not used, and why."""

    path: str
    reason: str


class Found(NamedTuple):
    """A table's file."""

    path: str
    first: int
    second: int
    is_dtz: bool


def split_path(text: str) -> list[str]:
    """The folders of a list as users write it: `;` stands between them, and `:` where drives have no letters."""
    if not text or text == "<empty>":
        return []
    if os.path.isdir(text):
        return [text]  # whatever characters are in its name
    separators = ";" if os.name == "nt" else ":;"
    for separator in separators[1:]:
        text = text.replace(separator, separators[0])
    return [folder.strip() for folder in text.split(separators[0]) if folder.strip()]


def require_folder(folder: str) -> None:
    """Raise OSError or ValueError if there is no such folder, or none that can be read."""
    os.scandir(folder).close()


def find_tables(folders: list[str], on_problem: Callable[[Problem], None]) -> list[Found]:
    """The tables in some folders, each once: the first folder that has it counts. Raises OSError for no folder."""
    found: dict[tuple[int, int, bool], Found] = {}
    for folder in folders:
        with os.scandir(folder) as listing:
            names = sorted(entry.name for entry in listing)
        for name in names:
            stem, suffix = os.path.splitext(name)
            if suffix not in (WDL_SUFFIX, DTZ_SUFFIX):
                continue
            path = os.path.join(folder, name)
            material = parse_name(stem)
            if material is None:
                on_problem(Problem(path, "not the name of a table of up to seven men"))
            else:
                table = Found(path, *material, suffix == DTZ_SUFFIX)
                found.setdefault(table[1:], table)
    return list(found.values())


def allow_files(count: int) -> None:
    """Ask the system for as many open files as there are tables; some allow a program only 256 unless it asks."""
    try:
        import resource  # not on every system
    except ImportError:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = count + FILES_OF_OTHERS
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (OSError, ValueError):
            return  # a table that cannot be opened will be named
