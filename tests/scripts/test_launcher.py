"""scripts/nowchess-uci, the launcher with the engine's name: it finds its checkout and its Python from anywhere."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import bootstrap
import pytest

LAUNCHER = Path(bootstrap.__file__).parent / "nowchess-uci"

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows starts nowchess-uci.bat")

# Stands in for run.py: says which Python runs it, from where, and with which arguments.
STUB = "import sys\nprint(sys.executable, __file__, *sys.argv[1:], sep='\\n')\nsys.exit(3)\n"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with nothing but the launcher and a stub, in a folder whose name needs quoting."""
    root = tmp_path / "my $HOME checkout"
    (root / "scripts").mkdir(parents=True)
    shutil.copy(LAUNCHER, root / "scripts")
    (root / "scripts" / "run.py").write_text(STUB)
    return root


def make_venv(checkout: Path, is_complete: bool = True) -> Path:
    """A `.venv` whose Python is a link, as a real one's is."""
    python = checkout / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.symlink_to(sys.executable)
    if is_complete:
        (checkout / ".venv" / bootstrap.STAMP.name).touch()
    return python


def start(program: str | Path, *arguments: str, cwd: Path, **environment: str) -> list[str]:
    """The lines that the stub prints."""
    command = [str(program), *arguments]
    result = subprocess.run(
        command, cwd=cwd, env={**os.environ, **environment}, capture_output=True, text=True, timeout=30
    )
    assert (result.stderr, result.returncode) == ("", 3)
    return result.stdout.splitlines()


def test_arguments_and_exit_code_are_those_of_run_py(checkout: Path, tmp_path: Path) -> None:
    lines = start(checkout / "scripts" / "nowchess-uci", "go depth 5", "", "*", cwd=tmp_path)
    assert lines[1:] == [str(checkout / "scripts" / "run.py"), "go depth 5", "", "*"]


@pytest.mark.parametrize("name", ["scripts/nowchess-uci", "./scripts/../scripts/nowchess-uci"])
def test_it_starts_by_a_relative_path(checkout: Path, name: str) -> None:
    # CDPATH would send a careless `cd scripts` elsewhere.
    (checkout / "elsewhere" / "scripts").mkdir(parents=True)
    lines = start(name, cwd=checkout, CDPATH=str(checkout / "elsewhere"))
    assert lines[1] == str(checkout / "scripts" / "run.py")


def test_it_starts_through_links_to_links(checkout: Path, tmp_path: Path) -> None:
    for folder in ("bin", "games"):
        (tmp_path / folder).mkdir()
    (tmp_path / "games" / "engine").symlink_to(Path("..", checkout.name, "scripts", "nowchess-uci"))
    (tmp_path / "bin" / "nowchess-uci").symlink_to(tmp_path / "games" / "engine")
    (tmp_path / "link").symlink_to("bin")
    path = f"{tmp_path / 'link'}{os.pathsep}{os.environ['PATH']}"
    lines = start("nowchess-uci", cwd=tmp_path, PATH=path)
    assert lines[1] == str(checkout / "scripts" / "run.py")


def test_the_shell_may_be_given_the_file(checkout: Path) -> None:
    lines = start("sh", "nowchess-uci", "bench", cwd=checkout / "scripts")
    assert lines[1:] == [str(checkout / "scripts" / "run.py"), "bench"]


def test_the_python_of_the_venv_is_used_though_the_path_has_none(checkout: Path, tmp_path: Path) -> None:
    python = make_venv(checkout)
    lines = start(checkout / "scripts" / "nowchess-uci", cwd=tmp_path, PATH=str(tmp_path))
    assert Path(lines[0]).resolve() == python.resolve()


@pytest.mark.parametrize("state", ["none", "unfinished", "dangling"])
def test_without_a_working_venv_it_is_the_python_on_the_path(checkout: Path, tmp_path: Path, state: str) -> None:
    if state != "none":
        python = make_venv(checkout, is_complete=state == "dangling")
        if state == "dangling":
            python.unlink()
            python.symlink_to(tmp_path / "gone")
    (tmp_path / "python3").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@" "from the path"\n')
    (tmp_path / "python3").chmod(0o755)
    lines = start(checkout / "scripts" / "nowchess-uci", cwd=tmp_path, PATH=f"{tmp_path}{os.pathsep}/usr/bin:/bin")
    assert lines[2:] == ["from the path"]


@pytest.mark.skipif(not bootstrap.is_current(), reason="the launcher would build first")
def test_it_is_the_engine(tmp_path: Path) -> None:
    (tmp_path / "nowchess_uci.py").write_text("raise SystemExit('this is not the engine')")
    (tmp_path / "engine").symlink_to(LAUNCHER)
    result = subprocess.run(
        [str(tmp_path / "engine")],
        cwd=tmp_path,
        input="uci\nquit\n",
        env={"PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert result.stdout.endswith("uciok\n")
    assert (result.stderr, result.returncode) == ("", 0)
