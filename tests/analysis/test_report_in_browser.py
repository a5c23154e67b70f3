"""The report in a real browser: what a person sees, clicks and types."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from analyses import OPERA, made_up, without_evaluations
from browser import Browser, find_browser
from oracle import chess

from nowchess_uci.analysis.model import GameAnalysis
from nowchess_uci.analysis.report import ReportWriter

NASTY = "</script><script>hacked = 1</script><img src=x onerror='hacked = 1'>\u2028 \"quoted\""
PLAYERS = (("Ann", "Bob", "1-0"), ("Bob", "Ann", "0-1"), ("Cid", "Ann", "1/2-1/2"), (NASTY, NASTY, "*"))
EN_PASSANT = ["e4", "a6", "e5", "d5", "exd6", "Nc6", "dxc7", "Kd7", "cxd8=N"]
LONG = 250  # games


def games() -> list[GameAnalysis]:
    found = [made_up(OPERA)]
    for number, (white, black, result) in enumerate(PLAYERS, start=2):
        tags = {"White": white, "Black": black, "Event": white, "Date": f"2024.01.0{number}"}
        moves = OPERA[: 4 * number] if number > 2 else EN_PASSANT
        found.append(made_up(moves, tags, seed=number, number=number, result=result, clocks=False))
    found[2] = without_evaluations(found[2], range(4, 8))
    return [*found, made_up([], {"White": "Ann", "Black": "Cid"}, number=6)]


GAMES = games()
OPERA_GAME = GAMES[0]
JUDGED = [ply.number for ply in OPERA_GAME.plies if ply.judgement]


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    path = find_browser()
    if path is None:
        if os.environ.get("NOWCHESS_NEED_BROWSER"):
            pytest.fail("no browser found")
        pytest.skip("no browser to test the report with: install chromium")
    with Browser(path, tmp_path_factory.mktemp("browser")) as browser:
        yield browser


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    return written(tmp_path_factory.mktemp("report") / "report.html", GAMES)


def written(path: Path, games: list[GameAnalysis]) -> str:
    """Write a report and return its address."""
    with ReportWriter(path, "games.pgn", "20,000 nodes a move") as writer:
        for game in games:
            writer.add(game)
    return path.as_uri()


@pytest.fixture
def page(browser: Browser, report: str) -> Iterator[Browser]:
    """The browser with the report just opened on a desktop; it must not have complained by the end of the test."""
    browser.resize(1280, 900)
    browser.prefer(prefers_color_scheme="light")
    browser.messages.clear()
    browser.open(report)
    browser.ask("localStorage.clear()")
    browser.open(report)
    yield browser
    browser.ask("1")
    assert browser.messages == []
    assert [address for address in browser.requests if not address.startswith(("data:", report))] == []


def go_to(page: Browser, address: str) -> None:
    """Change the address, and wait until the page has followed."""
    view = address if address in ("games", "players") else "game"
    page.ask(f"location.hash = '#{address}'")
    page.wait_for(f"!document.getElementById('view-{view}').hidden")
    if view == "game":
        number = int(address.partition("/")[0])
        page.wait_for(f"document.getElementById('game-about').innerText.endsWith('game {number} of games.pgn')")


def pieces(page: Browser) -> dict[str, str]:
    """The board as it is drawn: FEN letters by squares."""
    found = page.ask(
        "[...document.querySelectorAll('#board .piece')].map((node) => [node.dataset.square, node.getAttribute('href'),"
        " node.classList.contains('white')])"
    )
    return {square: href[-1].upper() if is_white else href[-1] for square, href, is_white in found}


def position_after(ply: int) -> dict[str, str]:
    """The board as it should be, by python-chess."""
    board = chess.Board()
    for san in OPERA[:ply]:
        board.push_san(san)
    return {chess.square_name(square): piece.symbol() for square, piece in board.piece_map().items()}


def arrows(page: Browser) -> dict[str, str]:
    found = page.ask(
        "[...document.querySelectorAll('#board .arrow')].map((node) => [node.classList[1], node.dataset.move])"
    )
    return dict(found)


def chosen(page: Browser) -> str | None:
    return page.ask("document.querySelector('#moves [aria-current]')?.dataset.ply ?? null")


# The tables.


def test_the_index_lists_all_games(page: Browser) -> None:
    assert page.text("#count") == "6 games"
    rows = page.texts("#games-body tr")
    assert len(rows) == 6
    assert "Morphy, Paul" in rows[0]
    assert page.text("#games-body tr .result") == "1-0"
    assert page.text("#games-body tr .date") == "1858"


def column(page: Browser, name: str) -> list[str]:
    return page.texts(f"#games-body td.{name}")


def test_a_click_on_a_header_sorts_and_a_second_one_turns_round(page: Browser) -> None:
    page.click("#games-head th.white button")
    assert column(page, "white")[1:] == ["Ann", "Ann", "Bob", "Cid", "Morphy, Paul"]
    assert page.ask("document.querySelector('#games-head th.white').ariaSort") == "ascending"
    page.click("#games-head th.white button")
    assert column(page, "white")[:-1] == ["Morphy, Paul", "Cid", "Bob", "Ann", "Ann"]
    assert page.ask("document.querySelector('#games-head th.white').ariaSort") == "descending"


def test_numbers_sort_by_size_and_the_biggest_come_first(page: Browser) -> None:
    page.click("#games-head th.moves-count button")
    assert [int(text) for text in column(page, "moves-count")] == [17, 10, 8, 6, 5, 0]
    page.click("#games-head th.number.first button")
    accuracies = column(page, "number.first")
    assert accuracies[-1] == "\u2013"  # the game without moves, wherever the others are
    assert [float(text) for text in accuracies[:-1]] == sorted(map(float, accuracies[:-1]), reverse=True)


def select(page: Browser, name: str, value: str) -> None:
    """Choose in a list as a person does."""
    page.ask(
        f"Object.assign(document.getElementById('{name}'), {{value: '{value}'}}).dispatchEvent(new Event('input'))"
    )


def test_games_are_filtered_by_player_colour_and_result(page: Browser) -> None:
    page.click("#filter-name")
    page.type("ANN")
    assert len(page.texts("#games-body tr")) == 4
    assert page.text("#shown") == "4 games of 6"
    select(page, "filter-colour", "black")
    assert column(page, "white") == ["Bob", "Cid"]
    select(page, "filter-result", "1/2-1/2")
    assert column(page, "white") == ["Cid"]


def test_a_click_on_a_row_opens_its_game(page: Browser) -> None:
    page.click("#games-body tr:nth-child(1) td.event")
    page.wait_for("!document.getElementById('view-game').hidden")
    assert page.text("#game-title").startswith("Morphy, Paul \u2013 Duke Karl / Count Isouard")
    assert page.ask("location.hash") == "#1"


def test_next_game_follows_the_order_of_the_table(page: Browser) -> None:
    page.click("#filter-name")
    page.type("ann")
    page.click("#games-body tr:nth-child(2) td.event")
    page.wait_for("location.hash === '#3'")
    page.wait_for("!document.getElementById('view-game').hidden")
    page.press("n")
    page.wait_for("location.hash === '#4'")
    page.press("p")
    page.press("p")
    page.wait_for("location.hash === '#2'")
    page.wait_for("document.getElementById('previous-game').disabled")


def test_the_table_of_players_adds_up_their_games(page: Browser) -> None:
    page.click("#to-players")
    page.wait_for("!document.getElementById('view-players').hidden")
    page.click("#players-head th button")
    rows = {row[0]: row[1:] for row in player_rows(page)}
    anns = [game for game in GAMES if "Ann" in (game.tags["White"], game.tags["Black"])]
    sides = [game.white if game.tags["White"] == "Ann" else game.black for game in anns]
    games, points, moves, accuracy, loss, *errors = rows["Ann"]
    assert (games, points, moves) == ("4", "2.5 / 3", str(sum(side.moves for side in sides)))
    counting = [side for side in sides if side.moves]
    mean = sum(round(side.accuracy or 0, 1) * side.moves for side in counting) / sum(side.moves for side in counting)
    assert float(accuracy) == pytest.approx(mean, abs=0.06)
    assert errors == [
        str(sum(getattr(side, name) for side in sides)) for name in ("inaccuracies", "mistakes", "blunders")
    ]
    assert float(loss) >= 0


def player_rows(page: Browser) -> list[list[str]]:
    return page.ask(
        "[...document.querySelectorAll('#players-body tr.whole')].map((row) => [row.querySelector('bdi').innerText,"
        " ...[...row.querySelectorAll('td')].map((cell) => cell.innerText)])"
    )


def test_a_player_opens_to_colours_and_phases(page: Browser) -> None:
    go_to(page, "players")
    page.ask("document.querySelector('#players-body .toggle').focus()")
    assert page.texts("#players-body tr.part:not([hidden])") == []
    page.press("Enter")
    shown = page.texts("#players-body tr.part:not([hidden]) th")
    assert shown == ["as White", "as Black", "opening", "middlegame", "endgame"]
    parts = [int(text) for text in page.texts("#players-body tr.part:not([hidden]) .moves-count")]
    total = int(page.text("#players-body tr.whole .moves-count"))
    assert parts[0] + parts[1] == total == sum(parts[2:])


def test_a_players_games_are_one_click_away(page: Browser) -> None:
    go_to(page, "players")
    page.click("#players-body [aria-label='Games of Bob']")
    page.wait_for("!document.getElementById('view-games').hidden")
    assert len(page.texts("#games-body tr")) == 2


def test_a_long_table_shows_more_at_its_end(browser: Browser, tmp_path: Path) -> None:
    game = made_up(OPERA[:2])
    browser.resize(1280, 900)
    browser.open(written(tmp_path / "long.html", [game] * LONG))
    shown = "document.querySelectorAll('#games-body tr').length"
    assert browser.ask(shown) == 100
    browser.ask("window.scrollTo(0, document.body.scrollHeight)")
    browser.wait_for(f"{shown} === 200")
    browser.ask("document.getElementById('games-more').click()")
    assert browser.ask(shown) == LONG
    assert browser.ask("document.getElementById('games-more').hidden")


def test_a_report_of_one_game_opens_it_at_once(browser: Browser, tmp_path: Path) -> None:
    browser.open(written(tmp_path / "one.html", [made_up(OPERA)]))
    browser.wait_for("!document.getElementById('view-game').hidden")
    browser.open(written(tmp_path / "none.html", []))
    assert browser.text("#count") == "0 games"


# A game.


def test_the_board_follows_the_chosen_move(page: Browser) -> None:
    go_to(page, "1")
    assert pieces(page) == position_after(0)
    for ply in (1, 6, 23, 33):
        page.click(f"#moves [data-ply='{ply}']")
        assert chosen(page) == str(ply)
        assert pieces(page) == position_after(ply)


def test_arrows_show_the_move_played_and_the_best_one(page: Browser) -> None:
    go_to(page, "1")
    assert arrows(page) == {}
    for ply in OPERA_GAME.plies[:12]:
        page.press("ArrowRight")
        assert ply.before is not None
        if ply.before.best == ply.uci:
            assert arrows(page) == {"best": ply.uci}
        else:
            assert arrows(page) == {"played": ply.uci, "best": ply.before.best}


def test_the_detail_has_judgement_scores_and_best_line(page: Browser) -> None:
    ply = OPERA_GAME.plies[JUDGED[0] - 1]
    go_to(page, f"1/{ply.number}")
    assert ply.before is not None
    detail = page.text("#detail")
    assert ply.judgement.capitalize() in detail
    assert f"{ply.loss} centipawns" in detail
    shown = [re.sub(r"^\d+[.…] ", "", text) for text in page.texts("#detail .line button")]
    assert shown == list(ply.before.line)
    assert page.text("#moves p.remark").startswith(f"{(ply.number + 1) // 2}")
    assert len(page.texts("#moves p.remark:not(.result)")) == len(JUDGED)


def test_a_click_on_a_line_shows_its_position_and_escape_leads_back(page: Browser) -> None:
    ply = OPERA_GAME.plies[JUDGED[0] - 1]
    go_to(page, f"1/{ply.number}")
    assert ply.before is not None
    board = chess.Board(ply.fen)
    for san in ply.before.line[:3]:
        board.push_san(san)
    page.click("#detail [data-line='2']")
    page.press("ArrowRight")
    assert pieces(page) == {chess.square_name(square): piece.symbol() for square, piece in board.piece_map().items()}
    page.press("Escape")
    assert pieces(page) == position_after(ply.number)


def test_the_graph_has_a_point_for_each_error_and_a_cursor(page: Browser) -> None:
    go_to(page, "1")
    assert page.ask("document.querySelectorAll('#graph .point').length") == len(JUDGED)
    assert page.ask("document.querySelectorAll('#graph .area-white').length") == 1
    places = []
    for ply in (0, 10, 33):
        page.ask(f"document.querySelector(\"#moves [data-ply='{ply}']\")?.click()")
        places.append(page.ask("Number(document.querySelector('#graph .cursor').getAttribute('x1'))"))
    assert places == sorted(places)
    assert places[0] < places[1] < places[2]


def test_the_height_of_the_graph_is_the_win_chance(page: Browser) -> None:
    go_to(page, "1")
    path = page.ask("document.querySelector('#graph .curve').getAttribute('d')")
    heights = [float(y) for y in re.findall(r"[\d.]+ ([\d.]+)", path)]
    evaluations = [OPERA_GAME.plies[0].before, *(ply.after for ply in OPERA_GAME.plies)]
    chances = [(found.wdl[0] + found.wdl[1] / 2) / 1000 for found in evaluations if found]
    assert heights == pytest.approx([18 + 138 * (1 - chance) for chance in chances], abs=0.06)


def test_positions_that_were_not_analysed_leave_a_gap_in_the_graph(page: Browser) -> None:
    go_to(page, "3/6")
    assert page.ask("document.querySelectorAll('#graph .curve').length") == 2
    assert "Not analysed" in page.text("#detail")


def test_a_click_in_the_graph_chooses_the_move(page: Browser) -> None:
    go_to(page, "1")
    page.click("#graph", across=0.999)
    assert chosen(page) == "33"
    page.click("#graph", across=0.5)
    assert 14 <= int(chosen(page) or 0) <= 18
    page.click("#clock-graph", across=0.999)
    assert chosen(page) == "33"


def test_the_clock_is_shown_where_the_game_has_one(page: Browser) -> None:
    go_to(page, "1/33")
    assert page.ask("document.querySelectorAll('#clock-graph .time').length") == 2
    left = OPERA_GAME.plies[32].clock or 0
    assert page.text("#player-bottom .clock") == f"{int(left // 60)}:{int(left % 60):02}"
    go_to(page, "2")
    assert page.ask("document.getElementById('clock-figure').hidden")
    assert page.ask("document.querySelector('.player .clock')") is None


def test_flip_turns_the_board_and_the_players(page: Browser) -> None:
    go_to(page, "1")
    place = "document.querySelector(\"#board [data-square='a1']\").getAttribute('y')"
    assert page.ask(place) == "700"
    assert "Morphy" in page.text("#player-bottom")
    page.click("#flip")
    assert page.ask(place) == "0"
    assert "Morphy" in page.text("#player-top")
    page.press("f")
    assert page.ask(place) == "700"


def test_keys_go_through_the_game(page: Browser) -> None:
    go_to(page, "1")
    page.press("ArrowRight")
    page.press("ArrowRight")
    assert chosen(page) == "2"
    page.press("ArrowLeft")
    assert chosen(page) == "1"
    page.press("End")
    assert chosen(page) == "33"
    page.press("ArrowRight")
    assert chosen(page) == "33"
    page.press("Home")
    assert chosen(page) is None
    for ply in JUDGED:
        page.press("e")
        assert chosen(page) == str(ply)
    page.press("E", shift=True)
    assert chosen(page) == str(JUDGED[-2])
    page.press("g")
    page.wait_for("!document.getElementById('view-games').hidden")


def test_buttons_go_through_the_game(page: Browser) -> None:
    go_to(page, "1")
    for button, ply in (("forward", 1), ("last", 33), ("back", 32), ("first", None), ("next-error", JUDGED[0])):
        page.click(f"#{button}")
        assert chosen(page) == (ply and str(ply))
    page.click("#last")
    useless = page.ask("[...document.querySelectorAll('.controls :disabled')].map((node) => node.id)")
    assert useless == ["forward", "last", "next-error"]


def test_a_game_is_found_by_keyboard_alone(page: Browser) -> None:
    for _ in range(40):
        page.press("Tab")
        if page.ask("document.activeElement.getAttribute('href')") == "#2":
            break
    page.press("Enter")
    page.wait_for("document.title === 'Ann \u2013 Bob'")
    reached = set()
    for _ in range(40):
        page.press("Tab")
        reached.add(
            page.ask(
                "document.activeElement.id || document.activeElement.dataset.ply || document.activeElement.tagName"
            )
        )
    assert {"theme", "next-game", "forward", "flip", "graph", "1"} <= reached
    assert "2" not in reached  # only one move of the list is a stop
    page.press("g")
    page.wait_for("document.activeElement.getAttribute('href') === '#2'")


def test_keys_typed_into_a_field_stay_there(page: Browser) -> None:
    page.click("#filter-name")
    for key in "gtf":
        page.press(key)
    assert page.ask("document.getElementById('filter-name').value") == "gtf"
    assert page.ask("document.documentElement.dataset.theme ?? ''") == ""


def test_the_address_names_game_and_move(page: Browser) -> None:
    go_to(page, "1/5")
    assert chosen(page) == "5"
    page.press("ArrowRight")
    page.wait_for("location.hash === '#1/6'")
    page.ask("location.hash = '#99/1'")
    page.wait_for("!document.getElementById('view-games').hidden")
    go_to(page, "1/999")
    assert chosen(page) == "33"


def test_a_game_without_moves_can_be_opened(page: Browser) -> None:
    go_to(page, "6")
    for key in ("ArrowRight", "ArrowLeft", "End", "e", "f"):
        page.press(key)
    assert "no moves" in page.text("#detail")


def test_a_game_that_black_begins_has_the_right_numbers(browser: Browser, tmp_path: Path) -> None:
    moves = ["g1=Q+", "Kd2", "b1=N+", "Ke2", "Kd7", "g8=R"]
    game = made_up(moves, {"White": "A", "Black": "B"}, fen="4k3/1P4P1/8/8/8/8/1p4p1/4K3 b - - 0 40")
    browser.open(written(tmp_path / "black.html", [game]))
    browser.wait_for("!document.getElementById('view-game').hidden")
    assert browser.texts("#moves .number") == ["40.", "41.", "42.", "43."]
    assert [text.split("\n")[0].rstrip("?!") for text in browser.texts("#moves button")] == moves
    browser.press("ArrowRight")
    assert browser.text("#detail h3").startswith("40\u2026 g1=Q+")
    assert pieces(browser)["g1"] == "q"
    browser.press("End")
    assert browser.text("#detail h3").startswith("43. g8=R")
    assert pieces(browser) == {"d7": "k", "b7": "P", "g8": "R", "e2": "K", "b1": "n", "g1": "q"}


# How it looks.


def test_it_is_dark_if_the_system_is_and_the_button_decides(page: Browser, report: str) -> None:
    assert ground(page) > 200
    page.prefer(prefers_color_scheme="dark")
    assert ground(page) < 60
    page.click("#theme")
    assert ground(page) > 200
    page.prefer(prefers_color_scheme="light")
    page.press("t")
    assert ground(page) < 60
    page.open(report)
    assert ground(page) < 60  # remembered
    assert page.ask("document.getElementById('theme').getAttribute('aria-pressed')") == "true"


def ground(page: Browser) -> int:
    """How bright the page is."""
    colour = page.ask("getComputedStyle(document.body).backgroundColor")
    return int(re.findall(r"\d+", colour)[0])


@pytest.mark.parametrize("address", ["games", "players", "1/7", "5/3"])
def test_nothing_sticks_out_on_a_phone(page: Browser, address: str) -> None:
    page.resize(360, 740, phone=True)
    go_to(page, address)
    page.ask("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert page.ask("document.scrollingElement.scrollWidth") <= 360
    if "/" in address:
        assert page.ask("document.getElementById('board').getBoundingClientRect().width") > 300


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("address", ["games", "players", "1/7"])
def test_all_text_has_contrast_enough(page: Browser, theme: str, address: str) -> None:
    page.prefer(prefers_color_scheme=theme)
    go_to(page, address)
    assert page.ask(WEAK_TEXTS) == []


# Every text that is to be seen against the first ground behind it; 4.5 is what WCAG 2 asks of small text.
WEAK_TEXTS = """
(() => {
  const parts = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = (colour) => {
    const linear = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    const [r, g, b] = parts(colour).map((part) => linear(part / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const groundOf = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if ((parts(colour)[3] ?? 1) > 0) return colour;
    }
  };
  const weak = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const [node, text] = [walker.currentNode.parentElement, walker.currentNode.data.trim()];
    if (!text || !node.checkVisibility() || node.closest("svg, script, noscript, :disabled")) continue;
    const [a, b] = [light(getComputedStyle(node).color), light(groundOf(node))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const faded = Number(getComputedStyle(node).opacity) < 1;
    if (ratio < 4.5 || faded) weak.push(`${node.tagName}.${node.className} ${ratio.toFixed(2)} ${text}`);
  }
  return weak;
})()
"""


def test_everything_that_can_be_used_has_a_name(page: Browser) -> None:
    for address in ("games", "players", "1/7"):
        go_to(page, address)
        tree = page.send("Accessibility.getFullAXTree")["nodes"]
        roles = ("button", "link", "slider", "searchbox", "combobox", "checkbox", "img", "image", "table")
        nameless = [
            node["role"]["value"]
            for node in tree
            if not node.get("ignored") and node["role"]["value"] in roles and not node.get("name", {}).get("value")
        ]
        assert nameless == []


def test_paper_gets_the_whole_game_and_no_buttons(page: Browser) -> None:
    go_to(page, "1/7")
    page.send("Emulation.setEmulatedMedia", media="print")
    assert page.ask("getComputedStyle(document.querySelector('nav')).display") == "none"
    assert page.ask(
        "document.getElementById('moves').scrollHeight <= document.getElementById('moves').clientHeight + 1"
    )
    page.send("Emulation.setEmulatedMedia", media="")


# Text from outside.


def test_hostile_names_are_shown_and_do_nothing(page: Browser) -> None:
    shown = page.ask("document.querySelector('#games-body tr:nth-child(5) td.white').textContent")
    assert shown == NASTY
    go_to(page, "players")
    go_to(page, "5/3")
    assert NASTY in page.ask("document.getElementById('game-title').textContent")
    assert page.ask("typeof hacked") == "undefined"
    assert page.ask("document.querySelectorAll('main img').length") == 0


def test_the_policy_stops_a_script_that_got_in(browser: Browser, report: str) -> None:
    browser.open(report)
    browser.ask("document.body.append(Object.assign(document.createElement('script'), {textContent: 'hacked = 1'}))")
    browser.ask("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"hacked = 1\">')")
    browser.ask("new Promise((done) => setTimeout(done, 100))")
    assert browser.ask("typeof hacked") == "undefined"
