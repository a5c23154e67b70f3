"""Plays two builds against each other until it is clear which is stronger (a sequential probability ratio test).

A build is a commit, tag or branch, `.` for the working tree, or the path of an executable. fastchess must be on PATH.
Each opening is played twice, with colours reversed. Nothing else should run meanwhile, unless --nodes is given.
Example: `.venv/bin/python scripts/strength/sprt.py --base main --new . --tc 2+0.02`.
With tablebases against without, from endings: `--base . --new-option SyzygyPath=FOLDER --openings build/endings.epd
--to-the-end`; `openings.py --men 6` makes such openings.
Exit code: 0 if the new build passed, 1 if it failed, 2 if the games ended before it was clear.
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
from shared.command_line import run, whole_number

BUILDS = ROOT / "build" / "sprt"


def git(*arguments: str) -> str:
    result = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    if result.returncode:
        raise SystemExit(f"git {' '.join(arguments)}: {result.stderr.strip()}")
    return result.stdout.strip()


def compile_in(folder: Path) -> None:
    """Build the engine where its sources lie."""
    command = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if result.returncode:
        raise SystemExit(f"{folder} does not build:\n{result.stdout}{result.stderr}")


def folder_of(build: str) -> Path:
    """The folder of a built commit, or of the working tree copied as it is now."""
    if build == ".":
        folder = BUILDS / "working-tree"
        ignored = shutil.ignore_patterns(".*", "build", "dist", "tests", "docs", "*.egg-info")
        shutil.copytree(ROOT, folder, ignore=ignored, dirs_exist_ok=True)
    else:
        commit = git("rev-parse", "--short=10", f"{build}^{{commit}}")
        folder = BUILDS / commit
        if not folder.exists():
            folder.mkdir(parents=True)
            archive = subprocess.run(["git", "archive", commit], cwd=ROOT, capture_output=True, check=True)
            subprocess.run(["tar", "-x"], cwd=folder, input=archive.stdout, check=True)
    compile_in(folder)
    return folder


def engine_arguments(name: str, build: str) -> list[str]:
    """How fastchess starts a build."""
    if build != "." and Path(build).is_file():
        return ["-engine", f"name={name}", f"cmd={Path(build).resolve()}"]
    folder = folder_of(build)
    return ["-engine", f"name={name}", f"cmd={sys.executable}", "args=-m nowchess_uci", f"dir={folder}"]


def eval_file_option(path: Path | None) -> list[str]:
    """How fastchess tells an engine which network to use."""
    return [f"option.EvalFile={path.resolve()}"] if path else []


def openings_file(given: Path | None) -> Path:
    """The openings asked for, or our own, made once."""
    if given:
        return given.resolve()
    path = ROOT / "build" / "openings.epd"
    if not path.exists():
        print("making openings, once", file=sys.stderr)
        path.parent.mkdir(exist_ok=True)
        subprocess.run([sys.executable, Path(__file__).with_name("openings.py"), "--out", path], check=True)
    return path


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base", default="HEAD", help="build to beat (default: HEAD)")
    parser.add_argument("--new", default=".", help="build to test (default: the working tree)")
    limit = parser.add_mutually_exclusive_group()
    limit.add_argument("--tc", default="2+0.02", help="seconds and increment (default: 2+0.02)")
    limit.add_argument("--nodes", type=whole_number(1), help="nodes per move instead of a clock")
    parser.add_argument("--elo0", type=float, default=0.0, help="Elo difference of the null hypothesis (default: 0)")
    parser.add_argument("--elo1", type=float, default=10.0, help="Elo difference worth having (default: 10)")
    parser.add_argument(
        "--rounds", type=whole_number(1), default=10000, help="maximum number of game pairs (default: 10000)"
    )
    parser.add_argument(
        "--concurrency", type=whole_number(1), default=os.cpu_count() or 1, help="games at once (default: all cores)"
    )
    parser.add_argument("--threads", type=whole_number(1), default=1, help="threads of each engine (default: 1)")
    parser.add_argument("--new-threads", type=whole_number(1), help="threads of the new build, if different")
    parser.add_argument(
        "--new-option", action="append", default=[], metavar="NAME=VALUE", help="UCI option of the new build alone"
    )
    parser.add_argument(
        "--base-option", action="append", default=[], metavar="NAME=VALUE", help="UCI option of the base build alone"
    )
    parser.add_argument("--to-the-end", action="store_true", help="no game is adjudicated as drawn or won")
    parser.add_argument("--new-eval-file", type=Path, metavar="FILE", help="network of the new build")
    parser.add_argument("--base-eval-file", type=Path, metavar="FILE", help="network of the build to beat")
    parser.add_argument("--hash", type=whole_number(1), default=16, help="table size in MiB (default: 16)")
    parser.add_argument("--openings", type=Path, help="EPD file (default: our own, made once in build/)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the order of the openings (default: 1)")
    parser.add_argument("--pgn", type=Path, help="keep the games in this file")
    arguments = parser.parse_args()
    runner = shutil.which("fastchess")
    if not runner:
        raise SystemExit("fastchess is not on PATH; it is at github.com/Disservin/fastchess")
    new_threads = arguments.new_threads or arguments.threads
    draws = ("-draw", "movenumber=40", "movecount=8", "score=10")
    resignations = ("-resign", "movecount=4", "score=600", "twosided=true")
    command = [
        runner,
        *engine_arguments("new", arguments.new),
        f"option.Threads={new_threads}",
        *(f"option.{option}" for option in arguments.new_option),
        *eval_file_option(arguments.new_eval_file),
        *engine_arguments("base", arguments.base),
        f"option.Threads={arguments.threads}",
        *(f"option.{option}" for option in arguments.base_option),
        *eval_file_option(arguments.base_eval_file),
        "-each",
        f"nodes={arguments.nodes}" if arguments.nodes else f"tc={arguments.tc}",
        f"option.Hash={arguments.hash}",
        *("-openings", f"file={openings_file(arguments.openings)}", "format=epd", "order=random"),
        *("-srand", str(arguments.seed), "-repeat", "-rounds", str(arguments.rounds), "-recover"),
        *("-concurrency", str(arguments.concurrency), "-ratinginterval", "20"),
        *(() if arguments.to_the_end else (*draws, *resignations)),
        *("-sprt", f"elo0={arguments.elo0}", f"elo1={arguments.elo1}", "alpha=0.05", "beta=0.05", "model=logistic"),
        *(("-pgnout", f"file={arguments.pgn.resolve()}") if arguments.pgn else ()),
    ]
    return watch(command, str(arguments.nodes) + " nodes" if arguments.nodes else arguments.tc)


def watch(command: list[str], limit: str) -> int:
    """Show the match as it goes; end with one line for the commit message."""
    BUILDS.mkdir(parents=True, exist_ok=True)
    last: dict[str, str] = {}
    with subprocess.Popen(command, cwd=BUILDS, stdout=subprocess.PIPE, text=True) as match:
        assert match.stdout is not None
        for line in match.stdout:
            for key in ("Elo", "LLR", "Games"):
                if line.startswith(f"{key}:"):
                    last[key] = line.strip()
            if (
                re.match("Elo|LLR|Games|Warning|Finished match", line)
                or "disconnect" in line
                or "loses on time" in line
            ):
                print(line.rstrip(), flush=True)
    llr = re.search(r"LLR: (-?[\d.]+).*\((-?[\d.]+), (-?[\d.]+)\)", last.get("LLR", ""))
    print(f"\nSPRT at {limit}: {last.get('Elo', '')}; {last.get('LLR', '')}; {last.get('Games', '')}")
    if not llr:
        return 2
    value, low, high = (float(number) for number in llr.groups())
    return 0 if value >= high else 1 if value <= low else 2


if __name__ == "__main__":
    run(main)
