"""Sets up everything and checks the project: lint, types, tests. `python3 scripts/test.py [PYTEST ARGS]`.

--sanitize   builds with AddressSanitizer and UndefinedBehaviorSanitizer in a place of its own and runs the tests of
             the compiled core under them
--sanitize=thread   the same with ThreadSanitizer, for the tests that search and count with several threads
--debug      builds with the contracts of the search checked (window, ply, depth) and runs the tests of the core
--coverage   builds with line tracing in a place of its own and reports covered lines, compiled modules included

Examples: `python3 scripts/test.py -k perft`, `python3 scripts/test.py --sanitize -x`.
"""

import os
import subprocess
import sys

import bootstrap
from bootstrap import BIN, PYTHON, ROOT, SetupError, run_step, say
from shared.command_line import run

CORE_TESTS = [f"tests/{layer}" for layer in ("rules", "tablebases", "evaluation", "search", "engine", "training")]

THREAD_TESTS = [
    *("tests/search/test_workout.py", "tests/search/test_tablebases.py", "tests/tablebases/test_probe.py"),
    "tests/training/test_selfplay.py",
]


def check(what: str, *command: str, **environment: str) -> None:
    """Run one check with its output shown; a failure ends the run."""
    say(what)
    if subprocess.run(command, cwd=ROOT, env={**os.environ, **environment}, check=False).returncode:
        raise SetupError(f"{what}: failed")


def build_apart(kind: str) -> str:
    """Build the package as `kind` below build/ and return the folder to import it from."""
    say(f"building ({kind})")
    library = ROOT / "build" / f"lib-{kind}"
    temporary = ROOT / "build" / f"temp-{kind}"
    command = [str(PYTHON), "setup.py", "build", "--build-lib", str(library), "--build-temp", str(temporary)]
    run_step(f"building ({kind})", command, NOWCHESS_BUILD=kind)
    return str(library)


def run_debug(pytest_arguments: list[str]) -> None:
    """The core's tests with the contracts at the head of each node checked; a broken one aborts the run."""
    library = build_apart("debug")
    check(
        "tests of the debug build",
        str(PYTHON),
        "-P",
        "-m",
        "pytest",
        "-p",
        "no:cacheprovider",
        *(pytest_arguments or CORE_TESTS),
        PYTHONPATH=library,
    )


def run_sanitized(pytest_arguments: list[str]) -> None:
    """The core's tests with every memory access and every arithmetic operation checked."""
    library = build_apart("sanitize")
    run_under(library, ["libasan.so", "libubsan.so"], pytest_arguments or CORE_TESTS)


def run_thread_sanitized(pytest_arguments: list[str]) -> None:
    """The core's tests of several threads with every access to shared memory checked.

    Nothing is suppressed. Python itself is not checked, since it is not built for it; its locks are understood.
    """
    library = build_apart("thread")
    run_under(
        library,
        ["libtsan.so"],
        pytest_arguments or [*THREAD_TESTS, "-k", "threads"],
    )


def run_under(library: str, runtimes: list[str], pytest_arguments: list[str]) -> None:
    """Run tests with the package from `library` and some sanitizers loaded first."""
    paths = [
        subprocess.run(["gcc", f"-print-file-name={name}"], capture_output=True, text=True, check=True).stdout.strip()
        for name in runtimes
    ]
    check(
        "tests under the sanitizers",
        str(PYTHON),
        "-P",
        "-m",
        "pytest",
        "-p",
        "no:cacheprovider",
        *pytest_arguments,
        PYTHONPATH=library,
        LD_PRELOAD=" ".join(paths),
        ASAN_OPTIONS="detect_leaks=0",
        UBSAN_OPTIONS="print_stacktrace=1",
        TSAN_OPTIONS="halt_on_error=1 second_deadlock_stack=1",
        PYTHONMALLOC="malloc",
    )


def run_covered(pytest_arguments: list[str]) -> None:
    """All tests with line coverage."""
    library = build_apart("coverage")
    coverage = (str(PYTHON), "-P", "-m", "coverage")
    run_step("forgetting old coverage", [*coverage, "erase"], PYTHONPATH=library)
    pytest = ("-m", "pytest", "-m", "not exhaustive and not long", *pytest_arguments)
    check("tests with coverage", *coverage, "run", *pytest, PYTHONPATH=library)
    run_step("gathering the coverage", [*coverage, "combine"], PYTHONPATH=library)
    check("coverage", *coverage, "report", PYTHONPATH=library)


def run_all(pytest_arguments: list[str]) -> None:
    """What has to pass before a change goes in."""
    check("lint", str(BIN / "ruff"), "check", ".")
    check("format", str(BIN / "ruff"), "format", "--check", ".")
    check("types", str(PYTHON), "-m", "mypy")
    check("tests", str(PYTHON), "-P", "-m", "pytest", *pytest_arguments)


def main() -> int:
    arguments = sys.argv[1:]
    if "--help" in arguments or "-h" in arguments:
        print(__doc__)
        return 0
    bootstrap.set_up_test_tools()
    for option, run_tests in (
        ("--sanitize", run_sanitized),
        ("--sanitize=thread", run_thread_sanitized),
        ("--debug", run_debug),
        ("--coverage", run_covered),
    ):
        if option in arguments:
            run_tests([argument for argument in arguments if argument != option])
            return 0
    run_all(arguments)
    return 0


if __name__ == "__main__":
    run(main, SetupError)
