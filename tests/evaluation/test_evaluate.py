"""The evaluation with the engine's own network: symmetry, signs, and what people are shown of it."""

import random

import oracle
import pytest

from nowchess_uci import Board
from nowchess_uci.evaluation.chances import chances
from nowchess_uci.evaluation.evaluate import Evaluator
from nowchess_uci.evaluation.explain import render_evaluation
from nowchess_uci.evaluation.network import default_network
from nowchess_uci.rules.constants import EMPTY
from nowchess_uci.rules.fen import parse_fen, render_fen
from nowchess_uci.rules.movegen import legal_moves, play


def random_positions(count: int) -> list[str]:
    source = random.Random(5)
    fens: list[str] = []
    while len(fens) < count:
        position = parse_fen(Board().fen())
        for _ in range(source.randrange(120)):
            moves = legal_moves(position)
            if not moves:
                break
            play(position, source.choice(moves))
        fens.append(render_fen(position))
    return fens


@pytest.fixture(scope="module")
def evaluator() -> Evaluator:
    return Evaluator()


@pytest.mark.parametrize("fen", random_positions(100))
def test_mirrored_positions_score_alike(fen: str, evaluator: Evaluator) -> None:
    assert evaluator.score(parse_fen(fen)) == evaluator.score(parse_fen(oracle.flipped_fen(fen)))


def test_more_material_is_better(evaluator: Evaluator) -> None:
    assert evaluator.score(parse_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1")) < -500
    assert evaluator.score(parse_fen("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")) > 500


@pytest.mark.parametrize("side", ["w", "b"])
def test_a_piece_is_worth_what_the_score_loses_without_it(side: str, evaluator: Evaluator) -> None:
    rows = ["r3k3", "1p3p2", "2n5", "8", "8", "5N2", "1P3P2", "4K2R"]  # nothing stands between a king and danger
    whole = parse_fen(f"{'/'.join(rows)} {side} - - 0 1")
    compared = 0
    for square in range(64):
        if whole.piece_at(square) == EMPTY or square in (square_named("e1"), square_named("e8")):
            assert evaluator.worth(whole, square) is None
            continue
        without = parse_fen(f"{'/'.join(without_square(rows, square))} {side} - - 0 1")
        worth = evaluator.network_score(whole) - evaluator.network_score(without)
        assert evaluator.worth(whole, square) == worth != 0
        compared += 1
    assert compared == 8


def without_square(rows: list[str], square: int) -> list[str]:
    """The rows of a FEN with one square emptied."""
    row = "".join("1" * int(letter) if letter.isdigit() else letter for letter in rows[7 - square // 8])
    return [*rows[: 7 - square // 8], row[: square % 8] + "1" + row[square % 8 + 1 :], *rows[8 - square // 8 :]]


def square_named(name: str) -> int:
    return "abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1)


@pytest.mark.parametrize(("side", "name"), [("w", "White"), ("b", "Black")])
def test_a_board_shows_what_each_piece_is_worth_to_white(side: str, name: str, evaluator: Evaluator) -> None:
    position = parse_fen(f"4k3/8/8/8/8/8/Q7/4K3 {side} - - 0 1")
    lines = render_evaluation(position, default_network()).splitlines()
    queen = next(index for index, line in enumerate(lines) if "Q" in line)
    worth = (evaluator.worth(position, square_named("a2")) or 0) / 100
    assert lines[queen].startswith("2 |   Q   |")
    assert lines[queen + 1].split("|")[1].strip() == f"{worth if side == 'w' else -worth:+.2f}"
    score = evaluator.score(position)
    assert lines[-1].startswith(f"Evaluation: {(score if side == 'w' else -score) / 100:+.2f} pawns for White")
    assert lines[-1].endswith(f"({score:+d} centipawns for {name}, to move)")
    assert sum("." in line for line in lines[:-5]) == 1  # kings have no price


@pytest.mark.parametrize("score", [-32000, -500, -1, 0, 30, 250, 32000])
def test_chances_add_up_and_mirror(score: int) -> None:
    win, draw, loss = chances(score)
    assert win + draw + loss == 1000
    assert min(win, draw, loss) >= 0
    assert chances(-score) == (loss, draw, win)


def test_a_lead_counts_more_with_more_pieces_on_the_board(evaluator: Evaluator) -> None:
    full = parse_fen("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    few = parse_fen("4k3/ppp5/8/8/8/8/PPPP4/R3K3 w - - 0 1")
    assert evaluator.score(full) > evaluator.network_score(full) > 0
    assert 0 < evaluator.score(few) < evaluator.network_score(few)
