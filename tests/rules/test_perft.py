"""Leaf counts against published and independently verified numbers."""

import re
from pathlib import Path

import pytest

from nowchess_uci import Board
from nowchess_uci.rules.fen import START_FEN, parse_fen
from nowchess_uci.rules.move import render_move
from nowchess_uci.rules.perft import divide, perft

DATA = Path(__file__).resolve().parent.parent / "data"


def cases(name: str) -> list[tuple[str, list[tuple[int, int]]]]:
    """The positions of a file with their counts by depth."""
    found = []
    for line in (DATA / name).read_text().splitlines():
        fen, _, counts = line.partition(";")
        found.append((fen.strip(), [(int(depth), int(count)) for depth, count in re.findall(r"D(\d+) (\d+)", counts)]))
    return found


@pytest.mark.exhaustive
@pytest.mark.parametrize(("fen", "counts"), cases("perft_standard.epd"))
def test_counts_of_standard_positions(fen: str, counts: list[tuple[int, int]]) -> None:
    assert [(depth, perft(parse_fen(fen), depth)) for depth, _ in counts] == counts


@pytest.mark.exhaustive
@pytest.mark.parametrize(("fen", "counts"), cases("perft_chess960.epd"))
def test_counts_of_chess960_positions(fen: str, counts: list[tuple[int, int]]) -> None:
    assert [(depth, perft(parse_fen(fen, True), depth)) for depth, _ in counts] == counts


def test_the_data_is_all_there() -> None:
    assert len(cases("perft_standard.epd")) >= 60
    assert len(cases("perft_chess960.epd")) >= 30
    assert all(counts for name in ("perft_standard.epd", "perft_chess960.epd") for _, counts in cases(name))


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_divide_adds_up_to_perft_with_any_number_of_threads(depth: int, threads: int) -> None:
    position = parse_fen(START_FEN)
    counts = divide(position, depth, threads)
    assert sum(counts.values()) == perft(position, depth)
    assert len(counts) == 20


def test_divide_counts_below_each_move() -> None:
    position = parse_fen(START_FEN)
    counts = {render_move(move): count for move, count in divide(position, 3).items()}
    assert counts["e2e4"] == 600
    assert counts["a2a3"] == 380


def test_divide_reports_progress_to_the_end() -> None:
    reports: list[tuple[int, int]] = []
    divide(parse_fen(START_FEN), 3, 1, lambda done, total: reports.append((done, total)))
    assert reports == [(done, 400) for done in range(1, 401)]


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_divide_goes_on_when_every_thread_has_run_out_of_memory_once(threads: int) -> None:
    position = parse_fen("8/8/8/1k6/1p6/1P6/1K6/8 w - - 0 1")
    failures = [MemoryError] * threads

    def report(_done: int, _total: int) -> None:
        if failures:
            raise failures.pop()

    assert sum(divide(position, 7, threads, report).values()) == perft(position, 7)
    assert not failures


def test_divide_gives_up_when_there_is_no_memory_at_all() -> None:
    def report(_done: int, _total: int) -> None:
        raise MemoryError

    with pytest.raises(MemoryError):
        divide(parse_fen(START_FEN), 3, 2, report)


def test_depth_zero_is_the_position_itself() -> None:
    assert Board().perft(0) == 1
    assert divide(parse_fen(START_FEN), 0) == {}


def test_checkmate_has_no_leaves() -> None:
    assert Board("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3").perft(3) == 0
