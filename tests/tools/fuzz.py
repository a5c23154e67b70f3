"""Throws broken input at everything that reads from outside: UCI, FEN, moves, PGN, training data, networks, tablebases.

    .venv/bin/python tests/tools/fuzz.py --seed 7                      the full numbers
    .venv/bin/python tests/tools/fuzz.py --uci 1000 --process 1000     a quick look
    .venv/bin/python tests/tools/fuzz.py --learn pgn --seconds 60      guided by coverage (needs atheris)

Inputs are mutations of the corpus in tests/data/fuzz, by a seeded generator: the same seed gives the same inputs. What
fails is printed with the bytes that repeat it, and the exit code is 1. With --learn the coverage-guided fuzzer atheris
looks for inputs that reach lines no other reached, and those are added to the corpus; it sees the Python layers, not
the inside of the compiled core.
"""

import argparse
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

import fuzzing
from shared.command_line import ProgressLine
from shared.engine_process import EngineProcess
from shared.syzygy_files import NoTablesError, fetch_tables

TESTS = Path(fuzzing.__file__).resolve().parent
LARGEST_KEPT = 600
MOST_KEPT = 150


def run_mutations(name: str, target: fuzzing.Target, wanted: int, seed: int, done: Callable[[], int]) -> str:
    """Feed mutations until `done()` reaches the number wanted; returns a finding, or nothing."""
    source = random.Random(f"{seed} {name}")
    corpus = fuzzing.read_corpus(name)
    start = time.monotonic()
    line = ProgressLine()
    while done() < wanted:
        data = fuzzing.mutate(source.choice(corpus), source, name, corpus)
        before = time.monotonic()
        try:
            target(data)
        except Exception as error:
            return f"{name}: {type(error).__name__}: {error}\ninput: {data!r}"
        if time.monotonic() - before > 5 * fuzzing.LONGEST_SECONDS:
            return f"{name}: {time.monotonic() - before:.1f} s\ninput: {data!r}"
        line.show(f"{name}: {done():,} of {wanted:,}, {done() / (time.monotonic() - start):,.0f}/s")
    line.end()
    return ""


def run_tables(wanted: int, seed: int) -> str:
    """Damage files of tablebases and probe them; returns a finding, or nothing."""
    folder = fetch_tables()
    files = sorted(folder.iterdir())
    line = ProgressLine()
    for number in range(wanted):
        source = random.Random(f"{seed} {number}")
        path = source.choice(files)
        data = fuzzing.damage(path.read_bytes(), source)
        before = time.monotonic()
        try:
            fuzzing.check_table(folder, path.name, data, number)
        except Exception as error:
            return f"table {path.name}, seed {seed}, number {number}: {type(error).__name__}: {error}"
        if time.monotonic() - before > 5 * fuzzing.LONGEST_SECONDS:
            return f"table {path.name}, seed {seed}, number {number}: {time.monotonic() - before:.1f} s"
        line.show(f"table: {number:,} of {wanted:,}")
    line.end()
    return ""


class Counted:
    """A target that counts its calls."""

    def __init__(self, target: fuzzing.Target) -> None:
        self.target = target
        self.calls = 0

    def __call__(self, data: bytes) -> None:
        self.calls += 1
        self.target(data)


class ProcessTarget:
    """A real engine that gets the lines through its pipe; it must answer after each input."""

    def __init__(self) -> None:
        self.engine = EngineProcess()
        self.lines = 0

    def __call__(self, data: bytes) -> None:
        lines = [line for line in data.split(b"\n") if not is_dangerous(line)]
        self.lines += len(lines)
        self.engine.send_bytes(b"\n".join(lines) + b"\nstop\nisready\n")
        said = self.engine.read_until("readyok", 5.0)
        if any("failed:" in line for line in said):
            raise fuzzing.Finding(f"said {said}")


def is_dangerous(line: bytes) -> bool:
    """True for lines that end the engine, write files anywhere, or take all the memory of the machine."""
    words = line.lower().split()
    return words[:1] in ([b"quit"], [b"bench"]) or b"log" in words or b"hash" in words or b"threads" in words


def run_targets(arguments: argparse.Namespace) -> int:
    """Run all targets and print the table."""
    rows: list[tuple[str, int, float]] = []
    for name, wanted in (
        ("uci", arguments.uci),
        ("process", arguments.process),
        ("position", arguments.position),
        ("pgn", arguments.pgn),
        ("training", arguments.training),
        ("table", arguments.table),
        ("network", arguments.network),
    ):
        start = time.monotonic()
        if name == "table":
            try:
                finding, count = run_tables(wanted, arguments.seed), wanted
            except NoTablesError as error:
                print(f"table: left out: {error}")
                continue
        elif name == "uci":
            in_process = fuzzing.UciTarget()
            finding = run_mutations("uci", in_process, wanted, arguments.seed, lambda t=in_process: t.lines)  # type: ignore[misc]
            count = in_process.lines
        elif name == "process":
            real = ProcessTarget()
            finding = run_mutations("uci", real, wanted, arguments.seed + 1, lambda t=real: t.lines)  # type: ignore[misc]
            count = real.lines
            real.engine.close()
        else:
            counted = Counted(getattr(fuzzing, f"check_{name}"))
            finding = run_mutations(name, counted, wanted, arguments.seed, lambda t=counted: t.calls)  # type: ignore[misc]
            count = counted.calls
        if finding:
            print(f"\nFINDING after {count:,} (seed {arguments.seed})\n{finding}")
            return 1
        rows.append((name, count, time.monotonic() - start))
    print(f"\n{'target':<12}{'inputs':>12}{'seconds':>10}{'findings':>10}   seed {arguments.seed}")
    for name, count, seconds in rows:
        print(f"{name:<12}{count:>12,}{seconds:>10.0f}{0:>10}")
    return 0


# Guided by coverage.

TARGETS = {
    "uci": "fuzzing.UciTarget()",
    "position": "fuzzing.check_position",
    "pgn": "fuzzing.check_pgn",
    "training": "fuzzing.check_training",
    "network": "fuzzing.check_network",
}
LEARN_SCRIPT = """
import sys, atheris
sys.path.insert(0, {tests!r})
with atheris.instrument_imports(include=["nowchess_uci"]):
    import fuzzing
target = {target}
atheris.Setup(sys.argv, target)
atheris.Fuzz()
"""


def learn(name: str, seconds: int) -> int:
    """Let atheris look for inputs that reach new lines; keeps the small ones."""
    kept = fuzzing.read_corpus(name)
    with tempfile.TemporaryDirectory() as folder:
        corpus, script = Path(folder) / "corpus", Path(folder) / "run.py"
        corpus.mkdir()
        for number, data in enumerate(kept):
            (corpus / str(number)).write_bytes(data)
        script.write_text(LEARN_SCRIPT.format(tests=str(TESTS), target=TARGETS[name]))
        command = [sys.executable, str(script), str(corpus), f"-max_total_time={seconds}", "-max_len=500"]
        result = subprocess.run(
            [*command, "-print_final_stats=1"], capture_output=True, text=True, check=False, cwd=folder
        )
        print("\n".join(line for line in result.stderr.splitlines() if line.startswith("stat::") or "ERROR" in line))
        if result.returncode:
            print(f"{result.stderr[-3000:]}\nFINDING, see above")
            return 1
        found = sorted((path.read_bytes() for path in corpus.iterdir()), key=len)
    new = [data for data in found if data not in kept and len(data) <= LARGEST_KEPT]
    room = max(MOST_KEPT - len(kept), 0)
    step = max(len(new) // max(room, 1), 1)
    chosen = new[::step][:room]
    (fuzzing.CORPUS / f"{name}.txt").write_text(fuzzing.render_corpus([*kept, *chosen]))
    print(f"{len(new)} inputs reached something new, {len(chosen)} of them kept")
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--uci", type=int, default=500_000, help="lines into an engine in this process")
    parser.add_argument("--process", type=int, default=500_000, help="lines into a real engine process")
    parser.add_argument("--position", type=int, default=1_000_000, help="FENs with move texts")
    parser.add_argument("--pgn", type=int, default=200_000, help="PGN texts")
    parser.add_argument("--training", type=int, default=500_000, help="games and samples")
    parser.add_argument("--table", type=int, default=20_000, help="damaged files of tablebases")
    parser.add_argument("--network", type=int, default=100_000, help="files of networks")
    parser.add_argument("--learn", choices=tuple(TARGETS), help="look for new inputs instead")
    parser.add_argument("--seconds", type=int, default=60, help="how long to look for new inputs")
    arguments = parser.parse_args()
    if arguments.learn:
        return learn(arguments.learn, arguments.seconds)
    return run_targets(arguments)


if __name__ == "__main__":
    sys.exit(main())
