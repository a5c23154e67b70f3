"""Random sessions: whatever is typed, nothing escapes, no game is lost, and what is saved can be read."""

import io
import random
import sys
from pathlib import Path

import pytest
from consoles import UNSAVED

from nowchess_uci.cli import build_parser
from nowchess_uci.console import play, session
from nowchess_uci.console.commands import BY_WORD
from nowchess_uci.pgn import read_pgn
from nowchess_uci.rules import movegen
from nowchess_uci.rules.fen import START_FEN
from nowchess_uci.rules.move import render_move
from nowchess_uci.rules.position import Position

SESSIONS = 120
STARTS = (
    START_FEN,
    "n3k3/1P4P1/8/8/8/8/1p4p1/4K2N w - - 97 70",
    "4k2r/8/8/8/8/8/P7/R3K3 b - - 98 120",
    "4k2r/8/8/8/8/8/8/4K3 w - - 147 200",
    "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1",
)
NOISE = (
    *("", "1", "2", "y", "n", "x" * 300, "\0", "é", "1. e4", "bb4", "oo", "e8", "queen", "Knight"),
    *("draw e4", "DRAW kd2", "save", "save a.pgn", "save none/x.pgn", "save .", "undo", "redo", "new"),
)


class Opponent:
    """Plays anything and thinks anything of a position."""

    def __init__(self, source: random.Random) -> None:
        self.source = source

    def choose(self, position: Position) -> str:
        return render_move(self.source.choice(movegen.legal_moves(position)))

    def score(self, position: Position) -> int:
        return self.source.choice((-500, -50, 0, 10, 100, 500))


class Typing(io.StringIO):
    """Lines that fit the position more often than not."""

    def __init__(self, source: random.Random) -> None:
        super().__init__()
        self.source = source
        self.left = source.randrange(1, 60)
        self.console: session.Console | None = None

    def readline(self, size: int | None = -1) -> str:  # type: ignore[override]
        self.left -= 1
        return f"{self.line()}\n" if self.left >= 0 else ""

    def line(self) -> str:
        kind = self.source.random()
        assert self.console is not None
        board = self.console.game.board
        if kind < 0.6 and board.legal_moves():
            move = self.source.choice(board.legal_moves())
            return self.source.choice((move, board.san(move), move[:4], board.san(move).lower(), move.upper()))
        return self.source.choice(list(BY_WORD) if kind < 0.8 else NOISE)


def test_random_sessions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for seed in range(SESSIONS):
        source = random.Random(seed)
        folder = tmp_path / str(seed)
        folder.mkdir()
        monkeypatch.chdir(folder)
        options = ["--ascii", "--fen", source.choice(STARTS), "--side", source.choice(("white", "black"))]
        options += source.choice(([], ["--two-players"])) + source.choice(([], ["--pgn", "s.pgn"]))
        typing = Typing(source)

        class Watched(session.Console):
            def run(self) -> int:
                typing.console = self  # noqa: B023
                return super().run()

        monkeypatch.setattr(play, "Console", Watched)
        monkeypatch.setattr(sys, "stdin", typing)
        assert play.run(build_parser().parse_args(["play", *options]), Opponent(source)) == 0
        said = capsys.readouterr()
        assert "Game over. Goodbye!\n" in said.out
        assert said.err == ""
        assert typing.console is not None
        check_games(typing.console, folder, said.out)


def check_games(console: session.Console, folder: Path, said: str) -> None:
    """What was played last is in the file of the session; or it has ended, was saved or is printed."""
    moves = len(console.game.history.moves)
    saved = {path.name: list(read_pgn(path)) for path in folder.iterdir()}
    assert set(saved) <= {"a.pgn", "s.pgn"}
    for game in (game for games in saved.values() for game in games):
        assert game.errors == []
        game.end()
    if moves and console.record.pgn_name:
        assert len(saved["s.pgn"][-1].moves()) == moves
    elif moves and not console.end:
        assert UNSAVED in said or len(saved["a.pgn"][-1].moves()) == moves
