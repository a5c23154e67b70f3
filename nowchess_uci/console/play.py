"""`nowchess-uci play`: sets up a session at the terminal, and sees to it that it ends well whatever ends it."""

import argparse
import contextlib
import os
import random
import signal
import sys
from collections.abc import Iterator
from types import FrameType

from nowchess_uci.console.opponent import Opponent
from nowchess_uci.console.session import Console, Hangup
from nowchess_uci.console.terminal import Terminal
from nowchess_uci.game.arbiter import GameEngine
from nowchess_uci.rules.fen import COLOR_NAMES, FenError

HANGUPS = [getattr(signal, name) for name in ("SIGHUP", "SIGTERM") if hasattr(signal, name)]


def run(arguments: argparse.Namespace, opponent: Opponent) -> int:
    """The `play` command; returns the exit code."""
    try:
        engine = GameEngine(arguments.fen)
    except FenError as error:
        return refuse(str(error))
    board = engine.game.board
    if board.status().is_over:
        return refuse(f"this position is the end of a game: {board.status()}")
    for note in board.notes:
        print(f"nowchess-uci play: note: {note}", file=sys.stderr)
    human = random.choice(COLOR_NAMES) if arguments.side == "random" else arguments.side
    if arguments.two_players:
        human = None
    console = Console(engine, opponent, Terminal(ascii_only=arguments.ascii), human, arguments.pgn or "")
    with hearing_hangups():
        console.before_leaving = ignore_hangups
        try:
            exit_code = console.run()
            sys.stdout.flush()
        except OSError:
            ignore_hangups()
            # Whoever read the output has gone, or its disk is full; the games are still saved, and Python must not
            # try to flush at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            exit_code = console.leave(1)
        except KeyboardInterrupt:  # once more, while it was leaving
            exit_code = console.leave(1)
    return exit_code


def ignore_hangups() -> None:
    """A closed window is noticed in several ways at once: the second must not interrupt the saving after the first."""
    for number in HANGUPS:
        signal.signal(number, signal.SIG_IGN)


@contextlib.contextmanager
def hearing_hangups() -> Iterator[None]:
    """A window that is closed, or a system that shuts down, must not cost a game."""

    def hang_up(number: int, _: FrameType | None) -> None:
        ignore_hangups()
        raise Hangup(number)

    before = [(number, signal.signal(number, hang_up)) for number in HANGUPS]
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)


def refuse(reason: str) -> int:
    """Say why there is no game."""
    print(f"nowchess-uci play: {reason}", file=sys.stderr)
    return 2
