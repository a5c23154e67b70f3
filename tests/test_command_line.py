"""The command line as a user meets it: in a process of its own."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from maintenance import write_docs
from shared.engine_process import ENGINE_COMMAND

from nowchess_uci.evaluation.network import default_network
from nowchess_uci.version import VERSION

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [*ENGINE_COMMAND, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_perft_prints_count_time_and_speed() -> None:
    result = run("perft", "4")
    lines = result.stdout.splitlines()
    assert lines[0] == "Nodes searched: 197281"
    assert lines[1].startswith("Time: ")
    assert lines[2].startswith("Nodes per second: ")
    assert result.stderr == ""
    assert result.returncode == 0


def test_perft_divides_by_first_move() -> None:
    lines = run("perft", "3", "--divide", "--threads", "2", "--fen", KIWIPETE).stdout.splitlines()
    assert "e1g1: 2059" in lines
    assert lines[48] == ""
    assert lines[49] == "Nodes searched: 97862"


def test_perft_speaks_chess960() -> None:
    fen = "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9"
    assert "Nodes searched: 14569" in run("perft", "3", "--chess960", "--fen", fen).stdout
    assert "e1h1: " in run("perft", "1", "--chess960", "--divide", "--fen", "4k3/8/8/8/8/8/8/4K2R w K - 0 1").stdout


def test_perft_of_depth_zero_is_one() -> None:
    assert run("perft", "0").stdout.startswith("Nodes searched: 1\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("perft", "x"), "'x' is not a whole number from 0 to"),
        (("perft", "-1"), "'-1' is not a whole number"),
        (("perft", "99999999999"), "is not a whole number"),
        (("perft", "2", "--threads", "0"), "is not a whole number from 1 to"),
        (("perft", "2", "--fen", "nonsense"), "bad FEN, text: 4 to 6 fields expected"),
        (("bench", "0"), "is not a whole number from 1 to"),
    ],
)
def test_bad_arguments_get_a_message_and_exit_code_2(arguments: tuple[str, ...], message: str) -> None:
    result = run(*arguments)
    assert message in result.stderr
    assert "Traceback" not in result.stderr
    assert result.stdout == ""
    assert result.returncode == 2


def test_what_a_fen_claims_wrongly_is_said() -> None:
    result = run("perft", "1", "--fen", "4k3/8/8/8/8/8/8/4K3 w K - 0 1")
    assert "note: castling right K dropped" in result.stderr
    assert result.returncode == 0


def test_help_and_version() -> None:
    version = run("--version").stdout.splitlines()
    assert version[0] == f"NowChess UCI {VERSION}, network {default_network().name}"
    assert re.fullmatch(r"\w+ build for .+, (gcc|clang|MSVC) .+, Python 3\.\d+\.\d+", version[1])
    assert "perft" in run("--help").stdout
    assert "--divide" in run("perft", "--help").stdout
    assert "--two-players" in run("play", "--help").stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("paly",), "there is no command 'paly'. Did you mean play?"),
        (("--elo", "1500"), "It is an option of a command: nowchess-uci play --elo"),
        (("-help",), "Did you mean --help?"),
        (("xyzzy",), "there is no command 'xyzzy'.\n"),
        (("e2e4",), "there is no command 'e2e4'."),
    ],
)
def test_what_is_no_command_is_named(arguments: tuple[str, ...], message: str) -> None:
    result = run(*arguments)
    assert message in result.stderr
    assert "nowchess-uci --help" in result.stderr
    assert (result.stdout, result.returncode) == ("", 2)


def test_other_arguments_are_uci_lines() -> None:
    result = run("position startpos moves e2e4", "go depth 2")
    assert "bestmove " in result.stdout
    assert result.returncode == 0


def test_bench_is_deterministic_and_ends_as_openbench_reads_it() -> None:
    first, second = (run("bench", "6").stdout.splitlines()[-1] for _ in range(2))
    assert re.fullmatch(r"\d+ nodes \d+ nps", first)
    assert first.split()[0] == second.split()[0]


def test_the_console_is_loaded_only_for_playing() -> None:
    code = "import sys, nowchess_uci.__main__ as main; main.main(['perft', '1']); print(*sys.modules)"
    modules = subprocess.run(
        [sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert "nowchess_uci.rules.perft" in modules
    assert not [
        name for name in modules if name.startswith(("nowchess_uci.console", "nowchess_uci.game", "nowchess_uci.pgn"))
    ]


@pytest.mark.parametrize("path", write_docs.wanted(), ids=lambda path: path.name)
def test_docs_follow_from_the_tables(path: Path) -> None:
    hint = "run scripts/maintenance/write_docs.py"
    assert path.read_text(encoding="utf-8") == write_docs.wanted()[path], hint


@pytest.mark.skipif(shutil.which("man") is None, reason="man is not installed")
def test_the_manual_page_is_one() -> None:
    command = ["man", "--warnings", "--local-file", str(write_docs.MAN_PAGE)]
    result = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, "MANWIDTH": "100"})
    assert result.stderr == ""
    assert "--two-players" in result.stdout


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
@pytest.mark.parametrize("command", ["", "play", "perft", "bench"])
def test_bash_completes_what_the_help_shows(command: str) -> None:
    words = f"(nowchess-uci {command} --)"
    script = (
        f"source {write_docs.COMPLETION}; COMP_WORDS={words}; COMP_CWORD=$(({len(command.split())} + 1)); _nowchess_uci"
    )
    bash = ["bash", "-c", script + '; echo "${COMPREPLY[@]}"']
    completed = subprocess.run(bash, capture_output=True, text=True, check=True).stdout.split()
    shown = run(*command.split(), "--help").stdout.partition("examples:")[0]
    assert set(completed) == set(re.findall(r"(?<![\w-])--[a-z0-9-]+", shown))
