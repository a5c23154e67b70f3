"""Builds the executable with PyInstaller in a clean environment, then runs it: handshake, a search, a report, a bench.

The result is dist/nowchess-uci/ (one folder), or with --one-file dist/nowchess-uci (one file, slower to start).
Example: `python3 scripts/build_exe.py --one-file`.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import bootstrap
from bootstrap import PYTHON, ROOT, SetupError, run_step, say
from shared.command_line import run
from shared.engine_process import EngineError, EngineProcess, seconds_to_start

CLEAN = ROOT / "build" / "exe-venv"
CLEAN_PYTHON = CLEAN / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
SUFFIX = ".exe" if os.name == "nt" else ""


def build(one_file: bool) -> Path:
    """Build in an environment that holds nothing but the engine and PyInstaller; returns the program."""
    bootstrap.set_up()
    say("making a clean environment")
    if CLEAN.exists():
        shutil.rmtree(CLEAN)
    run_step("making the environment", [sys.executable, "-m", "venv", str(CLEAN)])
    pip = [str(CLEAN_PYTHON), "-m", "pip", "install", "--quiet"]
    # By variable, so that the environment in which pip builds the engine obeys too.
    constraints = {"PIP_CONSTRAINT": str(bootstrap.CONSTRAINTS)}
    run_step("installing PyInstaller and the engine", [*pip, f"{ROOT}[executable]"], **constraints)
    say("building the executable")
    target = ROOT / "dist" / "nowchess-uci"
    if target.is_dir():
        shutil.rmtree(target)
    target.unlink(missing_ok=True)
    # -P keeps the checkout itself off the path: what goes in is what is installed.
    command = [str(CLEAN_PYTHON), "-P", "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN", "build.spec"]
    run_step("PyInstaller", command, NOWCHESS_ONE_FILE="1" if one_file else "0")
    return target.with_suffix(SUFFIX) if one_file else target / f"nowchess-uci{SUFFIX}"


def bench(*command: str) -> str:
    """The node count of a program's bench, which is in its last line."""
    said = subprocess.run([*command, "bench"], capture_output=True, text=True, check=True).stdout
    return said.splitlines()[-1].split()[0]


def check_report(program: Path) -> None:
    """Have a game analysed: that takes worker processes, and the files of the report's page."""
    with tempfile.TemporaryDirectory() as folder:
        games, report = Path(folder) / "games.pgn", Path(folder) / "report.html"
        games.write_text("1. e4 e5 2. Qh5 Nc6 *\n")
        command = [str(program), "analyse", str(games), "--nodes", "1000", "--html", str(report)]
        subprocess.run(command, capture_output=True, check=True, timeout=120)
        if "e4 e5 Qh5 Nc6" not in report.read_text(encoding="utf-8"):
            raise SetupError("the executable's report lacks its game")


def try_out(program: Path) -> None:
    """Run the result as a user would; raises an error if anything is missing."""
    with EngineProcess([str(program)]) as engine:
        engine.send("uci", "isready", "go depth 8")
        for answer in ("uciok", "readyok", "bestmove"):
            engine.read_until(answer, 60.0)
    check_report(program)
    start_seconds = min(seconds_to_start([str(program)]) for _ in range(5))
    ours, installed = bench(str(program)), bench(str(PYTHON), "-m", "nowchess_uci")
    if ours != installed:
        raise SetupError(f"the executable's bench is {ours}, the installed engine's {installed}")
    files = (
        [path for path in program.parent.rglob("*") if path.is_file()] if program.parent.name != "dist" else [program]
    )
    size = sum(path.stat().st_size for path in files) / 1e6
    say(f"{program}: {size:.1f} MB, starts in {1000 * start_seconds:.0f} ms, bench {ours} as installed")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--one-file", action="store_true", help="a single file instead of a folder")
    try_out(build(parser.parse_args().one_file))
    return 0


if __name__ == "__main__":
    run(main, SetupError, EngineError, subprocess.CalledProcessError)
