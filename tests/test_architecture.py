"""Keeps the arrows between the layers one-way, and python-chess where it belongs."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "nowchess_uci"

# Each layer and what it may import of ours, itself always included.
LAYERS: dict[str, set[str]] = {
    "rules": {"threads"},
    "game": {"rules"},
    "pgn": {"files", "game", "rules"},
    "console": {"engine", "files", "game", "pgn", "rules", "search"},
    "files": set(),
    "threads": set(),
    "vectors": set(),
    "version": set(),
    "build": set(),
    "__init__": {"analysis", "engine", "game", "pgn", "rules", "search", "version"},
    "evaluation": {"rules", "vectors"},
    "tablebases": {"rules"},
    "search": {"rules", "evaluation", "tablebases", "threads"},
    "engine": {"rules", "evaluation", "search", "tablebases", "threads"},
    "cluster": {"engine", "evaluation", "search", "threads", "version"},
    "training": {"cluster", "files", "rules", "evaluation", "search", "engine", "threads", "vectors", "version"},
    "analysis": {"cluster", "engine", "evaluation", "files", "game", "pgn", "rules", "search", "threads", "version"},
    "uci": {"rules", "evaluation", "search", "engine", "version"},
    "cli": {"analysis", "build", "console", "engine", "evaluation", "rules", "uci", "version"},
    "__main__": {"analysis", "cli", "uci"},
}


def layer_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(path.suffix)


def imported_layers(text: str) -> set[str]:
    """The layers named in import and cimport lines."""
    return set(re.findall(r"^\s*(?:from|c?import) (?:cython\.cimports\.)?nowchess_uci\.(\w+)", text, re.MULTILINE))


def sources() -> list[Path]:
    return sorted([*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.pxd")])


@pytest.mark.parametrize("path", sources(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_go_down_only(path: Path) -> None:
    layer = layer_of(path)
    assert imported_layers(path.read_text()) <= LAYERS[layer] | {layer}


def test_python_chess_is_imported_by_the_oracle_only() -> None:
    importing = re.compile(r"^\s*(?:import|from) chess\b", re.MULTILINE)
    files = [path for folder in ("nowchess_uci", "scripts", "tests") for path in (ROOT / folder).rglob("*.py")]
    found = [path.relative_to(ROOT) for path in files if importing.search(path.read_text())]
    assert [str(path) for path in found] == ["tests/oracle.py"]


def layers_with_streams() -> set[str]:
    """The layers that print, or read from or write to a standard stream."""
    printing = re.compile(r"\bprint\(|sys\.std")
    return {layer_of(path) for path in sources() if printing.search(path.read_text())}


def test_only_the_outer_layers_touch_a_stream() -> None:
    assert layers_with_streams() <= {"__main__", "cli", "console", "uci"}


def test_files_stay_small() -> None:
    long = [str(path) for path in sources() if len(path.read_text().splitlines()) > 600]
    assert long == []
