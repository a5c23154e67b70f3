"""The UCI options, each declared once with its reaction.

`uci` prints them, `setoption` checks against them, docs/manual.md lists them and the manual page names them. A reaction
is called with the protocol and the new value, when no search is running.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from nowchess_uci.engine.settings import (
    ELO,
    HASH_MIB,
    LINES,
    MOVE_OVERHEAD_MS,
    PROBE_DEPTH,
    PROBE_LIMIT,
    THREADS,
    Range,
    Settings,
)
from nowchess_uci.uci.parse import parse_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from nowchess_uci.uci.protocol import Protocol

DEFAULTS = Settings()
DEFAULT_NETWORK = "<default>"
ABOUT = "NowChess UCI, a chess engine written in Python and compiled by Cython. MIT licence."


class Spin(NamedTuple):
    """A whole number in a range."""

    name: str
    default: int
    range: Range
    meaning: str
    react: Callable[[Protocol, int], None]
    at_once: bool = False


class Check(NamedTuple):
    """On or off."""

    name: str
    default: bool
    meaning: str
    react: Callable[[Protocol, bool], None]
    at_once: bool = False
    """True if it does not bear on a search, so that it need not wait for the end of one."""


class Text(NamedTuple):
    """Any text; the empty one means none."""

    name: str
    default: str
    meaning: str
    react: Callable[[Protocol, str], None]
    at_once: bool = False


class Button(NamedTuple):
    """Something to do at once."""

    name: str
    meaning: str
    react: Callable[[Protocol, None], None]
    at_once: bool = False


Option = Spin | Check | Text | Button


def engine(setting: str) -> Callable[[Protocol, Any], None]:
    """A reaction that changes one setting of the engine."""
    return lambda protocol, value: protocol.engine.configure(**{setting: value})


def own(name: str) -> Callable[[Protocol, Any], None]:
    """A reaction that changes one setting of the protocol itself."""
    return lambda protocol, value: setattr(protocol.preferences, name, value)


OPTIONS: tuple[Option, ...] = (
    Spin("Hash", DEFAULTS.hash_mib, HASH_MIB, "Size of the transposition table in MiB.", engine("hash_mib")),
    Button("Clear Hash", "Empties the transposition table.", lambda protocol, _: protocol.engine.forget()),
    Spin("Threads", DEFAULTS.threads, THREADS, "Number of search threads.", engine("threads")),
    Check(
        "Ponder",
        DEFAULTS.ponder,
        "Lets the engine think on the opponent's time. It then uses slightly more of its own, too.",
        engine("ponder"),
    ),
    Spin("MultiPV", 1, LINES, "Number of best moves to report, each with its line.", own("lines")),
    Spin(
        "Move Overhead",
        DEFAULTS.move_overhead_ms,
        MOVE_OVERHEAD_MS,
        "Milliseconds per move reserved for delays between the GUI and the engine.",
        engine("move_overhead_ms"),
    ),
    Text(
        "SyzygyPath",
        DEFAULTS.syzygy_path,
        "Folders with Syzygy tablebases, separated by `;` (or `:`, except on Windows).",
        engine("syzygy_path"),
    ),
    Spin(
        "SyzygyProbeDepth",
        DEFAULTS.syzygy_probe_depth,
        PROBE_DEPTH,
        "Minimum depth for looking up positions with as many men as the largest tablebases.",
        engine("syzygy_probe_depth"),
    ),
    Check(
        "Syzygy50MoveRule",
        DEFAULTS.syzygy_50_move_rule,
        "Scores tablebase wins that take longer than the 50-move rule allows as draws.",
        engine("syzygy_50_move_rule"),
    ),
    Spin(
        "SyzygyProbeLimit",
        DEFAULTS.syzygy_probe_limit,
        PROBE_LIMIT,
        "Looks up positions with at most this many men; 0 turns the tablebases off.",
        engine("syzygy_probe_limit"),
    ),
    Check(
        "UCI_Chess960",
        False,
        "Chess960: castling is written king-takes-rook.",
        lambda protocol, value: protocol.set_chess960(value),
        at_once=True,
    ),
    Check(
        "UCI_ShowWDL",
        False,
        "Reports the chances of a win, a draw and a loss, in thousandths, with every score.",
        own("show_wdl"),
    ),
    Check(
        "UCI_LimitStrength",
        False,
        "Limits the playing strength to UCI_Elo.",
        lambda protocol, value: protocol.limit_strength(value, protocol.preferences.elo),
    ),
    Spin(
        "UCI_Elo",
        1500,
        ELO,
        "Playing strength with UCI_LimitStrength, on the scale of Stockfish's UCI_Elo.",
        lambda protocol, value: protocol.limit_strength(protocol.preferences.is_limited, value),
    ),
    Check(
        "UCI_AnalyseMode",
        DEFAULTS.analyse_mode,
        "Analysis mode: ignores UCI_LimitStrength and never ends a search early.",
        engine("analyse_mode"),
    ),
    Text(
        "EvalFile",
        DEFAULT_NETWORK,
        "Network to evaluate with, the full path of a file written by train.py; <default> is the engine's own.",
        lambda protocol, value: protocol.use_network("" if value == DEFAULT_NETWORK else value),
    ),
    Text("UCI_EngineAbout", ABOUT, "About this engine; setting it has no effect.", lambda protocol, _: None),
    Text(
        "Debug Log File",
        "",
        "Logs all input and output with time stamps to this file, for bug reports.",
        lambda protocol, value: protocol.open_log(value),
        at_once=True,
    ),
)


class OptionError(ValueError):
    """A value that an option cannot take."""


def find(name: str) -> Option:
    """The option of that name; upper and lower case are the same."""
    for option in OPTIONS:
        if option.name.lower() == name.lower():
            return option
    raise OptionError(f"there is no option {name[:40]!a}{hint(name)}")


def hint(name: str) -> str:
    """What may have been meant: `setoption name Hash 8` lacks the word `value`."""
    for option in OPTIONS:
        if name.lower().startswith(f"{option.name.lower()} "):
            return f"; 'name {option.name} value {name[len(option.name) + 1 :][:20]}' was probably meant"
    return ""


def parse_value(option: Option, text: str) -> Any:
    """The value that a text gives an option; raises OptionError if it cannot be."""
    if isinstance(option, Spin):
        number = parse_number(text)
        if not option.range.holds(number):
            raise OptionError(f"{option.name} takes a number from {option.range}, not {text[:40]!a}")
        return number
    if isinstance(option, Check):
        if text.lower() not in ("true", "false"):
            raise OptionError(f"{option.name} takes true or false, not {text[:40]!a}")
        return text.lower() == "true"
    if isinstance(option, Text):
        return "" if text == "<empty>" else text
    return None


def render_table() -> str:
    """The options as a table for the manual."""
    rows = ["| option | type | default | range | what it does |", "| --- | --- | --- | --- | --- |"]
    for option in OPTIONS:
        kind = {Spin: "spin", Check: "check", Text: "string", Button: "button"}[type(option)]
        default = "" if isinstance(option, Button) else str(option.default)
        if isinstance(option, Check):
            default = default.lower()
        if default == ABOUT:
            default = "a line about the engine"
        limits = str(option.range) if isinstance(option, Spin) else ""
        rows.append(f"| `{option.name}` | {kind} | {default} | {limits} | {option.meaning} |")
    return "\n".join(rows).replace(DEFAULT_NETWORK, f"`{DEFAULT_NETWORK}`")  # not to be taken for a tag
