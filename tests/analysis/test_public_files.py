"""Public PGN files go through without loss: python-chess reads the result, and everything it finds is still there."""

import io
import re
from itertools import takewhile
from pathlib import Path

from analysis_runs import run
from oracle import PgnGame, chess


def games_of(text: str) -> list[PgnGame]:
    file = io.StringIO(text)
    games = []
    while (game := chess.pgn.read_game(file)) is not None:
        games.append(game)
    return games


def plain(text: str) -> str:
    return " ".join(text.split())


def without_evaluation(comment: str) -> str:
    """A comment as it was before ours was added to it."""
    comment = re.sub(r"^\(\S.*?\) [A-Z][^.]+\.(?: \S+ was best\.)? ?", "", plain(comment))
    return plain(re.sub(r"\[%eval [^\]]*\]", "", comment))


def lines_of(node: chess.pgn.GameNode) -> set[str]:
    """The variations to the move that leads to a node, with everything in them."""
    assert node.parent is not None
    return {plain(str(line)) for line in node.parent.variations[1:]}


def test_public_files_lose_nothing(public_games: Path) -> None:
    seen = moves = 0
    for path in sorted(public_games.iterdir()):
        result = run(path, "--nodes", 50)
        before, after = games_of(path.read_text(encoding="utf-8-sig")), games_of(result.stdout)
        assert len(before) == len(after), path.name
        for old, new in zip(before, after, strict=True):
            seen += 1
            roster = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?"}
            tags = {**roster, **old.headers}
            assert {**tags, "SetUp": "", "Annotator": ""} == {**new.headers, "SetUp": "", "Annotator": ""}, path.name
            assert plain(old.comment) == plain(new.comment)
            assert not new.errors
            played = list(takewhile(lambda node: node.move, old.mainline()))  # a null move ends a game of ours
            if len(played) < len(list(old.mainline())):
                assert "(game 1): the null move Z0 cannot be played" in result.stderr
            for ours, theirs in zip(new.mainline(), played, strict=True):
                moves += 1
                assert ours.move == theirs.move, path.name
                assert without_evaluation(ours.comment) == without_evaluation(theirs.comment), path.name
                assert theirs.nags <= ours.nags
                assert lines_of(theirs) <= lines_of(ours)
    assert seen > 20
    assert moves > 1000
