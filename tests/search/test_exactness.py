"""What a search says last is exact, whenever it is stopped: a mate has its whole line, a bound is called one."""

import itertools
import random
from pathlib import Path

import pytest
from tasks import task

from nowchess_uci.rules.draws import Status, status
from nowchess_uci.rules.epd import parse_epd
from nowchess_uci.rules.fen import parse_fen, render_fen
from nowchess_uci.rules.movegen import is_legal_move, play
from nowchess_uci.search.pool import Pool
from nowchess_uci.search.reports import BestMove, Progress, Report
from nowchess_uci.search.thinking import Thinking

FILE = Path(__file__).resolve().parent.parent / "data" / "mates.epd"
MATES = [line for line in FILE.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
REPORTED = "r4q1k/p2bR1rp/2p2Q1N/5p2/5p2/2P5/PP3PPP/R5K1 w - - 0 1"  # a bound was once told as a mate in 14
QUIET = "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P1B2/2NBPN2/PP3PPP/R2Q1RK1 w - - 0 10"


def check_last_line(fen: str, nodes: int, lines: int = 1, threads: int = 1) -> None:
    """Search, and prove what was said last."""
    position = parse_fen(fen)
    told: list[Report] = []
    to_do = task(nodes=nodes, lines=lines, shown_lines=lines)
    best = Thinking(Pool(2, threads), position.copy(), to_do, told.append).run()
    reports = [report for report in told if isinstance(report, Progress)]
    last = [report for report in reports if report.rank == 1][-1]
    assert isinstance(told[-1], BestMove)
    assert last.bound == ""
    assert last.line[0] == best.move
    if lines > 1:
        final = reports[-min(lines, len({report.rank for report in reports})) :]
        assert [report.rank for report in final] == list(range(1, len(final) + 1))
        assert all(a.score >= b.score for a, b in itertools.pairwise(final))
    for report in reports:
        if report.score.mate and not report.bound:
            check_mate(fen, report)


def check_mate(fen: str, report: Progress) -> None:
    """The line of a mate ends in mate, when the score says."""
    position = parse_fen(fen)
    for move in report.line:
        assert is_legal_move(position, move)
        play(position, move)
    mate = report.score.mate
    assert mate is not None
    assert status(position) is Status.CHECKMATE
    assert len(report.line) == (2 * mate - 1 if mate > 0 else -2 * mate)


@pytest.mark.parametrize("nodes", [1, 150, 3_000, 20_000, 47_000, 110_000, 200_000])
def test_the_position_that_was_reported(nodes: int) -> None:
    check_last_line(REPORTED, nodes)


@pytest.mark.parametrize("number", range(len(MATES)))
def test_mates_are_whole_whenever_the_search_is_stopped(number: int) -> None:
    source = random.Random(number)
    position, _ = parse_epd(MATES[number])
    for _ in range(6):
        check_last_line(render_fen(position), round(10 ** source.uniform(2, 5.2)))


def test_several_lines_and_threads() -> None:
    source = random.Random(1)
    for _ in range(30):
        for fen in (REPORTED, QUIET):
            check_last_line(fen, source.randrange(1, 40_000), source.choice((1, 2, 5)), source.choice((1, 1, 2)))
