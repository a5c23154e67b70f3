"""Golden files: what is written about two games whose evaluations are given, so that no search has a say in it.

After a deliberate change, `NOWCHESS_WRITE_GOLDEN=1` with this test writes them anew; then read the difference.
"""

import os
from pathlib import Path

import pytest

from nowchess_uci.analysis.annotate import ANNOTATOR
from nowchess_uci.analysis.model import Alternative, Evaluation
from nowchess_uci.analysis.outputs import CsvOutput, JsonOutput, Output, PgnOutput
from nowchess_uci.analysis.sources import Item, Selection, Sources
from nowchess_uci.analysis.units import GameUnit, Settings, analyse_unit
from nowchess_uci.evaluation.chances import chances
from nowchess_uci.files import FileInTheMaking

FOLDER = Path(__file__).resolve().parents[1] / "data" / "analysis"


def cp(score: int, line: str, best: str, *others: Alternative) -> Evaluation:
    return Evaluation(score, None, chances(score), 14, 100_000, tuple(line.split()), best, others)


def mate(moves: int, line: str, best: str) -> Evaluation:
    wdl = (1000, 0, 0) if moves >= 0 else (0, 0, 1000)
    return Evaluation(None, moves, wdl, 20, 4321, tuple(line.split()), best)


KNOWN: tuple[tuple[Evaluation, ...], ...] = (
    (
        cp(23, "e4 e5 Nf3", "e2e4", Alternative(19, None, ("d4", "d5"))),
        cp(18, "c5 Nf3 d6", "c7c5"),
        cp(27, "Nf3 Nc6 Bb5", "g1f3"),
        cp(-35, "Nc6 Bc4 g6", "b8c6"),
        cp(-31, "Nc3 Nf6 Qd1", "b1c3"),
        cp(-36, "g6 Qf3 Nf6", "g7g6"),
        mate(1, "Qxf7#", "h5f7"),
        mate(0, "", ""),
    ),
    (mate(1, "Qg7#", "g1g7"), Evaluation(0, None, (0, 1000, 0), 0, 0, (), "")),
)


@pytest.mark.parametrize(
    ("name", "scale"),
    [("engine.pgn", "engine"), ("lichess.pgn", "lichess"), ("engine.jsonl", "engine"), ("lichess.csv", "lichess")],
)
def test_output_is_that_of_the_golden_file(
    name: str, scale: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(FOLDER)
    target = FileInTheMaking(tmp_path / name)
    output: Output = JsonOutput(target)
    if name.endswith("pgn"):
        output = PgnOutput(target, strip_comments=False)
    elif name.endswith("csv"):
        output = CsvOutput(target)
    items = Sources(["games.pgn"], Settings(scale=scale), Selection()).items()
    searched: list[int] = []
    for item, known in zip(items, KNOWN, strict=True):
        assert isinstance(item, Item)
        assert isinstance(item.unit, GameUnit)
        output.add(item, analyse_unit(item.unit._replace(known=known), lambda: searched.append(1)))
    assert not searched
    output.finish()
    written = (tmp_path / name).read_bytes().replace(ANNOTATOR.encode(), b"NowChess UCI VERSION")
    if os.environ.get("NOWCHESS_WRITE_GOLDEN"):
        (FOLDER / name).write_bytes(written)
    assert written.decode() == (FOLDER / name).read_text(encoding="utf-8")
