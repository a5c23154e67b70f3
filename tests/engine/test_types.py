"""What an editor and mypy know of the public names: everything."""

import re
import subprocess
import sys
from pathlib import Path

import nowchess_uci

SCRIPT = """
from nowchess_uci import Board, Engine, Limits

with Engine(threads=1, hash_mib=1, elo=1500) as engine:
    board = Board()
    analysis = engine.analyse(board, Limits(nodes=1), lines=2)
    job = engine.start(board, Limits(infinite=True), print)
    line = next(iter(engine.stream(board, Limits(depth=1))))
    reveal_type(analysis)
    reveal_type(analysis.best.score.white.cp)
    reveal_type(analysis.best.pv)
    reveal_type(analysis.best.wdl)
    reveal_type(analysis.move)
    reveal_type(engine.play(board, Limits(movetime_ms=10)))
    reveal_type(job.result())
    reveal_type(line)
    reveal_type(board.fen())
    reveal_type(board.status())
"""
EXPECTED = [
    "nowchess_uci.engine.analysis.Analysis",
    "int | None",
    "tuple[str, ...]",
    "tuple[int, int, int]",
    "str",
    "str",
    "nowchess_uci.engine.analysis.Analysis",
    "nowchess_uci.engine.analysis.Line",
    "str",
    "nowchess_uci.rules.draws.Status",
]


def test_mypy_knows_the_type_of_everything_public(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    mypy = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--cache-dir", str(tmp_path)]
    result = subprocess.run([*mypy, str(script)], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert re.findall(r'Revealed type is "(.*)"', result.stdout) == EXPECTED
    assert "error" not in result.stdout


def test_public_names_are_documented() -> None:
    for name in nowchess_uci.__all__:
        value = getattr(nowchess_uci, name)
        assert name.startswith("__") or isinstance(value, str) or value.__doc__
    page = (Path(__file__).resolve().parent.parent.parent / "docs" / "python.md").read_text(encoding="utf-8")
    readme = (Path(__file__).resolve().parent.parent.parent / "README.md").read_text(encoding="utf-8")
    assert [name for name in nowchess_uci.__all__ if name not in page + readme and name != "__version__"] == []
