"""Random tokens into the PGN reader: nothing escapes, nothing breaks, and what is written reads back the same."""

import io
import random

import pytest

from nowchess_uci.pgn.read import read_pgn
from nowchess_uci.pgn.tree import RESULTS
from nowchess_uci.pgn.write import render_pgn

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
        "Zz",
        "$1",
        "$999999",
        "!",
        "?!",
    ),
    *("{", "}", "{c}", ";", "(", ")", "(", ")", "<", ">", "%", "[", "]", "*", "1-0", "0-1", "1/2-1/2", "1/2", "e.p."),
    *(
        "\n",
        "\n",
        "\n\n",
        "\r\n",
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
        lines = raw.count(b"\n") + 1
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
