"""The order in which the search tries moves: each legal one exactly once, the promising ones first."""

import random
from collections.abc import Iterator

import oracle
import pytest

from nowchess_uci.evaluation.network import default_network
from nowchess_uci.rules.exchange import exchange_wins
from nowchess_uci.rules.fen import parse_fen
from nowchess_uci.rules.move import render_move
from nowchess_uci.rules.movegen import is_legal_move, legal_moves
from nowchess_uci.rules.notation import parse_move
from nowchess_uci.rules.position import Position
from nowchess_uci.search.ordering import picked_moves
from nowchess_uci.search.table import Table
from nowchess_uci.search.worker import Worker

TACTICAL, QUIET = 1, 2
ORDER = ["table move", "good tactical", "killer", "quiet", "bad tactical"]
POSITIONS = 1_500


@pytest.fixture(scope="module")
def worker() -> Worker:
    """One that has learnt nothing."""
    return Worker(Table(1), 0, default_network())  # type: ignore[call-arg]  # mypy does not know __cinit__


def positions(name: str) -> Iterator[Position]:
    """Positions of random games, some of them strange."""
    source = random.Random(name)
    seen = 0
    while seen < POSITIONS:
        for twins in oracle.walk(source):
            yield twins.position
            seen += 1


def guess(source: random.Random, moves: list[int]) -> int:
    """A legal move, any number, or none: what table and killers may hold."""
    return source.choice([*source.sample(moves, min(2, len(moves))), source.randrange(1 << 16), 0])


def in_order(stages: list[str]) -> bool:
    return stages == sorted(stages, key=ORDER.index)


def test_each_legal_move_comes_exactly_once_whatever_table_and_killer_say(worker: Worker) -> None:
    source = random.Random(2)
    for position in positions("all moves"):
        moves = legal_moves(position)
        picked = picked_moves(worker, position, guess(source, moves), guess(source, moves))
        assert sorted(move for _, move in picked) == sorted(moves)
        assert in_order([stage for stage, _ in picked])


def test_each_move_comes_as_what_it_is(worker: Worker) -> None:
    source = random.Random(3)
    for position in positions("stages"):
        moves = legal_moves(position)
        table_move, killer = guess(source, moves), guess(source, moves)
        tactical = set(legal_moves(position, TACTICAL))
        for stage, move in picked_moves(worker, position, table_move, killer):
            if stage == "table move":
                assert move == table_move
            elif stage == "killer":
                assert move == killer
                assert move not in tactical
            elif stage == "quiet":
                assert move not in tactical
            else:
                assert move in tactical
                assert exchange_wins(position, move) == (stage == "good tactical")


def test_the_table_move_comes_first_if_it_is_legal(worker: Worker) -> None:
    source = random.Random(4)
    for position in positions("table moves"):
        table_move = guess(source, legal_moves(position))
        picked = picked_moves(worker, position, table_move)
        if is_legal_move(position, table_move):
            assert picked[0] == ("table move", table_move)
        else:
            assert all(stage != "table move" for stage, _ in picked)


def test_quiescence_sees_captures_and_promotions_that_lose_nothing(worker: Worker) -> None:
    source = random.Random(5)
    for position in positions("quiescence"):
        table_move = guess(source, legal_moves(position))
        picked = [move for _, move in picked_moves(worker, position, table_move, 0, True)]
        tactical = legal_moves(position, TACTICAL)
        wanted = [move for move in tactical if move == table_move or exchange_wins(position, move)]
        assert sorted(picked) == sorted(wanted)


def picked_text(worker: Worker, fen: str, table_move: str = "", killer: str = "") -> list[str]:
    position = parse_fen(fen)
    table, kill = (parse_move(position, text) if text else 0 for text in (table_move, killer))
    return [render_move(move) for _, move in picked_moves(worker, position, table, kill)]


def test_the_most_valuable_victim_is_taken_first(worker: Worker) -> None:
    # Three pawns can take a queen, a rook (twice), a bishop (twice) and a knight.
    fen = "7k/8/8/q1r1b1n1/1P1P1P2/8/8/7K w - - 0 1"
    assert [text[2:] for text in picked_text(worker, fen)[:6]] == ["a5", "c5", "c5", "e5", "e5", "g5"]


def test_promotion_to_a_queen_comes_before_all_other_promotions(worker: Worker) -> None:
    picked = picked_text(worker, "7k/P7/8/8/8/8/8/7K w - - 0 1")
    assert picked[0] == "a7a8q"
    assert {"a7a8r", "a7a8b", "a7a8n"} <= set(picked)


def test_table_move_capture_killer_quiet_and_losing_capture_come_in_this_order(worker: Worker) -> None:
    # The rook may take a pawn that a pawn protects; the bishop takes a knight for nothing.
    fen = "7k/2p5/3p4/8/8/2n5/1B6/3R2K1 w - - 0 1"
    picked = picked_text(worker, fen, "g1g2", "d1f1")
    assert picked[:3] == ["g1g2", "b2c3", "d1f1"]
    assert picked[-1] == "d1d6"
    assert len(picked) == len(set(picked)) > 10


def test_a_quiet_check_comes_before_other_quiet_moves(worker: Worker) -> None:
    assert picked_text(worker, "7k/8/8/8/8/8/8/K2R4 w - - 0 1")[0] in ("d1d8", "d1h1")
