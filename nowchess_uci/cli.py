"""The command line: one table of commands, from which parser, help, manual page and completion are made.

Light to import: a GUI waits for the first answer, so what only one command needs is imported when it is asked for.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

from nowchess_uci.engine.settings import ELO, HASH_MIB, LINES, THREADS, Range
from nowchess_uci.rules.fen import START_FEN
from nowchess_uci.version import VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

DESCRIPTION = """NowChess UCI, a chess engine whose source is Python and whose speed is C's.

Without arguments it speaks the UCI protocol on stdin and stdout: that is what a chess GUI starts.
Arguments that are not a COMMAND are taken as UCI lines and run in order: nowchess-uci "go depth 10"."""


class Argument(NamedTuple):
    """An option (`--fen`) or a positional argument (`depth`) of a command."""

    name: str
    meaning: str
    value: str = ""
    """What stands for the value in help and manual; empty for an option that is there or not."""
    numbers: Range | None = None
    """The whole numbers that it takes; None for any text."""
    default: object = None
    words: tuple[str, ...] = ()
    """The only texts that it takes; any if empty."""
    is_optional: bool = True
    is_file: bool = False
    """True if a shell should complete file names."""
    is_repeated: bool = False
    """True for a positional argument that may be given several times."""


class Command(NamedTuple):
    """Something to do from the command line."""

    name: str
    summary: str
    description: str
    arguments: tuple[Argument, ...]
    examples: tuple[str, ...]
    run: Callable[[argparse.Namespace], int]


# What the commands do.


def run_perft(arguments: argparse.Namespace) -> int:
    """Count the move tree and print how fast."""
    from nowchess_uci.rules.fen import FenError, parse_fen
    from nowchess_uci.rules.move import render_move
    from nowchess_uci.rules.perft import divide

    notes: list[str] = []
    try:
        position = parse_fen(arguments.fen, arguments.chess960, notes)
    except FenError as error:
        print(f"nowchess-uci perft: {error}", file=sys.stderr)
        return 2
    for note in notes:
        print(f"nowchess-uci perft: note: {note}", file=sys.stderr)
    report = show_progress if sys.stderr.isatty() and arguments.depth > 5 else None
    start = time.perf_counter()
    counts = divide(position, arguments.depth, arguments.threads, report)
    seconds = time.perf_counter() - start
    total = sum(counts.values()) if arguments.depth else 1
    if arguments.divide:
        for move, count in counts.items():
            print(f"{render_move(move, position.chess960)}: {count}")
        print()
    print(f"Nodes searched: {total}")
    print(f"Time: {seconds:.3f} s")
    print(f"Nodes per second: {round(total / seconds)}")
    return 0


def run_bench(arguments: argparse.Namespace) -> int:
    """Search the fixed positions and print nodes and speed."""
    from nowchess_uci.engine.bench import DEFAULT_DEPTH, DEFAULT_HASH_MIB, Bench, render_bench

    depth, hash_mib = arguments.depth or DEFAULT_DEPTH, arguments.hash or DEFAULT_HASH_MIB
    bench = Bench(depth, arguments.threads, hash_mib)
    nodes, seconds = bench.run(show_progress) if sys.stderr.isatty() else bench.run()
    print(render_bench(nodes, seconds, bench.pool.network.name))
    return 0


def run_play(arguments: argparse.Namespace) -> int:
    """Play at the terminal."""
    from nowchess_uci.console import opponent, play

    return play.run(arguments, opponent.EngineOpponent(arguments.movetime, arguments.elo))


def run_analyse(arguments: argparse.Namespace) -> int:
    """Analyse games and positions."""
    from nowchess_uci.analysis import command

    return command.run(arguments, command.Streams(sys.stdin, sys.stdout, sys.stderr))


def show_progress(done: int, total: int) -> None:
    """One line on the terminal that is written over and over, and wiped at the end."""
    text = f"{100 * done // total:3d} %" if done < total else "     "
    print(f"\r{text}\r", end="", file=sys.stderr, flush=True)


# The table.

FEN = Argument("--fen", "position to start from (default: the start position)", "FEN", default=START_FEN)
COMMANDS = (
    Command(
        "play",
        "play at the terminal",
        "Plays a game at the terminal, against the engine or between two people. Type help there to see the commands.",
        (
            Argument("--two-players", "two people at this terminal"),
            Argument(
                "--side", "your side (default: white)", "SIDE", default="white", words=("white", "black", "random")
            ),
            Argument(
                "--movetime", "engine's time per move in milliseconds (default: 1000)", "MS", Range(1, 3_600_000), 1000
            ),
            Argument("--elo", f"engine's playing strength, {ELO} (default: full strength)", "ELO", ELO),
            FEN,
            Argument("--pgn", "PGN file to add the games to, finished or not", "OUT", is_file=True),
            Argument("--ascii", "show the pieces as letters"),
        ),
        (
            "nowchess-uci play",
            "nowchess-uci play --side black --elo 1400 --pgn games.pgn",
            "nowchess-uci play --two-players --ascii",
            'nowchess-uci play --fen "8/8/8/4k3/8/8/R3K3/8 w - - 99 120"',
        ),
        run_play,
    ),
    Command(
        "analyse",
        "analyse the games of PGN files and the positions of EPD files",
        "Searches every position of the games, judges the moves, and writes annotated PGN, JSON, CSV or an HTML\n"
        "report. Positions of EPD files are solved if they say what to find (bm, am, dm). Without an output option\n"
        "the annotated games go to standard output. With a limit of nodes or depth the result is the same every time.",
        (
            Argument(
                "files",
                "PGN or EPD files, - for standard input",
                "FILE",
                is_optional=False,
                is_file=True,
                is_repeated=True,
            ),
            Argument("--nodes", "positions to look at for each move (default: 300000)", "N", Range(1, 999_999_999)),
            Argument("--depth", "half-moves to look ahead, instead of nodes", "N", Range(1, 100)),
            Argument("--movetime", "milliseconds for each move, instead of nodes", "MS", Range(1, 86_400_000)),
            Argument("--lines", "best lines of each position, in the JSON output (default: 1)", "K", LINES, 1),
            Argument("--workers", "processes to use (default: one for each processor)", "N", THREADS),
            Argument("--player", "only games of this player; the words of a name in any order", "NAME"),
            Argument("--colour", "only games in which the player has this colour", "COLOUR", words=("white", "black")),
            Argument("--games", "only these games of each file, such as 3-17 or 5,20-", "RANGE"),
            Argument("--from-move", "only moves from this one on", "N", Range(1, 9999)),
            Argument("--to-move", "only moves up to this one", "N", Range(1, 9999)),
            Argument("--skip-opening", "leave out the first half-moves of each game", "PLIES", Range(0, 9999), 0),
            Argument("--out", "annotated PGN, - for standard output", "PGN", is_file=True),
            Argument("--json", "every move with all that was found, one line of JSON each", "JSONL", is_file=True),
            Argument("--csv", "the same as a table", "CSV", is_file=True),
            Argument("--html", "a report to look at in a browser", "HTML", is_file=True),
            Argument("--resume", "go on with a run that was interrupted"),
            Argument("--reuse-evals", "take evaluations that the PGN already has instead of searching"),
            Argument("--strip-comments", "leave out the PGN's own comments, marks and variations"),
            Argument(
                "--scale",
                "win chances by the engine's own curve, or by lichess's (default: engine)",
                "SCALE",
                default="engine",
                words=("engine", "lichess"),
            ),
            Argument("--cluster", "a Dask scheduler such as tcp://host:8786, or local", "ADDRESS"),
        ),
        (
            "nowchess-uci analyse games.pgn --out annotated.pgn",
            "nowchess-uci analyse games.pgn --player Carlsen --html report.html --workers 4",
            "nowchess-uci analyse lichess.pgn --reuse-evals --scale lichess --csv moves.csv",
            "nowchess-uci analyse tests/data/mates.epd --nodes 100000",
        ),
        run_analyse,
    ),
    Command(
        "perft",
        "count the positions of the move tree",
        "Counts the positions after exactly DEPTH half-moves, to check the move generator and measure its speed.",
        (
            Argument("depth", "half-moves to look ahead", "DEPTH", Range(0, 40), is_optional=False),
            FEN,
            Argument("--chess960", "Chess960: castling is written king-takes-rook"),
            Argument("--threads", "threads to use (default: 1)", "N", THREADS, 1),
            Argument("--divide", "show the count below each first move"),
        ),
        (
            "nowchess-uci perft 6",
            "nowchess-uci perft 5 --divide --threads 2",
            'nowchess-uci perft 4 --fen "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"',
        ),
        run_perft,
    ),
    Command(
        "bench",
        "search fixed positions: node count and speed",
        "Searches fixed positions. With one thread the node count is the same on every machine.",
        (
            Argument("depth", "depth in plies (default: 11)", "DEPTH", Range(1, 100)),
            Argument("threads", "threads (default: 1)", "THREADS", THREADS, 1),
            Argument("hash", "transposition table in MiB (default: 16)", "HASH", HASH_MIB),
        ),
        ("nowchess-uci bench 12",),
        run_bench,
    ),
)
FLAGS = (("--help", "-h"), ("--version", "-V"))


# From the table to a parser.


def whole_number(allowed: Range) -> Callable[[str], int]:
    """An argparse type for the whole numbers of a range."""
    import argparse

    def parse(text: str) -> int:
        if not (text.isascii() and text.isdecimal()) or len(text) > 9 or not allowed.holds(int(text)):
            raise argparse.ArgumentTypeError(f"{text!a} is not a whole number from {allowed}")
        return int(text)

    return parse


def add_argument(parser: argparse.ArgumentParser, argument: Argument) -> None:
    """Tell a parser of one argument."""
    if not argument.value:
        parser.add_argument(argument.name, action="store_true", help=argument.meaning)
        return
    details: dict[str, object] = {"help": argument.meaning, "default": argument.default}
    if argument.words:
        details["choices"] = argument.words
    else:
        details["metavar"] = argument.value
    if argument.numbers:
        details["type"] = whole_number(argument.numbers)
    if argument.is_repeated:
        details["nargs"] = "+"
    elif argument.is_optional and not argument.name.startswith("--"):
        details["nargs"] = "?"
    parser.add_argument(argument.name, **details)  # type: ignore[arg-type]


def build_parser() -> argparse.ArgumentParser:
    """Everything that can be said on the command line, with its help."""
    import argparse
    import platform

    from nowchess_uci.build import render_build
    from nowchess_uci.evaluation.network import default_network

    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="nowchess-uci", description=DESCRIPTION, formatter_class=raw)
    version = "\n".join(
        (
            f"NowChess UCI {VERSION}, network {default_network().name}",
            f"{render_build()}, Python {platform.python_version()}",
        )
    )
    parser.add_argument("--version", "-V", action="version", version=version, help="show the version and exit")
    added = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for command in COMMANDS:
        title = "examples:" if len(command.examples) > 1 else "example:"
        examples = "\n".join([title, *(f"  {line}" for line in command.examples)])
        subparser = added.add_parser(
            command.name, help=command.summary, description=command.description, epilog=examples, formatter_class=raw
        )
        for argument in command.arguments:
            add_argument(subparser, argument)
        subparser.set_defaults(run=command.run)
    return parser


def is_command(word: str) -> bool:
    """True if a first argument is for this module; otherwise it is a UCI line."""
    return any(word == command.name for command in COMMANDS) or any(word in names for names in FLAGS)


def is_uci_line(text: str) -> bool:
    """True if an argument begins with a command of the protocol, or is empty."""
    from nowchess_uci.uci.commands import COMMANDS as KNOWN

    return not text.strip() or text.split()[0] in KNOWN


def refuse(word: str) -> int:
    """Say that there is no such command, and what may be meant; returns the exit code."""
    import difflib

    names = [command.name for command in COMMANDS] + [name for names in FLAGS for name in names]
    near = difflib.get_close_matches(word.split()[0], names, 1)
    meant = f" Did you mean {near[0]}?" if near else ""
    of_command = [command.name for command in COMMANDS for item in command.arguments if item.name == word.split()[0]]
    if of_command:
        meant = f" It is an option of a command: nowchess-uci {of_command[0]} {word.split()[0]}"
    print(f"nowchess-uci: there is no command {word[:40]!a}.{meant}", file=sys.stderr)
    print("Without arguments the engine waits for a chess GUI; see nowchess-uci --help.", file=sys.stderr)
    return 2


def run(argv: list[str]) -> int:
    """Run one command; returns the exit code."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by whoever started us
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115
    try:
        arguments = build_parser().parse_args(argv)
        exit_code = int(arguments.run(arguments))
        sys.stdout.flush()
        return exit_code
    except (OSError, MemoryError) as error:
        # What is left in the buffer cannot be written either: Python must not try again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        print(f"nowchess-uci: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nstopped", file=sys.stderr)
        return 130
