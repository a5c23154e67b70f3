"""Annotated PGN: what the analysis adds, and that nothing else changes."""

import io
import random
import re

import pytest
from games import random_games
from oracle import chess

from nowchess_uci.analysis.annotate import annotate, render_annotated
from nowchess_uci.analysis.model import GameAnalysis
from nowchess_uci.analysis.sources import clock_of, game_unit, known_evaluation
from nowchess_uci.analysis.units import Settings, analyse_unit
from nowchess_uci.pgn import PgnGame, read_pgn, render_pgn
from nowchess_uci.search.limits import Limits

QUICK = Settings(Limits(nodes=200))
FOOL = "1. f3 {[%clk 0:01:00] hm} e5 $1 (1... e6 {solid} 2. e4) 2. g4?? (2. e4) Qh4# {ouch} 0-1"


def game_of(text: str) -> PgnGame:
    (game,) = read_pgn(io.StringIO(text))
    return game


def analysed(game: PgnGame, settings: Settings = QUICK, *, reuse: bool = False) -> GameAnalysis:
    found = analyse_unit(game_unit(game, "x", 1, settings, reuse_evaluations=reuse))
    assert isinstance(found, GameAnalysis)
    return found


def plain(text: str) -> str:
    """A text without its line ends."""
    return " ".join(text.split())


def annotated(text: str, settings: Settings = QUICK, *, strip: bool = False) -> str:
    game = game_of(text)
    return render_annotated(annotate(game, analysed(game, settings), strip_comments=strip))


def test_what_the_file_says_stays_and_what_was_found_is_added() -> None:
    node = chess.pgn.read_game(io.StringIO(annotated(FOOL)))
    assert node is not None
    assert node.headers["Annotator"].startswith("NowChess UCI")
    moves = list(node.mainline())
    assert [move.san() for move in moves] == ["f3", "e5", "g4", "Qh4#"]
    assert moves[0].clock() == 60
    assert moves[0].comment.endswith("[%clk 0:01:00] hm")
    assert moves[1].nags == {1}
    assert [line.comment for line in moves[0].variations] == [moves[1].comment, "solid"]
    assert moves[2].nags == {4}
    assert "→ Mate in 1) Checkmate is now unavoidable. " in moves[2].comment
    evaluation = moves[2].eval()
    assert evaluation is not None
    assert evaluation.white() == chess.engine.Mate(-1)
    assert len(moves[1].variations) == 3  # the game, the best line and the file's own
    assert moves[3].comment == "ouch"  # the # says it


def test_evaluations_are_white_s_pawns() -> None:
    game = game_of("1. e4 e5 2. Nf3 *")
    found = analysed(game)
    text = render_annotated(annotate(game, found))
    reread = chess.pgn.read_game(io.StringIO(text))
    assert reread is not None
    for node, ply in zip(reread.mainline(), found.plies, strict=True):
        score = node.eval()
        assert score is not None
        assert ply.after is not None
        assert score.white().score() == ply.after.cp


def test_annotating_again_changes_nothing() -> None:
    once = annotated(FOOL)
    assert annotated(once) == once


def test_a_reader_s_own_variation_stays_though_it_begins_with_the_best_move() -> None:
    found = re.search(r"(\S+) was best\.", annotated("1. f3 e5 2. g4 Qh4# 0-1"))
    assert found is not None
    once = annotated(f"1. f3 e5 2. g4 (2. {found[1]}) Qh4# 0-1")
    assert len(game_of(once).line.moves[2].variations) == 2
    assert annotated(once) == once


def test_annotating_with_other_limits_replaces_the_old_analysis() -> None:
    thorough = Settings(Limits(nodes=3000))
    assert annotated(annotated(FOOL), thorough) == annotated(FOOL, thorough)


def test_comments_marks_and_variations_can_be_left_out() -> None:
    text = annotated(FOOL, strip=True)
    assert "hm" not in text
    assert "solid" not in text
    assert "ouch" not in text
    assert "$1" not in text
    assert "[%clk 0:01:00]" in text


def test_a_move_that_was_not_analysed_keeps_everything() -> None:
    text = "1. e4 {[%eval 0.1,20] (0.30 → 0.10) Inaccuracy. d4 was best.} e5 2. Nf3 *"
    assert "[%eval 0.1,20] (0.30 → 0.10) Inaccuracy." in annotated(text, QUICK._replace(from_move=2))


def test_a_known_evaluation_stays_as_it_was_written() -> None:
    game = game_of("1. e4 {[%eval 0.1,20]} e5 {[%eval #3]} *")
    found = analysed(game, reuse=True)
    assert [ply.after and (ply.after.cp, ply.after.mate, ply.after.depth) for ply in found.plies] == [
        *((10, None, 20), (None, 3, 0))
    ]
    text = render_annotated(annotate(game, found))
    assert "[%eval 0.1,20]" in text
    assert "Lost forced" not in text
    assert "Checkmate is now unavoidable" in text


def test_commands_are_not_torn_apart_by_line_ends() -> None:
    text = annotated("1. e4 " + "e5 2. Ke2 Ke7 3. Ke1 Ke8 " + "4. Ke2 Ke7 5. Ke1 Ke8 " * 6 + "*")
    assert max(map(len, text.splitlines())) < 80
    for line in text.splitlines():
        assert line.count("[%") == line.count("]") or line.startswith("[")


@pytest.mark.parametrize("seed", range(4))
def test_rich_games_lose_nothing(seed: int) -> None:
    for game in random_games(random.Random(seed), 5, plies=30, rich=True):
        text = render_annotated(annotate(game, analysed(game, Settings(Limits(nodes=30)))))
        before = chess.pgn.read_game(io.StringIO(render_pgn(game)))
        after = chess.pgn.read_game(io.StringIO(text))
        assert before is not None
        assert after is not None
        assert not after.errors
        assert {**before.headers, "Annotator": ""} == {**after.headers, "Annotator": ""}
        assert before.comment == after.comment
        for old, new in zip(before.mainline(), after.mainline(), strict=True):
            assert old.move == new.move
            assert plain(new.comment).endswith(plain(old.comment))
            assert old.nags <= new.nags
            kept = {plain(str(line)) for line in new.parent.variations[1:]}
            assert {plain(str(line)) for line in old.parent.variations[1:]} <= kept


@pytest.mark.parametrize(
    ("comment", "seconds"),
    [("[%clk 0:01:30]", 90), ("x [%clk 1:00:00.5] y", 3600.5), ("[%clk 5:00]", 300), ("[%clk x]", None), ("", None)],
)
def test_clocks_are_read(comment: str, seconds: float | None) -> None:
    assert clock_of(comment) == seconds


@pytest.mark.parametrize("comment", ["[%eval #0]", "[%eval]", "[%eval 1e99]", "[%eval 99999999999]", "eval 0.3"])
def test_what_is_no_evaluation_is_not_taken_for_one(comment: str) -> None:
    assert known_evaluation(comment) is None
