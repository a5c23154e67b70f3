"""Sets up `.venv` with the engine built and installed in it; shared by run.py and test.py.

Needs nothing but Python. Everything it says goes to stderr, because stdout belongs to the engine. A fingerprint of
the sources shows whether there is anything to do; if there is not, a start costs a few milliseconds.
"""

import contextlib
import hashlib
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
STAMP = VENV / "nowchess-fingerprint"
# Each is there while its work goes on, and after work that was cut off.
MAKING = VENV / "nowchess-making"
BUILDING = VENV / "nowchess-building"
TOOLS_STAMP = VENV / "nowchess-test-tools"
PROJECT = ROOT / "pyproject.toml"
PATIENCE_SECONDS = 5  # with a command that was interrupted
CONSTRAINTS = ROOT / "scripts" / "constraints.txt"
# Installed in place: a rebuild touches only what changed. The compat mode is a plain path entry, which costs no time
# at start-up; the newer modes import a finder.
IN_PLACE = ("--no-build-isolation", "--config-settings", "editable_mode=compat", "--editable")


class SetupError(Exception):
    """A step of the set-up that failed, reported in one line."""


def say(text: str) -> None:
    print(f"nowchess-uci: {text}", file=sys.stderr, flush=True)


def project() -> dict[str, Any]:
    """What pyproject.toml says."""
    import tomllib  # only here: run.py tells users of an older Python what is missing

    return tomllib.loads(PROJECT.read_text(encoding="utf-8"))


def sources() -> list[Path]:
    """Every file that the installed engine depends on."""
    package = ROOT / "nowchess_uci"
    found = [path for pattern in ("*.py", "*.pxd", "*.h") for path in package.rglob(pattern)]
    return sorted([*found, PROJECT, ROOT / "setup.py"])


def fingerprint() -> str:
    """Changes when a source, the Python of `.venv` or the place of the checkout does.

    Not with the Python that runs this: a GUI may find another one than the terminal did, and cannot wait for a build.
    """
    digest = hashlib.sha256(f"{PYTHON.resolve()}{ROOT}".encode())
    for path in sources():
        digest.update(str(path).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def is_current() -> bool:
    """True if `.venv` works and holds the engine built from the sources as they are now."""
    return PYTHON.exists() and is_stamped(STAMP, fingerprint())


def is_stamped(stamp: Path, value: str) -> bool:
    try:
        return stamp.read_text() == value
    except OSError:
        return False


def run_step(what: str, command: list[str], **environment: str) -> None:
    """Run one set-up command; its output is shown only if it fails."""
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    try:
        with being_stopped_by_signals():
            output, _ = process.communicate()
    except BaseException:
        end_with_children(process)
        raise
    if process.returncode:
        print(output, file=sys.stderr)
        raise SetupError(f"{what} failed (exit code {process.returncode}); its output is above")


@contextlib.contextmanager
def being_stopped_by_signals() -> Iterator[None]:
    """What ends this process does so as Ctrl-C does: otherwise the command would go on alone."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    signals = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = [(number, signal.signal(number, stop)) for number in signals]
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)


def end_with_children(process: "subprocess.Popen[str]") -> None:
    """End a command and all that it has started, of which some, such as Cython's workers, do not heed Ctrl-C."""
    if os.name == "nt":
        process.kill()
    else:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.communicate(timeout=PATIENCE_SECONDS)
            os.killpg(process.pid, signal.SIGKILL)  # what is left
    process.wait()


def pip_install(what: str, *arguments: str, **environment: str) -> None:
    command = [str(PYTHON), "-m", "pip", "install", "--quiet", "--constraint", str(CONSTRAINTS), *arguments]
    run_step(what, command, **environment)


@contextlib.contextmanager
def only_one_at_a_time() -> Iterator[None]:
    """Hold a lock, so that two engines started together do not build into the same place."""
    path = ROOT / ".venv.lock"
    with path.open("w") as lock:
        if os.name == "nt":
            import msvcrt

            msvcrt.locking(lock.fileno(), msvcrt.LK_LOCK, 1)  # type: ignore[attr-defined,unused-ignore]
        else:
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def make_venv() -> None:
    """A fresh `.venv`, if there is none that is whole and works with this Python."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    probe = [str(PYTHON), "-c", f"import sys, pip; sys.exit('%d.%d' % sys.version_info[:2] != '{version}')"]
    is_whole = PYTHON.exists() and not MAKING.exists()
    if is_whole and subprocess.run(probe, capture_output=True, check=False).returncode == 0:
        return
    say("making .venv")
    if VENV.exists():
        shutil.rmtree(VENV)
    VENV.mkdir()
    MAKING.touch()
    hint = " (on Debian and Ubuntu: apt install python3-venv)" if os.name == "posix" else ""
    run_step(f"making .venv{hint}", [sys.executable, "-m", "venv", str(VENV)])
    MAKING.unlink()


def compiler_environment() -> dict[str, str]:
    """Nothing if a C compiler is at hand; otherwise the variables that make ziglang from PyPI the compiler."""
    if os.name == "nt" or os.environ.get("CC") or any(shutil.which(name) for name in ("cc", "gcc", "clang")):
        return {}
    say("no C compiler found: installing ziglang from PyPI and using it as the compiler")
    pip_install("installing ziglang", "ziglang")
    return {"CC": f"{PYTHON} -m ziglang cc", "LDSHARED": f"{PYTHON} -m ziglang cc -shared"}


def set_up() -> None:
    """Make `.venv` hold the engine built from the sources as they are now. Does nothing if it does."""
    if is_current():
        return
    with only_one_at_a_time():
        if is_current():
            return
        make_venv()
        wanted = fingerprint()
        STAMP.unlink(missing_ok=True)
        say("building (about a minute the first time)")
        with forgetting_what_was_cut_off():
            pip_install("installing the build tools", *project()["build-system"]["requires"])
            compiler = compiler_environment()
            pip_install("building the engine", "--no-deps", *IN_PLACE, str(ROOT), **compiler)
        # Bytecode now, so that the first start is fast too, even where Python may not write any.
        run_step("compiling the rest", [str(PYTHON), "-m", "compileall", "-q", str(ROOT / "nowchess_uci")])
        STAMP.write_text(wanted)
        say("ready")


@contextlib.contextmanager
def forgetting_what_was_cut_off() -> Iterator[None]:
    """Begin a build without the files of one that was interrupted or killed.

    They may be half written and yet younger than their sources, so that they would be taken for finished. A build that
    failed by itself leaves none.
    """
    if BUILDING.exists():
        shutil.rmtree(ROOT / "build" / "cython-release", ignore_errors=True)
        for pattern in ("*.so", "*.pyd"):
            for path in (ROOT / "nowchess_uci").rglob(pattern):
                path.unlink()
    BUILDING.touch()
    try:
        yield
    except SetupError:
        BUILDING.unlink()
        raise
    BUILDING.unlink()


def set_up_test_tools() -> None:
    """The same, with linter, type checker, test runner and what a cluster needs."""
    set_up()
    wanted = hashlib.sha256(PROJECT.read_bytes() + CONSTRAINTS.read_bytes()).hexdigest()
    if is_stamped(TOOLS_STAMP, wanted):
        return
    with only_one_at_a_time():
        say("installing the test tools")
        extras = project()["project"]["optional-dependencies"]
        pip_install("installing the test tools", *extras["test"], *extras["cluster"])
        TOOLS_STAMP.write_text(wanted)
