"""The set-up of a checkout, interrupted."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import bootstrap
import pytest

SCRIPTS = Path(bootstrap.__file__).parent


def make_python(what: str, command: list[str], **_: str) -> None:
    """Stands for the steps of the set-up, of which only one has an effect here."""
    if "venv" in command:
        bootstrap.PYTHON.touch()


@pytest.fixture
def checkout(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A checkout with one compiled module, in which nothing real is installed."""
    (tmp_path / "nowchess_uci").mkdir()
    (tmp_path / "nowchess_uci" / "fast.py").write_text("1")
    (tmp_path / "setup.py").touch()
    shutil.copy(bootstrap.PROJECT, tmp_path)
    venv = tmp_path / ".venv"
    for name, path in (
        ("ROOT", tmp_path),
        ("VENV", venv),
        ("PYTHON", venv / "python"),
        ("STAMP", venv / "stamp"),
        ("MAKING", venv / "making"),
        ("BUILDING", venv / "building"),
        ("PROJECT", tmp_path / "pyproject.toml"),
    ):
        monkeypatch.setattr(bootstrap, name, path)
    monkeypatch.setattr(bootstrap, "run_step", make_python)
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: subprocess.CompletedProcess([], 0))  # the probe of .venv
    return tmp_path


def half_written(checkout: Path) -> list[Path]:
    return [checkout / "nowchess_uci" / "fast.so", checkout / "build" / "cython-release" / "fast.c"]


def leave_half(checkout: Path) -> None:
    for path in half_written(checkout):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("half")


@pytest.mark.parametrize(
    ("error", "is_kept"), [(KeyboardInterrupt(), False), (SystemExit(), False), (bootstrap.SetupError("syntax"), True)]
)
def test_what_an_interrupted_build_has_left_is_forgotten_and_what_a_failed_one_has_left_is_not(
    monkeypatch: pytest.MonkeyPatch, checkout: Path, error: BaseException, is_kept: bool
) -> None:
    def cut_off(what: str, *_: str, **__: str) -> None:
        leave_half(checkout)
        raise error

    monkeypatch.setattr(bootstrap, "pip_install", cut_off)
    with pytest.raises(type(error)):
        bootstrap.set_up()
    assert not bootstrap.is_current()
    found: list[bool] = []
    monkeypatch.setattr(
        bootstrap, "pip_install", lambda *_, **__: found.extend(path.exists() for path in half_written(checkout))
    )
    bootstrap.set_up()
    assert found == [is_kept] * 4
    assert bootstrap.is_current()
    assert not bootstrap.BUILDING.exists()


def test_an_environment_that_was_not_finished_is_made_anew(monkeypatch: pytest.MonkeyPatch, checkout: Path) -> None:
    def cut_off(what: str, command: list[str], **_: str) -> None:
        bootstrap.PYTHON.touch()
        (bootstrap.VENV / "half").touch()
        raise KeyboardInterrupt

    monkeypatch.setattr(bootstrap, "run_step", cut_off)
    with pytest.raises(KeyboardInterrupt):
        bootstrap.make_venv()
    monkeypatch.setattr(bootstrap, "run_step", make_python)
    bootstrap.make_venv()
    assert not (bootstrap.VENV / "half").exists()
    (bootstrap.VENV / "installed").touch()
    bootstrap.make_venv()
    assert (bootstrap.VENV / "installed").exists()


@pytest.mark.skipif(os.name == "nt", reason="signals differ")
@pytest.mark.parametrize("name", ["run.py", "test.py"])
def test_ctrl_c_during_the_first_build_ends_it_with_one_line(tmp_path: Path, name: str) -> None:
    """A copy of the scripts alone: it gets as far as making `.venv`, where it is interrupted."""
    shutil.copytree(SCRIPTS, tmp_path / "scripts", ignore=shutil.ignore_patterns("__pycache__"))
    process = subprocess.Popen(
        [sys.executable, str(tmp_path / "scripts" / name)],
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert process.stderr is not None
    assert process.stderr.readline() == "nowchess-uci: making .venv\n"
    os.killpg(process.pid, signal.SIGINT)
    rest = process.stderr.read()
    assert (process.wait(20), rest) == (130, f"{'nowchess-uci' if name == 'run.py' else name}: stopped\n")
    process.stderr.close()


@pytest.mark.skipif(os.name == "nt", reason="signals differ")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_command_that_is_cut_off_takes_its_children_with_it(tmp_path: Path, number: signal.Signals) -> None:
    """One that heeds no Ctrl-C writes a file as long as it lives."""
    child = tmp_path / "child.py"
    child.write_text(
        "import pathlib, signal, sys, time\n"
        "signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "while True:\n"
        "    pathlib.Path(sys.argv[1]).write_text(str(time.monotonic()))\n"
        "    time.sleep(0.02)\n"
    )
    alive = tmp_path / "alive"
    inner = f"import subprocess; subprocess.run([{sys.executable!r}, {str(child)!r}, {str(alive)!r}])"
    outer = (
        f"import sys; sys.path.insert(0, {str(SCRIPTS)!r}); import bootstrap\n"
        f"bootstrap.run_step('it', [{sys.executable!r}, '-c', {inner!r}])"
    )
    process = subprocess.Popen([sys.executable, "-c", outer], stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 20
    while not alive.exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(number)
    process.wait(20)
    last = alive.read_text()
    time.sleep(0.3)
    assert alive.read_text() == last
