"""`analyse_game` and `analyse_pgn` as a Python program uses them."""

import io
from pathlib import Path
from typing import Any

import pytest
from analysis_runs import collection
from games import played

import nowchess_uci
from nowchess_uci import GameAnalysis, Limits, analyse_game, analyse_pgn
from nowchess_uci.pgn import read_pgn

QUICK = Limits(nodes=200)


def test_a_played_game_and_its_pgn_have_the_same_analysis() -> None:
    from_game = analyse_game(played("f3", "e5", "g4", "Qh4#"), QUICK)
    (pgn,) = read_pgn(io.StringIO("1. f3 e5 2. g4 Qh4#"))
    assert analyse_game(pgn, QUICK).plies == from_game.plies
    assert isinstance(from_game, GameAnalysis)
    assert from_game.white.blunders == 1


def test_a_file_gives_the_same_with_and_without_workers(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(collection(5) + "1. e4 e4 *\n")
    problems: list[Any] = []
    alone = list(analyse_pgn(path, QUICK, on_problem=problems.append))
    assert [game.number for game in alone] == [1, 2, 3, 4, 5, 6]
    assert [(problem.source, problem.place) for problem in problems] == [(str(path), "line 26, column 7 (game 6)")]
    assert list(analyse_pgn(str(path), QUICK, workers=2)) == alone
    with path.open("rb") as file:
        chosen = list(analyse_pgn(file, QUICK, player="black 1", colour="black"))
    assert [game.number for game in chosen] == [1, 4]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"limits": Limits()}, "a limit is needed"),
        ({"limits": Limits(nodes=5, infinite=True)}, "a limit is needed"),
        ({"limits": Limits(nodes=0)}, "nodes is a whole number"),
        ({"limits": 5}, "limits are a Limits"),
        ({"lines": 0}, "lines takes a whole number"),
        ({"scale": "elo"}, "scale takes one of engine, lichess"),
    ],
)
def test_bad_arguments_say_what_is_wrong(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        analyse_game(played("e4"), **arguments)


@pytest.mark.parametrize("arguments", [{"workers": -1}, {"workers": 1.5}, {"colour": "red"}])
def test_bad_arguments_of_a_file_are_refused_at_once(arguments: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="takes"):
        analyse_pgn("nowhere.pgn", QUICK, **arguments)


def test_a_file_that_is_not_there_is_an_os_error() -> None:
    with pytest.raises(FileNotFoundError):
        next(analyse_pgn("nowhere.pgn", QUICK))


def test_the_names_are_exported() -> None:
    assert {"analyse_game", "analyse_pgn", "GameAnalysis"} <= set(nowchess_uci.__all__)
