"""`nowchess-uci analyse` as a user meets it."""

import csv
import gzip
import io
import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from analysis_runs import FOOL, SCHOLAR, collection, run
from oracle import chess

from nowchess_uci.rules.fen import START_FEN

NODES = ("--nodes", 300)
MATE = 'k7/8/1K6/8/8/8/8/7R w - - bm Rh8#; dm 1; id "mate";\n'
UNAVOIDABLE = '4k3/8/8/8/8/8/4q3/4K3 w - - am Kxe2; id "cannot be avoided";\n'


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "games.pgn"
    path.write_text(collection(6))
    return path


def test_all_outputs_are_the_same_bytes_with_any_number_of_workers(games: Path, tmp_path: Path) -> None:
    written = []
    for workers in (1, 3):
        names = [tmp_path / f"{workers}.{kind}" for kind in ("pgn", "jsonl", "csv")]
        outputs = zip(("--out", "--json", "--csv"), names, strict=True)
        result = run(games, *NODES, "--workers", workers, *(word for pair in outputs for word in pair))
        assert result.returncode == 0, result.stderr
        assert result.stdout == ""
        assert "6 games, 62 moves: " in result.stderr
        written.append([name.read_bytes() for name in names])
    assert written[0] == written[1]
    pgn, jsonl, table = (content.decode() for content in written[0])
    assert re.findall(r"game [0-9]", pgn) == [f"game {number}" for number in range(1, 7)]
    rows = [json.loads(line) for line in jsonl.splitlines()]
    assert len(rows) == 62
    assert (rows[0]["game"], rows[-1]["game"], rows[0]["fen"]) == (1, 6, START_FEN)
    cells = list(csv.DictReader(io.StringIO(table)))
    assert [row["san"] for row in cells] == [row["san"] for row in rows]
    assert [row["line"] for row in cells] == [" ".join(row["line"]) for row in rows]


def test_games_come_from_standard_input_and_go_to_standard_output() -> None:
    result = run("-", *NODES, stdin=SCHOLAR)
    assert result.returncode == 0
    game = chess.pgn.read_game(io.StringIO(result.stdout))
    assert game is not None
    assert [node.san() for node in game.mainline()][-1] == "Qxf7#"
    assert "1 game, 7 moves" in result.stderr


def test_several_files_are_read_one_after_the_other(tmp_path: Path) -> None:
    first, second = tmp_path / "a.pgn", tmp_path / "b.pgn"
    first.write_text(FOOL)
    second.write_text(SCHOLAR)
    result = run(first, "-", second, *NODES, "--json", "-", stdin="1. d4 d5 *")
    found = [(Path(row["source"]).name, row["game"], row["san"]) for row in map(json.loads, result.stdout.splitlines())]
    assert found[0] == ("a.pgn", 1, "f3")
    assert found[4] == ("stdin", 1, "d4")
    assert found[6] == ("b.pgn", 1, "e4")


def test_games_are_chosen_by_player_colour_and_place(games: Path) -> None:
    def chosen(*arguments: object) -> list[str]:
        result = run(games, "--from-move", 99, *arguments)  # nothing to search
        return re.findall(r'White "White ([0-9])"', result.stdout)

    assert chosen("--player", "black 1") == ["1", "4"]
    assert chosen("--player", "1 BLACK", "--colour", "black") == ["1", "4"]
    assert chosen("--player", "black 1", "--colour", "white") == []
    assert chosen("--player", "Black") == ["1", "2", "3", "4", "5", "6"]
    assert chosen("--games", "2-3,5") == ["2", "3", "5"]
    assert chosen("--games", "5-") == ["5", "6"]
    assert chosen("--games", "2-3", "--player", "3") == ["3"]


@pytest.mark.parametrize(
    ("arguments", "text", "why"),
    [
        ((), "", "no game and no position in standard input"),
        ((), "hello, world", "see above"),
        (
            ("--player", "Carlsen"),
            '[White "Ann"]\n\n1. e4 *',
            "1 game in standard input, none of 'Carlsen'; there are Ann",
        ),
        (("--player", "Ann", "--colour", "black"), '[White "Ann"]\n\n1. e4 *', "none of 'Ann' as black"),
        (("--player", "Ann"), "1. e4 *", "no game names its players"),
        (("--games", "7-9"), "1. e4 *", "1 game in standard input, none of them among --games 7-9"),
        (("--games", "3"), MATE, "1 position in standard input, none of them among --games 3"),
    ],
)
def test_nothing_to_do_says_why(arguments: tuple[str, ...], text: str, why: str, tmp_path: Path) -> None:
    out = tmp_path / "out.pgn"
    out.write_text("old")
    result = run("-", *NODES, *arguments, "--out", out, stdin=text)
    assert why in result.stderr
    assert result.returncode == 1
    assert result.stderr.splitlines()[-1].startswith("nothing to do: ")
    assert out.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["out.pgn"]


def test_games_without_moves_in_the_range_are_mentioned() -> None:
    result = run("-", "--from-move", 50, stdin=SCHOLAR)
    assert result.returncode == 0
    assert "no move was analysed" in result.stderr


def test_broken_games_are_named_and_the_rest_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "broken.pgn"
    path.write_text(
        '[White "A"]\n\n1. e4 e5 2. Ke3 Nc6 *\n\n[White "B"]\n[FEN "nonsense"]\n\n1. e4 *\n\n'
        f'[White "C"]\n[Variant "Atomic"]\n\n1. Nf3 f6 *\n\n[White "D"]\n\n{FOOL}\n'
    )
    result = run(path, *NODES)
    assert result.returncode == 1
    assert f"{path}, line 3, column 13 (game 1): 'Ke3' is not a legal move here" in result.stderr
    assert f"{path}, line 6, column 1 (game 2): bad FEN" in result.stderr
    assert f"{path}, line 11, column 1 (game 3): the variant 'Atomic' is not known" in result.stderr
    assert "3 problems in the input" in result.stderr
    assert re.findall(r'\[White "(.)"\]', result.stdout) == ["A", "B", "C", "D"]
    assert '[White "C"]\n[Variant "Atomic"]\n\n1. Nf3 f6 *\n' in result.stdout
    assert '[White "B"]\n[FEN "nonsense"]\n\n1. e4 *\n' in result.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nowhere.pgn",), "nowhere.pgn: No such file or directory"),
        ((".",), "Is a directory"),
        (("-", "-"), "standard input can be read only once"),
        (("-", "--colour", "white"), "--colour is the colour of a player: it needs --player"),
        (("-", "--from-move", "5", "--to-move", "4"), "--to-move lies before --from-move"),
        (("-", "--games", "3-1"), "--games takes numbers such as 3-17, 5 or 20-, not '3-1'"),
        (("-", "--games", "x"), "--games takes numbers"),
        (("-", "--resume"), "--resume needs an output file"),
        (("-", "--out", "-", "--json", "-"), "two outputs cannot go to -"),
        (("-", "--out", "x/y.pgn"), "there is no such folder"),
        (("-", "--csv", "."), "is a folder"),
        (("-", "--html", "-"), "--html needs the name of a file"),
        (("-", "--nodes", "0"), "'0' is not a whole number from 1"),
        (("-", "--scale", "chess.com"), "invalid choice"),
        ((), "the following arguments are required: FILE"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments: tuple[str, ...], message: str) -> None:
    result = run(*arguments, stdin=SCHOLAR)
    assert message in result.stderr
    assert result.returncode == 2
    assert result.stdout == ""


def test_a_compressed_file_is_recognised(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_bytes(gzip.compress(SCHOLAR.encode()))
    result = run(path)
    assert "is compressed; unpack it" in result.stderr
    assert result.returncode == 2


def test_an_input_is_never_overwritten(games: Path) -> None:
    before = games.read_bytes()
    result = run(games, "--out", games.parent / "." / "games.pgn")
    assert "is an input: choose another name for the output" in result.stderr
    assert result.returncode == 2
    assert games.read_bytes() == before


def test_a_closed_output_ends_the_run(games: Path) -> None:
    result = run(games, *NODES, "--out", "/dev/full")
    assert result.returncode == 1
    assert "No space left" in result.stderr
    assert "Traceback" not in result.stderr


def test_positions_are_solved_and_tabled(tmp_path: Path) -> None:
    suite = tmp_path / "suite.epd"
    suite.write_text(f"{MATE}# a comment\n{UNAVOIDABLE}")
    result = run(suite, "--depth", 4)
    assert result.returncode == 1
    lines = result.stdout.splitlines()
    assert "Rh8# mate in 1" in lines[1]
    assert lines[2].split()[-2:] == ["-", "-"]
    assert lines[-1] == "1 of 2 solved"
    suite.write_text(MATE)
    assert run(suite, "--depth", 4).returncode == 0


def test_positions_need_not_have_a_solution_and_may_be_fens(tmp_path: Path) -> None:
    result = run("-", *NODES, "--json", "-", stdin=f"{START_FEN}\n{START_FEN.replace(' 0 1', '')}\n")
    first, second = map(json.loads, result.stdout.splitlines())
    assert first["fen"] == second["fen"] == START_FEN
    assert first["solved"] is None
    assert first["cp"] == second["cp"]
    assert result.returncode == 0


def test_a_bad_line_of_positions_is_named_and_the_rest_goes_on(tmp_path: Path) -> None:
    suite = tmp_path / "suite.epd"
    suite.write_text(f"k7/8/1K6/8/8/8/8/7R w - - bm Rh9;\nk7/8/1K6/8/8/8/8/7R w - - dm one;\nx\n{MATE}")
    result = run(suite, "--depth", 3)
    assert result.returncode == 1
    assert f"{suite}, line 1: 'Rh9'" in result.stderr
    assert f"{suite}, line 2: dm takes the number of moves to mate, not 'one'" in result.stderr
    assert f"{suite}, line 3: an EPD has at least" in result.stderr
    assert "1 of 1 solved" in result.stdout


def test_evaluations_of_the_file_are_used_on_request() -> None:
    text = "{[%eval 0.2]} 1. e4 {[%eval 0.3]} e5 {[%eval 0.4]} 2. Qh5 {[%eval -0.5]} *"
    result = run("-", "--reuse-evals", "--scale", "lichess", "--json", "-", "--nodes", 999_999_999, stdin=text)
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert [row["cp_after"] for row in rows] == [30, 40, -50]
    assert rows[2]["judgement"] == "inaccuracy"  # 53.676 to 45.410: 8.27 points
    assert rows[2]["drop"] == 8.27


def test_more_lines_are_in_the_json() -> None:
    result = run("-", *NODES, "--lines", 3, "--json", "-", stdin="1. e4 *")
    (row,) = map(json.loads, result.stdout.splitlines())
    assert len(row["others"]) == 2


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes there")
def test_a_named_pipe_is_opened_only_once(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["/bin/sh", "-c", f"echo '{FOOL}' > {pipe}"]):
        result = run(pipe, *NODES)
    assert result.returncode == 0
    assert "Qh4#" in result.stdout
