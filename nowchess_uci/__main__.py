"""The command line: `nowchess-uci COMMAND`, also `python -m nowchess_uci COMMAND`."""

import argparse
import sys
import time

from nowchess_uci.rules import fen
from nowchess_uci.rules.move import render_move
from nowchess_uci.rules.perft import divide
from nowchess_uci.version import VERSION

MAX_PERFT_DEPTH = 40
MAX_THREADS = 1024

PERFT_EXAMPLES = """examples:
  nowchess-uci perft 6
  nowchess-uci perft 5 --divide --threads 2
  nowchess-uci perft 4 --fen "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
"""

PLAY_EXAMPLES = """examples:
  nowchess-uci play --two-players
  nowchess-uci play --two-players --ascii --pgn games.pgn
  nowchess-uci play --two-players --fen "8/8/8/4k3/8/8/R3K3/8 w - - 99 120"
"""


def whole_number(low: int, high: int) -> "type[int]":
    """An argparse type for whole numbers from `low` to `high`."""

    def parse(text: str) -> int:
        if not text.isdecimal() or not low <= int(text[:9]) <= high or len(text) > 9:
            raise argparse.ArgumentTypeError(f"{text!a} is not a whole number from {low} to {high}")
        return int(text)

    return parse  # type: ignore[return-value]


def build_parser() -> argparse.ArgumentParser:
    """Everything that can be said on the command line, with its help."""
    parser = argparse.ArgumentParser(
        prog="nowchess-uci", description="NowChess UCI, a chess engine whose source is Python and whose speed is C's."
    )
    parser.add_argument("--version", action="version", version=f"NowChess UCI {VERSION}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    perft = commands.add_parser(
        "perft",
        help="count the positions of the move tree",
        description="Counts the positions after exactly DEPTH half-moves: proof and speed test of the move generator.",
        epilog=PERFT_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    perft.add_argument("depth", metavar="DEPTH", type=whole_number(0, MAX_PERFT_DEPTH), help="half-moves to look ahead")
    perft.add_argument("--fen", default=fen.START_FEN, help="position to start from (default: the start position)")
    perft.add_argument("--chess960", action="store_true", help="Chess960: castling is written king-takes-rook")
    perft.add_argument("--threads", type=whole_number(1, MAX_THREADS), default=1, help="threads to use (default: 1)")
    perft.add_argument("--divide", action="store_true", help="show the count below each first move")
    play = commands.add_parser(
        "play",
        help="play at the terminal",
        description="Plays a game at the terminal. Type help there to see what can be typed.",
        epilog=PLAY_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    play.add_argument("--two-players", action="store_true", help="two people at this terminal")
    play.add_argument(
        "--side", choices=("white", "black", "random"), default="white", help="your side (default: white)"
    )
    play.add_argument("--fen", default=fen.START_FEN, help="position to start from (default: the start position)")
    play.add_argument("--pgn", metavar="OUT", help="PGN file to which the games are added at the end")
    play.add_argument("--ascii", action="store_true", help="letters instead of figures on the board")
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


def main(argv: list[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    parser = build_parser()
    arguments = parser.parse_args(argv)
    if arguments.command is None:
        parser.print_help()
        return 0
    try:
        if arguments.command == "play":
            from nowchess_uci.console import play  # only here: a UCI engine must start fast and needs none of it

            return play.run(arguments)
        return run_perft(arguments)
    except KeyboardInterrupt:
        print("\nstopped", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
