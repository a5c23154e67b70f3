"""Mates that go through quiet checks and sacrifices are found early, none of them cut away by pruning."""

from pathlib import Path

import pytest
from tasks import task

from nowchess_uci.rules.epd import parse_epd
from nowchess_uci.search.pool import Pool
from nowchess_uci.search.reports import Progress, Report
from nowchess_uci.search.scores import MATE_SCORE
from nowchess_uci.search.thinking import Thinking

LINES = (Path(__file__).parent.parent / "data" / "mates.epd").read_text().splitlines()


@pytest.mark.parametrize("line", [line for line in LINES if not line.startswith("#")])
def test_the_mate_is_found_within_400000_nodes(line: str) -> None:
    position, operations = parse_epd(line)
    scores: list[int] = []

    def note(report: Report) -> None:
        if isinstance(report, Progress):
            scores.append(report.score.units)

    Thinking(Pool(16), position, task(nodes=400_000), note).run()
    assert scores[-1] >= MATE_SCORE - 2 * int(operations["dm"][0]) + 1
