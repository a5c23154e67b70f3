"""The console with scripted input, in this process or in one of its own."""

import argparse
import io
import os
import subprocess
import sys

import pytest
from shared.engine_process import ENGINE_COMMAND

from nowchess_uci.cli import build_parser
from nowchess_uci.console import play
from nowchess_uci.console.opponent import Opponent
from nowchess_uci.rules.position import Position

COMMAND = [*ENGINE_COMMAND, "play"]
UNSAVED = "The game was not saved; here it is:\n\n"
FIFTY = "4k2r/8/8/8/8/8/P7/R3K3 w - - 99 120"
"""One half-move before a draw by the 50-move rule can be claimed."""


def run_process(*arguments: str, lines: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*COMMAND, *arguments],
        input=lines,
        capture_output=True,
        timeout=60,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **environment},
    )


class Scripted:
    """An opponent that plays these moves, whatever the position, and finds every position as good as it is told."""

    def __init__(self, *moves: str, score: int = 500) -> None:
        self.moves = list(moves)
        self.finds = score

    def choose(self, position: Position) -> str:
        return self.moves.pop(0)

    def score(self, position: Position) -> int:
        return self.finds


class Terminal:
    """Runs the console in this process with scripted input."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.monkeypatch = monkeypatch
        self.capsys = capsys
        self.exit_code = -1

    def play(self, *lines: str, options: tuple[str, ...] = (), opponent: Opponent | None = None) -> str:
        arguments: argparse.Namespace = build_parser().parse_args(["play", "--ascii", *options])
        arguments.two_players = arguments.two_players or opponent is None
        self.monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        self.exit_code = play.run(arguments, opponent or Scripted())
        return self.capsys.readouterr().out
