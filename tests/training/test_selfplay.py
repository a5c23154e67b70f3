"""Games of the engine against itself: always the same, by the rules, and with exact scores."""

import threading
import time

import oracle
import pytest
from tasks import task

from nowchess_uci.evaluation.evaluate import Evaluator
from nowchess_uci.rules.fen import START_FEN, parse_fen
from nowchess_uci.rules.movegen import play
from nowchess_uci.search.pool import Pool
from nowchess_uci.search.reports import Progress, Report
from nowchess_uci.search.thinking import Thinking
from nowchess_uci.training.records import GameRecord, Judgement, Replay
from nowchess_uci.training.samples import Samples
from nowchess_uci.training.selfplay import SelfPlay, Settings

FAST = Settings(soft_nodes=60, sample_every=40)
DEPTH, CUT_OFF = 31, 128


def records(data: bytes) -> list[GameRecord]:
    replay = Replay(data)
    return list(iter(replay.read_game, None))


def test_a_game_depends_on_nothing_but_its_number_and_the_settings() -> None:
    together = SelfPlay(FAST).play(5, 4)
    player = SelfPlay(FAST)
    backwards = [player.play(number, 1) for number in (8, 7, 6, 5)]
    assert together is not None
    assert together.games == b"".join(played.games for played in reversed(backwards) if played)
    assert together.samples == b"".join(played.samples for played in reversed(backwards) if played)


def test_two_threads_play_what_one_plays() -> None:
    wanted = [SelfPlay(FAST).play(first, 6) for first in (0, 6)]
    found: dict[int, object] = {}

    def work(first: int) -> None:
        found[first] = SelfPlay(FAST).play(first, 6)

    threads = [threading.Thread(target=work, args=(first,)) for first in (0, 6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[0], found[6]] == wanted


def test_another_seed_plays_other_games() -> None:
    one, two = SelfPlay(FAST).play(0, 3), SelfPlay(FAST._replace(seed=2)).play(0, 3)
    assert one is not None
    assert two is not None
    assert {record.opening for record in records(one.games)}.isdisjoint(r.opening for r in records(two.games))


def test_samples_do_not_change_the_games() -> None:
    with_samples, without = SelfPlay(FAST).play(0, 5), SelfPlay(FAST._replace(sample_every=0)).play(0, 5)
    assert with_samples is not None
    assert without is not None
    assert with_samples.games == without.games
    assert without.samples == b""


def test_python_chess_agrees_with_every_game() -> None:
    played = SelfPlay(FAST).play(0, 40)
    assert played is not None
    games = records(played.games)
    assert [record.number for record in games] == list(range(40))
    assert {record.result for record in games} == {0, 1, 2}
    for record in games:
        assert len(record.opening) in (8, 9)
        assert oracle.wrong_in_training_game(record) == []


def test_a_score_is_that_of_a_complete_iteration() -> None:
    """The first search of a game starts from nothing, so a fixed depth with an empty table must give the same."""
    played = SelfPlay(Settings(soft_nodes=300)).play(0, 12)
    assert played is not None
    for record in records(played.games):
        position = parse_fen(START_FEN)
        for move in record.opening:
            play(position, move)
        move, score, info = record.plies[0]
        assert not info & CUT_OFF
        told: list[Report] = []
        pool = Pool(2)
        best = Thinking(pool, position, task(depth=info & DEPTH), told.append).run()
        reports = [report for report in told if isinstance(report, Progress)]
        assert (best.move, reports[-1].score.units) == (move, score)
        assert reports[-1].nodes >= 300
        assert len(reports) == 1 or reports[-2].nodes < 300


def test_the_hard_limit_keeps_the_last_complete_score() -> None:
    played = SelfPlay(Settings(soft_nodes=400, hard_factor=1)).play(0, 4)
    assert played is not None
    plies = [ply for record in records(played.games) for ply in record.plies]
    cut = [info for _, _, info in plies if info & CUT_OFF]
    assert len(cut) > len(plies) // 2
    assert all(info & DEPTH >= 1 for info in cut)


def test_openings_are_not_lost_from_the_start() -> None:
    played = SelfPlay(FAST._replace(opening_limit=50)).play(0, 20)
    assert played is not None
    assert all(abs(record.plies[0][1]) <= 50 for record in records(played.games))


def test_a_won_game_is_judged() -> None:
    judgement = Judgement(win_score=300, win_plies=3, draw_score=30, draw_plies=4, draw_from=20)
    played = SelfPlay(FAST._replace(judgement=judgement)).play(0, 30)
    assert played is not None
    Replay(played.games).check(judgement, 0)
    ends = [record.end for record in records(played.games)]
    assert "judged won" in ends
    assert "judged drawn" in ends
    with pytest.raises(ValueError, match="neither rules nor scores"):
        Replay(played.games).check(Judgement(), 0)


def test_samples_are_positions_of_the_tree_with_their_static_score() -> None:
    played = SelfPlay(FAST).play(0, 8)
    assert played is not None
    samples = Samples()
    samples.add(played.samples)
    assert len(samples) > 500
    assert samples.wrong_static_scores(Evaluator()) == []
    assert samples.wrong_results(0, Replay(played.games).tally().white_results) == 0
    assert samples.wrong_results(0, bytes(8)) > 0
    assert samples.wrong_results(1, bytes(7)) > 0
    assert all(oracle.chess.Board(samples.fen(index)).is_valid() for index in range(len(samples)))
    assert sorted(set(samples.games(0, len(samples)))) == list(range(8))


def test_one_of_so_many_evaluations_is_sampled() -> None:
    rare, often = (SelfPlay(FAST._replace(sample_every=every)).play(0, 10) for every in (80, 8))
    assert rare is not None
    assert often is not None
    assert 8 < len(often.samples) / len(rare.samples) < 12


@pytest.mark.parametrize(
    "settings",
    [
        Settings(soft_nodes=2000),  # in a game of short searches
        Settings(soft_nodes=10**9),  # in a long one
        Settings(soft_nodes=10, opening_limit=0),  # most likely while an even opening is looked for
    ],
)
def test_cancelling_ends_a_player_at_once(settings: Settings) -> None:
    player = SelfPlay(settings)
    results: list[object] = []
    thread = threading.Thread(target=lambda: results.append(player.play(0, 10**6)))
    thread.start()
    time.sleep(0.3)
    start = time.monotonic()
    player.cancel()
    thread.join()
    assert results == [None]
    assert time.monotonic() - start < 2


def test_the_count_is_what_was_played() -> None:
    player = SelfPlay(FAST)
    played = player.play(0, 10)
    assert played is not None
    tally = Replay(played.games).tally()
    assert player.count() == (tally.games, tally.positions, tally.results)


@pytest.mark.parametrize(
    "wrong",
    [
        {"soft_nodes": 0},
        {"opening_plies": 32},
        {"opening_plies": -1},
        {"opening_limit": -1},
        {"opening_plies": 1, "opening_limit": 0},
        {"hard_factor": 0},
        {"sample_every": -1},
    ],
)
def test_settings_that_make_no_sense_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"random moves|node limits"):
        SelfPlay(Settings(**wrong))  # type: ignore[arg-type]
