"""The commands for people (`nowchess-uci perft`, `bench`, `play`), with their options and help."""

import argparse
import os
import platform
import sys
import time
from collections.abc import Callable

from nowchess_uci.build import render_build
from nowchess_uci.rules import fen
from nowchess_uci.rules.move import render_move
from nowchess_uci.rules.perft import divide
from nowchess_uci.session import strength
from nowchess_uci.version import VERSION

DESCRIPTION = """NowChess UCI, a chess engine whose source is Python and whose speed is C's.

Without arguments it speaks the UCI protocol on stdin and stdout: that is what a chess GUI starts.
Arguments that are no COMMAND are UCI lines, obeyed one after the other: nowchess-uci "go depth 10"."""

PLAY_EXAMPLES = """examples:
  nowchess-uci play
  nowchess-uci play --side black --elo 1400 --pgn games.pgn
  nowchess-uci play --two-players --ascii
  nowchess-uci play --fen "8/8/8/4k3/8/8/R3K3/8 w - - 99 120"
"""

PERFT_EXAMPLES = """examples:
  nowchess-uci perft 6
  nowchess-uci perft 5 --divide --threads 2
  nowchess-uci perft 4 --fen "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
"""


def whole_number(low: int, high: int) -> Callable[[str], int]:
    """An argparse type for whole numbers from `low` to `high`."""

    def parse(text: str) -> int:
        if not text.isdecimal() or len(text) > 9 or not low <= int(text) <= high:
            raise argparse.ArgumentTypeError(f"{text!a} is not a whole number from {low} to {high}")
        return int(text)

    return parse


def build_parser() -> argparse.ArgumentParser:
    """Everything that can be said on the command line, with its help."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="nowchess-uci", description=DESCRIPTION, formatter_class=raw)
    version = f"NowChess UCI {VERSION}\n{render_build()}, Python {platform.python_version()}"
    parser.add_argument("--version", "-V", action="version", version=version, help="show the version and leave")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    perft = commands.add_parser(
        "perft",
        help="count the positions of the move tree",
        description="Counts the positions after exactly DEPTH half-moves: proof and speed test of the move generator.",
        epilog=PERFT_EXAMPLES,
        formatter_class=raw,
    )
    perft.add_argument("depth", metavar="DEPTH", type=whole_number(0, 40), help="half-moves to look ahead")
    perft.add_argument("--fen", default=fen.START_FEN, help="position to start from (default: the start position)")
    perft.add_argument("--chess960", action="store_true", help="Chess960: castling is written king-takes-rook")
    perft.add_argument("--threads", type=whole_number(1, 512), default=1, help="threads to use (default: 1)")
    perft.add_argument("--divide", action="store_true", help="show the count below each first move")
    perft.set_defaults(run=run_perft)
    bench = commands.add_parser(
        "bench",
        help="search fixed positions: node count and speed",
        description="Searches fixed positions. With one thread the node count is the same on every machine.",
        epilog="example:\n  nowchess-uci bench 12",
        formatter_class=raw,
    )
    bench.add_argument("depth", nargs="?", type=whole_number(1, 100), help="plies (default: as for the signature)")
    bench.add_argument("threads", nargs="?", type=whole_number(1, 512), default=1, help="threads (default: 1)")
    bench.add_argument("hash", nargs="?", type=whole_number(1, 65536), default=16, help="table in MiB (default: 16)")
    bench.set_defaults(run=print_bench)
    play = commands.add_parser(
        "play",
        help="play at the terminal",
        description="Plays a game at the terminal. Type help there to see what can be typed.",
        epilog=PLAY_EXAMPLES,
        formatter_class=raw,
    )
    sides = ("white", "black", "random")
    milliseconds = whole_number(1, 3_600_000)
    elo = whole_number(strength.LEAST_ELO, strength.FULL_ELO)
    play.add_argument("--two-players", action="store_true", help="two people at this terminal")
    play.add_argument("--side", choices=sides, default="white", help="your side (default: white)")
    play.add_argument("--movetime", type=milliseconds, default=1000, help="engine's time for a move (default: 1000 ms)")
    play.add_argument("--elo", type=elo, help=f"engine's strength, {strength.LEAST_ELO} to {strength.FULL_ELO}")
    play.add_argument("--fen", default=fen.START_FEN, help="position to start from (default: the start position)")
    play.add_argument("--pgn", metavar="OUT", help="PGN file to which the games are added at the end")
    play.add_argument("--ascii", action="store_true", help="letters instead of figures on the board")
    play.set_defaults(run=run_play)
    return parser


def show_progress(done: int, total: int) -> None:
    """One line on the terminal that is written over and over, and wiped at the end."""
    text = f"{100 * done // total:3d} %" if done < total else "     "
    print(f"\r{text}\r", end="", file=sys.stderr, flush=True)


def run_perft(arguments: argparse.Namespace) -> int:
    """The `perft` command."""
    notes: list[str] = []
    try:
        position = fen.parse_fen(arguments.fen, arguments.chess960, notes)
    except fen.FenError as error:
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


def print_bench(arguments: argparse.Namespace) -> int:
    """The `bench` command."""
    from nowchess_uci.session.bench import DEFAULT_DEPTH, render_bench, run_bench  # perft starts faster without

    depth = arguments.depth or DEFAULT_DEPTH
    report = show_progress if sys.stderr.isatty() else None
    print(render_bench(*run_bench(depth, arguments.threads, arguments.hash, report)))
    return 0


def run_play(arguments: argparse.Namespace) -> int:
    """The `play` command."""
    from nowchess_uci.console import opponent, play  # only here: the other commands need none of it

    return play.run(arguments, opponent.EngineOpponent(arguments.movetime, arguments.elo))


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
