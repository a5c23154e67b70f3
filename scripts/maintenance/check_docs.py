"""Runs the commands that README.md and docs/ ask people to type, so that they cannot rot.

Every command found must be known here: as it is, in a shorter form of the same thing, or as one that something else
runs. A new command in the docs fails until it is entered.
Example: `.venv/bin/python scripts/maintenance/check_docs.py`.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bootstrap import ROOT
from shared.command_line import run

# Stands in for build/ and for the home folder, so that nothing ends up among the files of a developer.
SCRATCH = "build/check_docs/"
STARTS = (
    "python3 ",
    "scripts/nowchess-uci",
    ".venv/bin/",
    "nowchess-uci",
    "fastchess ",
    "cutechess-cli ",
    "xboard ",
    "pip-audit",
    "printf ",
    "pipx ",
    "man ",
    "source ",
    "mkdir ",
    "cp docs/",
)

# Part of a command, and what is added to it so that it takes a second instead of hours. The first that fits counts.
ADDED = {
    "scripts/training/selfplay.py --out": "--games 3 --games-per-shard 2",
    "scripts/training/selfplay.py": "",
    "scripts/training/train.py --help": "",
    "scripts/training/train.py": "--epochs 1 --neurons 16",
    "scripts/training/fit_chances.py": "",
    "scripts/training/measure.py": "--seconds 1",
    "tests/tools/check_training.py": "--positions 100",
    "scripts/strength/openings.py": "--count 2 --nodes 500",
    "analyse tests/data/mates.epd": "--nodes 400000",
    "nowchess-uci analyse": "--help",
    "scripts/strength/lone_king.py": "--games 1 --nodes 10000",
    "scripts/strength/endings.py": "--games 1 --held-games 1 --nodes 500",
    "scripts/shared/syzygy_files.py": "",
    "scripts/speed/bench_uci.py": "--stops 3",
    "tests/tools/bench_pgn.py": "--games 300",
    "tests/tools/soak_rules.py": "--positions 200",
    "tests/tools/soak_tables.py": "--positions 500",
    "tests/tools/fuzz.py": "--help",
    "tests/tools/bench_api.py": "--positions 10 --nodes 500",
    "scripts/speed/analysis_memory.py": "--mib 1",
    "scripts/maintenance/write_docs.py": "",
    "--help": "",
    "printf": "",
    "nowchess-uci play": "< /dev/null",
    "scripts/run.py bench": "5",
    "nowchess-uci bench": "6",
    "go depth": "",
    "python3 scripts/run.py": "quit",
    "man docs/": "",
    "source docs/": "",
    "mkdir ": "",
    "cp docs/": "",
}
# What is run elsewhere, and where.
ELSEWHERE = {
    "python3 scripts/test.py": "CI",
    "-k": "the same script as CI, with a choice of tests",
    "--sanitize": "CI",
    "--debug": "CI, as part of --sanitize",
    "--coverage": "needs a build of its own",
    "bin/coverage": "needs a build of its own",
    "nowchess-uci perft DEPTH": "the tests of the command line",
    "analyse games.pgn": "the tests of the analysis",
    "scripts/build_exe.py": "the release workflow",
    "pip install .": "needs the network",
    "10.0.0.1": "needs several machines; the tests have them on one",
    "extensions.txt": "the tests of the cluster",
    "pipx ": "needs the network",
    "man nowchess-uci": "needs an installation",
    "pip-audit": "needs the network",
    "--learn": "needs atheris",
    "tests/tools/soak.py": "takes an hour; its parts are tests",
    "scripts/strength/sprt.py": "needs fastchess and hours",
    "scripts/maintenance/check_docs.py": "this script",
    "scripts/maintenance/find_magics.py": "takes minutes",
    "scripts/speed/bench_search.py": "needs another engine",
    "scripts/speed/bench_perft.py": "needs Stockfish",
    "tests/tools/bench_analysis.py": "needs Stockfish",
    "tests/tools/bench_report.py": "needs a browser and minutes",
    "tests/tools/screenshot_report.py": "needs a browser",
    "fastchess ": "needs fastchess and hours",
    "cutechess-cli ": "needs cutechess-cli and hours",
    "xboard ": "needs a screen",
}


def commands_in(text: str) -> list[str]:
    """What stands in code blocks without a language and in backquotes, if it looks like something to type."""
    blocks = re.findall(r"^```(\w*)\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    lines = [line.strip() for language, block in blocks if not language for line in block.splitlines()]
    inline = re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL))
    found = [text.replace("\\|", "|") for text in [*lines, *inline]]
    return [text for text in found if text.startswith(STARTS) and " -> " not in text]


def installed(command: str) -> str:
    """A command with the engine that is installed in `.venv`."""
    return re.sub(r"(?<![\w/])nowchess-uci(?![\w.])", ".venv/bin/nowchess-uci", command)


def run_for(command: str) -> str | None:
    """What to run for a command; None if something else does, with a word about what."""
    if command in ("nowchess-uci", "scripts/nowchess-uci"):
        return f"{installed(command)} quit"
    if command == ".venv/bin/python":
        return f"{command} --version"
    for part, reason in ELSEWHERE.items():
        if part in command:
            print(f"  elsewhere: {command} ({reason})")
            return None
    for part, more in ADDED.items():
        if part in command:
            return f"{installed(command)} {more}".replace(" build/", f" {SCRATCH}")
    raise SystemExit(f"not known to scripts/maintenance/check_docs.py: {command}")


def main() -> int:
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    shutil.rmtree(ROOT / SCRATCH, ignore_errors=True)
    (ROOT / SCRATCH).mkdir(parents=True)
    failed = 0
    seen: set[str] = set()
    environment = {**os.environ, "HOME": str(ROOT / SCRATCH)}
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        print(path.relative_to(ROOT), flush=True)
        for command in commands_in(path.read_text(encoding="utf-8")):
            if command in seen:
                continue
            seen.add(command)
            line = run_for(command)
            if line is None:
                continue
            shell = ["bash", "-c", line]
            result = subprocess.run(shell, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
            print(f"  {'ok' if result.returncode == 0 else 'FAILED'}: {command}", flush=True)
            if result.returncode:
                failed += 1
                print(result.stdout[-1000:] + result.stderr[-1000:])
    print(f"{len(seen)} commands, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    run(main)
