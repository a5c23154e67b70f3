"""scripts/run.py, which people give to their GUI."""

import subprocess
import sys
from pathlib import Path

import bootstrap
import pytest

SCRIPTS = Path(bootstrap.__file__).parent


@pytest.mark.skipif(not bootstrap.is_current(), reason="scripts/run.py would build first")
def test_it_starts_in_any_folder(tmp_path: Path) -> None:
    for name in ("nowchess_uci", "bootstrap", "signal"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('this is not the engine')")
    command = [sys.executable, str(SCRIPTS / "run.py")]
    result = subprocess.run(command, cwd=tmp_path, input="uci\nquit\n", capture_output=True, text=True, timeout=30)
    assert result.stdout.endswith("uciok\n")
    assert (result.stderr, result.returncode) == ("", 0)


def test_a_missing_python_is_noticed_and_another_one_does_not_matter(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    stamp = tmp_path / "stamp"
    monkeypatch.setattr(bootstrap, "STAMP", stamp)
    monkeypatch.setattr(bootstrap, "PYTHON", Path(sys.executable))
    assert not bootstrap.is_current()
    stamp.write_text(bootstrap.fingerprint())
    monkeypatch.setattr(sys, "version", "the Python that the GUI found")
    assert bootstrap.is_current()
    monkeypatch.setattr(bootstrap, "PYTHON", tmp_path / "python")
    assert not bootstrap.is_current()
