"""The report as a file: what is in it, that no text breaks out of it, and that it is there whole or not at all."""

import base64
import fnmatch
import hashlib
import json
import os
import re
import tomllib
import tracemalloc
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from analyses import OPERA, made_up, without_evaluations
from oracle import chess

from nowchess_uci.analysis.model import GameAnalysis
from nowchess_uci.analysis.report import PAGE, SCRIPTS, ReportWriter, in_script
from nowchess_uci.analysis.report_data import LONGEST_LINE, LONGEST_TEXT, SQUARES, body_of, head_of

ROOT = Path(__file__).resolve().parents[2]
NASTY = (
    "</script><script>hacked = 1</script>",
    "<!--<script>",
    "\"><img src=x onerror='hacked = 1'>",
    "]]>&lt;&#60;script&#62; {{games}} {{script}} ${hacked}",
    "line\u2028and\u2029paragraph\r\n\t\x00\x07\x1b[31m",
    "\u202egnp.semag\u2069 \ud800 \U0001f40e",
    "javascript:hacked=1",
    "a" * 100_000,
)


class Outline(HTMLParser):
    """The elements of a page, and the content of its scripts by type."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[tuple[str, str]] = []
        self.inside: str | None = None
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes.append((tag, dict(attrs)))
        if tag in ("script", "style"):
            self.scripts.append((dict(attrs).get("type") or tag, ""))
            self.inside = tag

    def handle_endtag(self, tag: str) -> None:
        if tag == self.inside:
            self.inside = None

    def handle_data(self, data: str) -> None:
        if self.inside:
            kind, text = self.scripts[-1]
            self.scripts[-1] = (kind, text + data)

    def of_kind(self, kind: str) -> list[str]:
        return [text for found, text in self.scripts if found == kind]


def report(path: Path, *games: GameAnalysis, title: str = "games.pgn", about: str = "20,000 nodes a move") -> str:
    with ReportWriter(path, title, about) as writer:
        for game in games:
            writer.add(game)
    return path.read_bytes().decode()


def nasty_game() -> GameAnalysis:
    names = ("White", "Black", "Event", "Site", "Date", "Round", "ECO", "WhiteElo")
    return made_up(OPERA, dict(zip(names, NASTY, strict=True)))


# What is in it.


def test_every_game_is_in_the_file_in_its_order(tmp_path: Path) -> None:
    games = [made_up(OPERA[:length], number=length) for length in (3, 0, 33)]
    stored = [text.split("\n") for text in Outline(report(tmp_path / "a.html", *games)).of_kind("application/json")]
    assert [[json.loads(head)["number"], json.loads(body)["moves"]] for head, body in stored] == [
        [3, "e4 e5 Nf3"],
        [0, ""],
        [33, " ".join(OPERA)],
    ]


def test_the_head_has_what_the_tables_show() -> None:
    game = made_up(OPERA)
    head: dict[str, Any] = head_of(game)
    assert (head["white"], head["black"], head["date"], head["opening"]) == (
        *("Morphy, Paul", "Duke Karl / Count Isouard"),
        *("1858.??.??", "C41"),
    )
    assert (head["result"], head["plies"]) == ("1-0", 33)
    white, black = head["summaries"]
    assert [row[0] for row in white] == [17, 8, 8, 1]
    assert [row[0] for row in black] == [16, 8, 8, 0]
    assert black[3] == [0, None, None, 0, 0, 0]
    assert white[0][1] == pytest.approx(game.white.accuracy, abs=0.05)
    assert white[0][3:] == [game.white.inaccuracies, game.white.mistakes, game.white.blunders]


def board_after(board: str, step: str) -> str:
    """What the page makes of a step, said in another language."""
    squares = list(board)
    if len(step) == 2:
        source, target = map(SQUARES.index, step)
        squares[target], squares[source] = squares[source], "."
    else:
        for at in range(0, len(step), 2):
            squares[SQUARES.index(step[at])] = step[at + 1]
    return "".join(squares)


def letters(board: "chess.Board") -> str:
    """All squares as the page has them, by python-chess."""
    found = (board.piece_at(chess.square(file, rank)) for rank in range(7, -1, -1) for file in range(8))
    return "".join(piece.symbol() if piece else "." for piece in found)


GAMES = {
    "mate and castling": made_up(OPERA),
    "en passant": made_up(["e4", "a6", "e5", "d5", "exd6", "Nc6", "dxc7", "Kd7", "cxd8=N"]),
    "black begins and promotes": made_up(
        ["g1=Q+", "Kd2", "b1=N+", "Ke2", "Kd7", "g8=R"], fen="4k3/1P4P1/8/8/8/8/1p4p1/4K3 b - - 0 40"
    ),
    "castling where king and rook change places": made_up(
        ["O-O", "O-O-O"], fen="rk5r/8/8/8/8/8/8/R4KR1 w GAha - 0 1", chess960=True
    ),
}


@pytest.mark.parametrize("name", GAMES)
def test_steps_lead_to_the_positions_that_python_chess_has(name: str) -> None:
    game = GAMES[name]
    body: dict[str, Any] = body_of(game)
    referee = chess.Board(game.start_fen, chess960=game.chess960)
    board = body["start"]
    assert board == letters(referee)
    for san, step in zip(body["moves"].split(), body["steps"].split(), strict=True):
        referee.push_san(san)
        board = board_after(board, step)
        assert board == letters(referee)


@pytest.mark.parametrize("name", GAMES)
def test_lines_lead_to_the_positions_that_python_chess_has(name: str) -> None:
    game = GAMES[name]
    body: dict[str, Any] = body_of(game)
    referee = chess.Board(game.start_fen, chess960=game.chess960)
    for at in range(len(game.plies) + 1):
        variation, board = referee.copy(), letters(referee)
        for san, step in zip(body["lines"][at].split(), body["lineSteps"][at].split(), strict=True):
            variation.push_san(san)
            board = board_after(board, step)
            assert board == letters(variation)
        if at < len(game.plies):
            referee.push_san(game.plies[at].san)


def test_arrows_are_the_moves_as_squares() -> None:
    body: dict[str, Any] = body_of(made_up(OPERA))
    assert [SQUARES.index(letter) for letter in body["played"][:4]] == [52, 36, 12, 28]  # e2e4 e7e5
    assert len(body["best"]) == 2 * 34
    assert body["best"].endswith("..")  # it is mate


def test_scores_are_numbers_or_mates_or_missing() -> None:
    body: dict[str, Any] = body_of(without_evaluations(made_up(OPERA), range(5, 10)))
    assert body["scores"][5:10] == [None] * 5
    assert body["wins"][5:10] == [None] * 5
    assert body["losses"][5:10] == [None] * 5
    assert body["lines"][5:10] == [""] * 5
    assert all(isinstance(score, int) for score in body["scores"][:5])
    assert body["scores"][-1] == "#"


def test_long_lines_are_cut() -> None:
    body: dict[str, Any] = body_of(made_up(OPERA, line_length=30))
    assert len(body["lines"][0].split()) == LONGEST_LINE


def test_clocks_are_there_only_if_the_game_has_them() -> None:
    with_clocks: dict[str, Any] = body_of(made_up(OPERA))
    assert len(with_clocks["clocks"]) == 33
    assert "clocks" not in body_of(made_up(OPERA, clocks=False))


def test_the_same_games_make_the_same_bytes(tmp_path: Path) -> None:
    first = report(tmp_path / "a.html", made_up(OPERA), nasty_game())
    assert report(tmp_path / "b.html", made_up(OPERA), nasty_game()) == first


# Text from outside.


def test_no_text_breaks_out_of_its_place(tmp_path: Path) -> None:
    harmless = Outline(report(tmp_path / "a.html", made_up(OPERA)))
    for text in NASTY:
        nasty = Outline(report(tmp_path / "b.html", nasty_game(), title=text, about=text))
        assert nasty.tags == harmless.tags
        assert [names for _, names in nasty.attributes] == [names for _, names in harmless.attributes]
        assert nasty.of_kind("script") == harmless.of_kind("script")
        assert nasty.of_kind("style") == harmless.of_kind("style")


def test_text_is_kept_as_it_is_but_not_without_end(tmp_path: Path) -> None:
    (stored,) = Outline(report(tmp_path / "a.html", nasty_game())).of_kind("application/json")
    head = json.loads(stored.split("\n")[0])
    assert [head[name] for name in ("white", "black", "event", "site", "date", "round", "opening")] == list(NASTY[:7])
    assert len(head["whiteElo"]) == LONGEST_TEXT


@pytest.mark.parametrize("text", NASTY, ids=range(len(NASTY)))
def test_json_in_a_script_has_nothing_that_html_would_notice(text: str) -> None:
    stored = in_script({"tag": text})
    assert stored.isascii()
    assert stored.isprintable()
    assert not set("<>&") & set(stored)
    assert json.loads(stored) == {"tag": text}


def test_the_page_makes_no_markup_from_text() -> None:
    forbidden = re.compile(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|import\(|fetch\(|XMLHttp"
    )
    assert [name for name in SCRIPTS if forbidden.search((PAGE / name).read_text(encoding="utf-8"))] == []


def test_the_policy_allows_its_own_script_and_style_only(tmp_path: Path) -> None:
    outline = Outline(report(tmp_path / "a.html", made_up(OPERA)))
    (policy,) = (names["content"] or "" for tag, names in outline.attributes if "http-equiv" in names)
    parts = dict(part.split(" ", 1) for part in policy.split("; "))
    assert parts["default-src"] == "'none'"
    for kind in ("script", "style"):
        (content,) = outline.of_kind(kind)
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert parts[f"{kind}-src"] == f"'sha256-{digest}'"


def test_nothing_in_the_page_points_outside(tmp_path: Path) -> None:
    text = report(tmp_path / "a.html", made_up(OPERA))
    assert set(re.findall(r"[a-z]+://[^'\"\s]*", text)) == {"http://www.w3.org/2000/svg"}  # a name, not an address
    assert not re.search(r"@import|url\(|\bsrc=", text)


# The file.


def interrupted(path: Path) -> None:
    with ReportWriter(path, "games.pgn") as writer:
        writer.add(made_up(OPERA))
        raise KeyboardInterrupt


def test_an_exception_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_text("old")
    with pytest.raises(KeyboardInterrupt):
        interrupted(path)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.html"]


def test_the_file_is_not_there_before_it_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    writer = ReportWriter(path, "games.pgn")
    writer.add(made_up(OPERA))
    assert not path.exists()
    writer.close()
    assert path.read_text().endswith("</html>\n")
    writer.close()
    writer.discard()
    assert os.listdir(tmp_path) == ["a.html"]


def test_a_discarded_report_leaves_nothing(tmp_path: Path) -> None:
    writer = ReportWriter(tmp_path / "a.html", "games.pgn")
    writer.discard()
    writer.close()
    assert os.listdir(tmp_path) == []


def test_a_folder_that_does_not_exist_raises_oserror(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        ReportWriter(tmp_path / "none" / "a.html", "games.pgn")


def test_a_full_disk_raises_oserror() -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("this system has no such device")
    with pytest.raises(OSError, match="No space left"), ReportWriter("/dev/full", "games.pgn") as writer:
        writer.add(made_up(OPERA))


def test_memory_does_not_grow_with_the_games(tmp_path: Path) -> None:
    game = made_up(OPERA)
    with ReportWriter(tmp_path / "a.html", "games.pgn") as writer:
        writer.add(game)
        tracemalloc.start()
        for _ in range(60):
            writer.add(game)
        kept, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert kept < 50_000
    assert (tmp_path / "a.html").stat().st_size > 200_000


def test_every_file_of_the_page_is_used_and_goes_into_the_wheel() -> None:
    names = {path.name for path in PAGE.iterdir()}
    assert names == {*SCRIPTS, "report.html", "report.css", "pieces.svg"}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = project["tool"]["setuptools"]["package-data"]["nowchess_uci.analysis"]
    assert [name for name in names if not any(fnmatch.fnmatch(f"page/{name}", pattern) for pattern in patterns)] == []
