"""The unit of work: pure, repeatable, plain data."""

import pickle

import pytest

from nowchess_uci.analysis.model import Evaluation, GameAnalysis, PositionAnalysis
from nowchess_uci.analysis.units import (
    Failure,
    GameUnit,
    PositionUnit,
    Settings,
    Unit,
    analyse_or_fail,
    analyse_unit,
    wanted_plies,
)
from nowchess_uci.rules.fen import START_FEN
from nowchess_uci.search.limits import Limits

SCHOLAR = ("e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6", "h5f7")
QUICK = Settings(Limits(nodes=300))


def unit_of(moves: tuple[str, ...] = SCHOLAR, settings: Settings = QUICK, fen: str = START_FEN) -> GameUnit:
    return GameUnit(1, "x.pgn", {"White": "A"}, fen, False, moves, "1-0", settings)


def analysed(unit: Unit) -> GameAnalysis:
    found = analyse_unit(unit)
    assert isinstance(found, GameAnalysis)
    return found


def test_the_same_unit_gives_the_same_result_whatever_came_before() -> None:
    first = analyse_unit(unit_of())
    analyse_unit(unit_of(("d2d4", "d7d5", "c2c4"), Settings(Limits(nodes=5000))))
    assert analyse_unit(unit_of()) == first


def test_unit_and_result_survive_pickling() -> None:
    unit = unit_of()
    assert pickle.loads(pickle.dumps(unit)) == unit
    found = analyse_unit(unit)
    assert pickle.loads(pickle.dumps(found)) == found


def test_the_score_after_a_move_is_the_score_before_the_next() -> None:
    plies = analysed(unit_of()).plies
    assert len(plies) == 7
    assert all(ply.before is not None and ply.after is not None for ply in plies)
    assert [ply.after for ply in plies[:-1]] == [ply.before for ply in plies[1:]]


def test_a_blunder_is_found_and_the_mate_is_white_s() -> None:
    plies = analysed(unit_of(settings=Settings(Limits(nodes=2000)))).plies
    assert (plies[5].san, plies[5].judgement) == ("Nf6", "blunder")
    assert plies[5].after
    assert (plies[5].after.mate, plies[5].after.best, plies[5].after.line) == (1, "h5f7", ("Qxf7#",))
    assert plies[6].after == Evaluation(None, 0, (1000, 0, 0), 0, 0, (), "")
    assert plies[6].accuracy == 100


def test_a_mate_of_black_is_negative() -> None:
    game = analysed(unit_of(("f2f3", "e7e5", "g2g4", "d8h4")))
    after = [ply.after for ply in game.plies]
    assert after[2] is not None
    assert after[2].mate == -1
    assert after[3] == Evaluation(None, 0, (0, 0, 1000), 0, 0, (), "")
    assert game.white.blunders == 1


def test_a_position_that_ends_the_game_is_not_searched() -> None:
    over = Evaluation(0, None, (0, 1000, 0), 0, 0, (), "")
    stalemate = analysed(unit_of(("b1b6",), fen="k7/8/2K5/8/8/8/8/1Q6 w - - 0 1"))
    assert stalemate.plies[0].after == over
    bare_kings = analysed(unit_of(("b6c7",), fen="k7/8/1K6/8/8/8/8/8 w - - 0 1"))
    assert bare_kings.plies[0].before == bare_kings.plies[0].after == over


def test_only_the_wanted_moves_are_searched() -> None:
    game = analysed(unit_of(settings=QUICK._replace(from_move=2, to_move=3)))
    assert [ply.loss is not None for ply in game.plies] == [False, False, True, True, True, True, False]
    assert [ply.before is not None for ply in game.plies] == [False, False, True, True, True, True, True]
    assert game.white.moves == game.black.moves == 2
    assert analysed(unit_of(settings=QUICK._replace(skip_plies=6))).white.moves == 1
    nothing = analysed(unit_of(settings=QUICK._replace(from_move=9)))
    assert all(ply.before is None for ply in nothing.plies)
    assert (nothing.white.moves, nothing.white.accuracy, nothing.white.average_loss) == (0, None, None)


@pytest.mark.parametrize(
    ("fen", "settings", "wanted"),
    [
        (START_FEN, QUICK, range(7)),
        (START_FEN, QUICK._replace(from_move=2), range(2, 7)),
        (START_FEN, QUICK._replace(to_move=2), range(4)),
        (START_FEN, QUICK._replace(from_move=2, to_move=2, skip_plies=3), range(3, 4)),
        ("8/8/8/8/8/2k5/2p5/2K5 b - - 0 60", QUICK._replace(from_move=61, to_move=62), range(1, 5)),
        ("8/8/8/8/8/2k5/2p5/2K5 b - - 0 60", QUICK._replace(from_move=9, to_move=60), range(1)),
        ("8/8/8/8/8/2k5/2p5/2K5 b - - 0 60", QUICK._replace(to_move=59), range(0)),
    ],
)
def test_moves_are_counted_from_the_number_of_the_first(fen: str, settings: Settings, wanted: range) -> None:
    assert wanted_plies(unit_of(settings=settings, fen=fen)) == wanted


def test_what_is_known_is_not_searched() -> None:
    known = Evaluation(77, None, (400, 500, 100), 30, 0, (), "")
    searched = []
    unit = unit_of()._replace(known=(None, known, None, known, None, None, None, None))
    found = analyse_unit(unit, lambda: searched.append(1))
    assert isinstance(found, GameAnalysis)
    assert found.plies[0].after == found.plies[2].after == known
    assert len(searched) == 6


def test_several_lines_are_kept_on_request() -> None:
    before = analysed(unit_of(settings=Settings(Limits(nodes=1000), lines=3))).plies[0].before
    assert before is not None
    assert len(before.others) == 2
    assert len({before.line[0], *(other.line[0] for other in before.others)}) == 3


def test_chess960_castling_is_king_takes_rook() -> None:
    fen = "4k3/pppp4/8/8/8/8/PPPP4/1R2K2R w HB - 0 1"
    game = analysed(GameUnit(1, "x", {}, fen, True, ("e1h1", "e8e7"), "*", QUICK))
    assert [(ply.san, ply.uci) for ply in game.plies] == [("O-O", "e1h1"), ("Ke7", "e8e7")]
    assert game.chess960


def test_what_goes_wrong_in_a_unit_is_its_result() -> None:
    found = analyse_or_fail(unit_of(("e2e5",)))
    assert isinstance(found, Failure)
    assert "'e2e5' is not a legal move here" in found.reason


@pytest.mark.parametrize(
    ("fen", "best", "avoid", "mate", "solved", "wanted"),
    [
        ("k7/8/1K6/8/8/8/8/7R w - - 0 1", ("h1h8",), (), 1, True, "Rh8# mate in 1"),
        ("k7/8/1K6/8/8/8/8/7R w - - 0 1", ("h1h7",), (), 0, False, "Rh7"),
        ("4k3/8/8/8/8/8/4q3/4K3 w - - 0 1", (), ("e1e2",), 0, False, "not Kxe2"),
        ("k7/8/1K6/8/8/8/8/7R w - - 0 1", (), (), 0, None, ""),
    ],
)
def test_positions_are_solved_or_not(
    fen: str, best: tuple[str, ...], avoid: tuple[str, ...], mate: int, solved: bool | None, wanted: str
) -> None:
    found = analyse_unit(PositionUnit(3, "x.epd", "name", fen, best, avoid, mate, QUICK))
    assert isinstance(found, PositionAnalysis)
    assert (found.solved, found.wanted, found.name, found.number) == (solved, wanted, "name", 3)
    assert (found.solved_depth is not None) == (found.solved_nodes is not None) == (solved is True)
