"""Random tokens into the PGN reader: nothing escapes, nothing breaks, and what is written reads back the same."""

import io
import random
import re
from collections.abc import Mapping

import pytest

from nowchess_uci.pgn.read import read_pgn, visit_games
from nowchess_uci.pgn.tree import RESULTS
from nowchess_uci.pgn.walk import Visitor
from nowchess_uci.pgn.write import render_pgn
from nowchess_uci.rules import movegen
from nowchess_uci.rules.position import Position

SEQUENCES = 10_000

PGN_TOKENS = (
    *(
        "1.",
        "1...",
        "e4",
        "e5",
        "Nf3",
        "Nc6",
        "d4",
        "exd5",
        "O-O",
        "0-0",
        "e8=Q",
        "--",
        "Z0",
        "@@@@",
        "Zz",
        "$1",
        "$999999",
        "$99999999999",
        "!",
        "?!",
    ),
    *("{", "}", "{c}", ";", "(", ")", "(", ")", "<", ">", "%", "[", "]", "*", "1-0", "0-1", "1/2-1/2", "1/2", "e.p."),
    *(
        "\n",
        "\n",
        "\n\n",
        "\r\n",
        "\r",
        "\r\r",
        '\r[White "y"]\r',
        '\n[Event "x"]\n',
        '\n[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n',
        '\n[Variant "Chess960"]\n',
    ),
    *(
        '\n[FEN "4k3/P7/8/8/8/8/7p/4K3 w - - 0 1"]\n',
        '\n[SetUp "1"]\n',
        '\n[A "b\n',
        "\n%x\n",
        "\0",
        "é",
        "\ufeff",
        "\xa0",
        "\u2028",
        '"',
    ),
)


@pytest.mark.exhaustive
@pytest.mark.parametrize("keep_variations", [True, False])
def test_random_tokens_into_the_pgn_reader(keep_variations: bool) -> None:
    source = random.Random(22)
    games = errors = 0
    for _ in range(SEQUENCES):
        text = source.choice(("", " ")).join(source.choices(PGN_TOKENS, k=source.randrange(1, 30)))
        raw = text.encode(source.choice(("utf-8", "latin-1")), "replace")
        lines = len(re.findall(rb"\r\n|\r|\n", raw)) + 1
        for game in read_pgn(io.BytesIO(raw), keep_variations=keep_variations):
            games += 1
            errors += len(game.errors)
            assert game.result in RESULTS
            assert all(1 <= error.line <= lines and error.column >= 1 for error in game.errors)
            if game.tags.get("FEN", "").startswith("8/"):
                assert game.errors
                continue
            game.end()  # every move is legal
            pgn = render_pgn(game)
            (again,) = read_pgn(io.StringIO(pgn))
            assert again.errors == []
            assert render_pgn(again) == pgn
    assert games > SEQUENCES / 2
    assert errors > SEQUENCES / 2


class Watcher(Visitor[int]):
    """Sees that the reader keeps its promises: one beginning, every variation closed, nothing before or after."""

    def __init__(self, *, wants_moves: bool, keeps_variations: bool) -> None:
        self.wants_moves = wants_moves
        self.keeps_variations = keeps_variations
        self.has_begun = False
        self.played = [0]  # in each line that is open

    def check(self) -> None:
        assert self.has_begun
        assert self.wants_moves

    def begin(self, tags: Mapping[str, str], position: Position) -> bool:
        assert not self.has_begun
        self.has_begun = True
        return self.wants_moves

    def move(self, position: Position, move: int) -> None:
        self.check()
        assert movegen.is_legal_move(position, move)
        self.played[-1] += 1

    def mark(self, nag: int) -> None:
        self.check()
        assert self.played[-1] > 0

    def comment(self, text: str) -> None:
        self.check()
        assert text

    def open_variation(self) -> None:
        self.check()
        assert self.keeps_variations
        assert self.played[-1] > 0
        self.played.append(0)

    def close_variation(self) -> None:
        self.played.pop()
        assert self.played

    def end(self, result: str) -> int:
        assert self.has_begun
        assert len(self.played) == 1
        moves = self.played[0]
        self.has_begun, self.played = False, [0]
        return moves


@pytest.mark.exhaustive
@pytest.mark.parametrize("wants_moves", [True, False])
@pytest.mark.parametrize("keeps_variations", [True, False])
def test_a_visitor_is_told_of_each_game_once_and_in_order(wants_moves: bool, keeps_variations: bool) -> None:
    source = random.Random(23)
    watcher = Watcher(wants_moves=wants_moves, keeps_variations=keeps_variations)
    for _ in range(SEQUENCES // 4):
        text = source.choice(("", " ")).join(source.choices(PGN_TOKENS, k=source.randrange(1, 30)))
        counts = list(visit_games(io.StringIO(text), watcher))
        if wants_moves:
            games = read_pgn(io.StringIO(text), keep_variations=keeps_variations)
            assert counts == [len(game.moves()) for game in games]
