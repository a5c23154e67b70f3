"""Values to UCI lines."""

import pytest

from nowchess_uci.evaluation.network import default_network
from nowchess_uci.rules.fen import parse_fen
from nowchess_uci.rules.notation import parse_move
from nowchess_uci.search.lateness import Late, Usage
from nowchess_uci.search.reports import BestMove, CurrentMove, Progress
from nowchess_uci.search.score import Score
from nowchess_uci.uci.options import OPTIONS
from nowchess_uci.uci.render import render_handshake, render_option, render_report, render_score, render_string

START = parse_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
CASTLING = parse_move(START, "O-O")


@pytest.mark.parametrize(
    ("score", "text"),
    [
        (0, "cp 0"),
        (-35, "cp -35"),
        (31999, "mate 1"),
        (31998, "mate 1"),
        (31997, "mate 2"),
        (-32000, "mate 0"),
        (-31998, "mate -1"),
        (-31996, "mate -2"),
    ],
)
def test_scores_count_mates_in_moves(score: int, text: str) -> None:
    assert render_score(Score(score, "white")) == text


def test_an_info_line_has_its_parts_in_order() -> None:
    report = Progress(5, 9, 1, Score(17, "white"), "", 1000, 0.5, 3, 0, (CASTLING,), False)
    assert render_report(report, False) == (
        "info depth 5 seldepth 9 multipv 1 score cp 17 nodes 1000 nps 2000 hashfull 3 tbhits 0 time 500 pv e1g1"
    )


def test_bound_and_wdl_stand_after_the_score() -> None:
    report = Progress(5, 9, 2, Score(17, "white"), "lowerbound", 1000, 0.5, 3, 0, (CASTLING,), True)
    line = render_report(report, True)
    before, _, after = line.partition(" score cp 17 lowerbound wdl ")
    assert before == "info depth 5 seldepth 9 multipv 2"
    win, draw, loss = (int(word) for word in after.split()[:3])
    assert win + draw + loss == 1000
    assert line.endswith(" pv e1h1")


def test_no_time_is_no_division_by_zero() -> None:
    assert " nps 10 " in render_report(
        Progress(1, 1, 1, Score(0, "white"), "", 10, 0.0, 0, 0, (CASTLING,), False), False
    )


def test_best_moves() -> None:
    assert render_report(BestMove(0, 0, False), False) == "bestmove (none)"
    assert render_report(BestMove(CASTLING, 0, False), False) == "bestmove e1g1"
    assert render_report(BestMove(CASTLING, CASTLING, True), False) == "bestmove e1h1 ponder e1h1"


def test_the_current_move() -> None:
    assert render_report(CurrentMove(7, CASTLING, 3, False), False) == "info depth 7 currmove e1g1 currmovenumber 3"


def test_option_lines_are_what_strict_clients_accept() -> None:
    lines = {option.name: render_option(option) for option in OPTIONS}
    assert lines["Hash"] == "option name Hash type spin default 16 min 1 max 65536"
    assert lines["Clear Hash"] == "option name Clear Hash type button"
    assert lines["Ponder"] == "option name Ponder type check default false"
    assert lines["Debug Log File"] == "option name Debug Log File type string default <empty>"


def test_the_handshake_names_the_engine_first_and_ends_with_uciok() -> None:
    lines = render_handshake(default_network())
    assert lines[0].startswith("id name NowChess UCI ")
    assert lines[1].startswith("id author ")
    assert lines[-2] == f"info string Network {default_network().name}, {default_network().neurons} neurons"
    assert lines[-1] == "uciok"


def test_messages_are_one_ascii_line() -> None:
    assert render_string("a\nb \u2654") == "info string a b \\u2654"


def test_a_late_move_is_explained() -> None:
    late = Late(24.0, 156.2, 1.4, Usage(20.6, 3, 11), 134.4)
    assert render_report(late, False) == (
        "info string late: 156 ms, planned 24; the search began after 1 ms and had the processor for 21 ms, "
        "waited for it for 134 ms, 3 times interrupted, 11 page faults"
    )
