"""A move that comes late says what the machine gave to its search."""

import time

from tasks import task

from nowchess_uci.rules.fen import START_FEN, parse_fen
from nowchess_uci.search.lateness import LATE_MS, Late
from nowchess_uci.search.pool import Pool
from nowchess_uci.search.reports import BestMove, Progress, Report
from nowchess_uci.search.thinking import Thinking


def reports_of(pause_ms: int, busy: bool = False, **limits: object) -> list[Report]:
    """What a search reports whose listener keeps it waiting at the first line."""
    told: list[Report] = []

    def listen(report: Report) -> None:
        if isinstance(report, Progress) and not told:
            end = time.thread_time() + pause_ms / 1000
            if not busy:
                time.sleep(pause_ms / 1000)
            while busy and time.thread_time() < end:
                pass
        told.append(report)

    Thinking(Pool(1), parse_fen(START_FEN), task(**limits), listen).run()
    return told


def test_a_late_move_says_how_long_it_waited() -> None:
    told = reports_of(300, movetime_ms=20)
    (late,) = [report for report in told if isinstance(report, Late)]
    assert late.planned_ms == 10
    assert late.spent_ms >= 300
    assert late.used.processor_ms < 200  # it slept
    assert isinstance(told[-1], BestMove)


def test_a_late_move_says_how_long_it_worked() -> None:
    (late,) = [report for report in reports_of(200, busy=True, movetime_ms=20) if isinstance(report, Late)]
    assert late.used.processor_ms >= 200


def test_without_a_clock_nothing_is_late() -> None:
    assert not any(isinstance(report, Late) for report in reports_of(2 * LATE_MS, depth=2))
