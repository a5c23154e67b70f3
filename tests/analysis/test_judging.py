"""The formulas against cases worked out apart from the code, with decimal arithmetic."""

import pytest

from nowchess_uci.analysis.judging import ENGINE, LICHESS, Judged, Verdict, judge, summarise, weights_of
from nowchess_uci.analysis.model import Evaluation
from nowchess_uci.analysis.units import phase_of, phases_of
from nowchess_uci.evaluation.chances import chances

MATE_FOR_WHITE, MATE_FOR_BLACK = (1000, 0, 0), (0, 0, 1000)


def cp(centipawns: int, best: str = "") -> Evaluation:
    return Evaluation(centipawns, None, chances(centipawns), 10, 100, (), best)


def mate(moves: int) -> Evaluation:
    return Evaluation(None, moves, MATE_FOR_WHITE if moves > 0 else MATE_FOR_BLACK, 10, 100, (), "")


@pytest.mark.parametrize(
    ("centipawns", "percent"),
    [(0, 50.0), (15, 51.38042910), (100, 59.10258972), (-109, 40.09888190), (300, 75.11255009), (5000, 97.54474363)],
)
def test_win_percents_are_those_of_lichess(centipawns: int, percent: float) -> None:
    assert LICHESS.win_percent(cp(centipawns)) == pytest.approx(percent, abs=1e-7)
    assert LICHESS.win_percent(cp(-centipawns)) == pytest.approx(100 - percent, abs=1e-7)


def test_a_mate_counts_as_ten_pawns_to_lichess_and_as_certain_to_us() -> None:
    assert LICHESS.win_percent(mate(5)) == pytest.approx(97.54474363)
    assert LICHESS.win_percent(mate(-5)) == pytest.approx(2.45525637)
    assert (ENGINE.win_percent(mate(5)), ENGINE.win_percent(mate(-5))) == (100, 0)


@pytest.mark.parametrize(
    ("drop", "accuracy"),
    [(-3, 100), (0, 100), (1, 96.60397651), (5, 80.81529992), (10, 64.57982845), (50, 9.52781914), (90, 0)],
)
def test_accuracies_are_those_of_lichess(drop: float, accuracy: float) -> None:
    assert LICHESS.accuracy(drop) == pytest.approx(accuracy, abs=1e-7)
    assert ENGINE.accuracy(2 * drop) == pytest.approx(accuracy, abs=1e-7)


@pytest.mark.parametrize(
    ("before", "after", "judgement"),
    [
        (0, -54, ""),  # 4.95 points
        (0, -55, "inaccuracy"),  # 5.05
        (0, -110, "inaccuracy"),  # 9.99
        (0, -111, "mistake"),  # 10.08
        (0, -168, "mistake"),  # 14.99
        (0, -169, "blunder"),  # 15.07
        (1000, 800, ""),
        (5000, 1000, ""),  # both are capped
        (-100, 200, ""),
    ],
)
def test_judgements_by_the_points_lost(before: int, after: int, judgement: str) -> None:
    assert judge(cp(before), cp(after), "e2e4", True, LICHESS).judgement == judgement
    assert judge(cp(-before), cp(-after), "e7e5", False, LICHESS).judgement == judgement


@pytest.mark.parametrize(
    ("before", "after", "judgement"),
    [
        (cp(0), mate(-4), "blunder"),  # a mate allowed
        (cp(-701), mate(-4), "mistake"),
        (cp(-1000), mate(-4), "inaccuracy"),
        (mate(3), cp(100), "blunder"),  # a mate let go
        (mate(3), cp(701), "mistake"),
        (mate(3), cp(1000), "inaccuracy"),
        (mate(3), mate(-3), "blunder"),
        (mate(2), mate(9), ""),  # a mate only delayed
        (mate(-2), mate(-1), ""),  # mated anyway
        (mate(-2), cp(-300), ""),
        (cp(0), mate(3), ""),
    ],
)
def test_judgements_where_there_is_a_mate(before: Evaluation, after: Evaluation, judgement: str) -> None:
    for scale in (LICHESS, ENGINE):
        assert judge(before, after, "e2e4", True, scale).judgement == judgement


def test_checkmate_on_the_board_is_no_mistake_of_who_gives_it() -> None:
    mated = Evaluation(None, 0, MATE_FOR_BLACK, 0, 0, (), "")
    assert judge(mate(-1), mated, "d8h4", False, ENGINE) == Verdict(0, 0.0, 100.0, "")


def test_a_loss_counts_scores_beyond_ten_pawns_as_ten() -> None:
    assert judge(cp(1500), cp(900), "e2e4", True, LICHESS).loss == 100
    assert judge(cp(-1500), mate(9), "e7e5", False, LICHESS).loss == 2000
    assert judge(cp(20), cp(50), "e2e4", True, LICHESS).loss == 0


def test_the_engine_does_not_blame_its_own_first_choice() -> None:
    assert judge(cp(100, "e2e4"), cp(-300), "e2e4", True, ENGINE) == Verdict(0, 0.0, 100.0, "")
    assert judge(cp(100, "e2e4"), cp(-300), "d2d4", True, ENGINE).judgement == "blunder"
    assert judge(cp(100, "e2e4"), cp(-300), "e2e4", True, LICHESS).judgement == "blunder"


def test_both_scales_call_about_the_same_moves_bad() -> None:
    for lost, judgement in ((40, ""), (60, "inaccuracy"), (120, "mistake"), (190, "blunder")):
        for scale in (LICHESS, ENGINE):
            assert judge(cp(0), cp(-lost), "e2e4", True, scale).judgement == judgement


def test_the_accuracy_of_a_player_is_a_mean_of_two_means() -> None:
    # White: 15 to 20, then -100 to -100; Black: 20 to -100, then -100 to 300, which loses 34.2 points.
    scores = [cp(15), cp(20), cp(-100), cp(-100), cp(300)]
    weights = weights_of([LICHESS.win_percent(score) for score in scores])
    assert weights == pytest.approx([0.5, 5.47139908, 0.5, 12])
    verdicts = [judge(scores[i], scores[i + 1], "", i % 2 == 0, LICHESS) for i in range(4)]
    judged = [Judged(*pair) for pair in zip(verdicts, weights, strict=True)]
    white, black = summarise(judged[::2]), summarise(judged[1::2])
    assert (white.moves, white.accuracy, white.average_loss, white.blunders) == (2, 100, 0, 0)
    assert black.accuracy == pytest.approx(40.31466917)
    assert (black.average_loss, black.inaccuracies, black.mistakes, black.blunders) == (200, 0, 0, 1)


@pytest.mark.parametrize(("moves", "size"), [(1, 2), (29, 2), (30, 3), (200, 8)])
def test_the_window_of_the_weights_grows_with_the_game(moves: int, size: int) -> None:
    percents = [0.0] * moves + [100.0]  # only windows that reach the last one see anything happen
    weights = weights_of(percents)
    assert len(weights) == moves
    assert sum(weight > 0.5 for weight in weights) == 1
    assert weights_of([100.0] + [0.0] * moves).count(12.0) == (size - 1 if moves > 1 else 1)


def test_a_game_never_goes_back_to_an_earlier_phase() -> None:
    start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    castled = "r1bq1rk1/pppn1ppp/3bpn2/8/8/3BPN2/PPPQ1PPP/R4RK1 w - - 0 9"
    ending = "8/5pk1/8/8/8/8/5PK1/R6r w - - 0 40"
    assert [phase_of(fen) for fen in (start, castled, ending)] == ["opening", "opening", "endgame"]
    middle = castled.replace("r1bq1rk1", "r2q1rk1")
    assert phases_of([start, middle, start, ending, start]) == [
        *("opening", "middlegame", "middlegame", "endgame", "endgame"),
    ]
