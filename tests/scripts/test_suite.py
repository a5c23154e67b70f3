"""scripts/strength/suite.py as its user meets it."""

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "strength" / "suite.py"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, SCRIPT, *arguments], capture_output=True, text=True, check=False, timeout=60)


def test_solved_and_unsolved_positions_are_told_apart(tmp_path: Path) -> None:
    file = tmp_path / "suite.epd"
    file.write_text(
        'k7/8/1K6/8/8/8/8/7R w - - bm Rh8#; dm 1; id "mate";\n'
        "# a comment\n"
        '4k3/8/8/8/8/8/4q3/4K3 w - - am Kxe2; id "cannot be avoided";\n'
    )
    result = run(str(file), "--depth", "4")
    assert result.returncode == 1
    lines = result.stdout.splitlines()
    assert "Rh8# mate in 1" in lines[1]
    assert lines[2].endswith("-")
    assert lines[-1].startswith("1 of 2 solved")


def test_a_bad_line_is_named(tmp_path: Path) -> None:
    file = tmp_path / "suite.epd"
    file.write_text("k7/8/1K6/8/8/8/8/7R w - - bm Rh9;\n")
    result = run(str(file))
    assert result.returncode == 1
    assert "line 1" in result.stderr
