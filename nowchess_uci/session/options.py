"""The engine's options, declared once: `uci` prints them, `setoption` checks against them, the README lists them."""

from typing import NamedTuple

from nowchess_uci.session import strength


class Spin(NamedTuple):
    """A whole number in a range."""

    name: str
    default: int
    low: int
    high: int
    meaning: str


class Check(NamedTuple):
    """On or off."""

    name: str
    default: bool
    meaning: str


class Text(NamedTuple):
    """Any text; the empty one means none."""

    name: str
    default: str
    meaning: str


class Button(NamedTuple):
    """Something to do at once."""

    name: str
    meaning: str


Option = Spin | Check | Text | Button
Value = int | bool | str | None

ABOUT = "NowChess UCI, a chess engine written in Python and compiled by Cython. MIT licence."

OPTIONS: tuple[Option, ...] = (
    Spin("Hash", 16, 1, 65536, "Size of the transposition table in MiB."),
    Button("Clear Hash", "Empties the transposition table."),
    Spin("Threads", 1, 1, 512, "Threads that search side by side."),
    Check(
        "Ponder",
        False,
        "The GUI lets the engine think on the opponent's time; it then spends a little more on its own.",
    ),
    Spin("MultiPV", 1, 1, 256, "How many best moves to show, each with its line."),
    Spin("Move Overhead", 10, 0, 5000, "Milliseconds of each move kept back for the way between GUI and engine."),
    Check("UCI_Chess960", False, "Chess960: castling is written king-takes-rook."),
    Check("UCI_ShowWDL", False, "Shows the chances of win, draw and loss, in thousandths, with every score."),
    Check("UCI_LimitStrength", False, "Plays weaker, as strong as UCI_Elo says."),
    Spin("UCI_Elo", 1500, strength.LEAST_ELO, strength.FULL_ELO, "The strength to play at with UCI_LimitStrength."),
    Check("UCI_AnalyseMode", False, "The GUI analyses: full strength whatever UCI_LimitStrength says, no early end."),
    Text("UCI_EngineAbout", ABOUT, "What this is; setting it changes nothing."),
    Text("Debug Log File", "", "Writes all input and output with the time to this file, for bug reports."),
)


class OptionError(ValueError):
    """An option that does not exist or a value it cannot take."""


def find(name: str) -> Option:
    """The option of that name; upper and lower case are the same."""
    for option in OPTIONS:
        if option.name.lower() == name.lower():
            return option
    raise OptionError(f"no option is called {name[:40]!a}")


def parse_value(option: Option, text: str) -> Value:
    """The value that a text gives an option; raises OptionError if it cannot be."""
    if isinstance(option, Spin):
        try:
            number = int(text) if len(text) < 20 else None
        except ValueError:
            number = None
        if number is None or not option.low <= number <= option.high:
            raise OptionError(f"{option.name} takes a number from {option.low} to {option.high}, not {text[:40]!a}")
        return number
    if isinstance(option, Check):
        if text.lower() not in ("true", "false"):
            raise OptionError(f"{option.name} takes true or false, not {text[:40]!a}")
        return text.lower() == "true"
    if isinstance(option, Text):
        return "" if text == "<empty>" else text
    return None


def defaults() -> dict[str, Value]:
    """Every option's value at the start; buttons have none."""
    return {option.name: option.default for option in OPTIONS if not isinstance(option, Button)}


def render_table() -> str:
    """The options as a table for the README."""
    rows = ["| option | type | default | range | what it does |", "| --- | --- | --- | --- | --- |"]
    for option in OPTIONS:
        kind = {Spin: "spin", Check: "check", Text: "string", Button: "button"}[type(option)]
        default = (
            ""
            if isinstance(option, Button)
            else str(option.default).lower()
            if isinstance(option, Check)
            else option.default
        )
        default = "a line about the engine" if option.name == "UCI_EngineAbout" else default
        limits = f"{option.low} to {option.high}" if isinstance(option, Spin) else ""
        rows.append(f"| `{option.name}` | {kind} | {default} | {limits} | {option.meaning} |")
    return "\n".join(rows)
