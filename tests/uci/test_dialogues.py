"""Dialogues with a real engine process: what a GUI says, and what it must hear."""

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from shared.engine_process import EngineProcess

from nowchess_uci import Board

INFO = re.compile(
    r"info depth \d+ seldepth \d+ multipv \d+ score (?:cp -?\d+|mate -?\d+)(?: lowerbound| upperbound)?"
    r"(?: wdl \d+ \d+ \d+)? nodes \d+ nps \d+ hashfull \d+ tbhits \d+ time \d+ pv(?: [a-h][1-8][a-h][1-8][qrbn]?)+"
)


@pytest.fixture
def engine() -> Iterator[EngineProcess]:
    with EngineProcess() as process:
        yield process


def check_lines(lines: list[str], fen: str) -> None:
    """Every info line is well formed, every line of play legal, the best move the last line's first."""
    scores = [line for line in lines if line.startswith("info depth") and "currmove" not in line]
    assert scores
    for line in scores:
        assert INFO.fullmatch(line), line
        board = Board(fen)
        board.play(*line.partition(" pv ")[2].split())
    exact = [line for line in scores if " multipv 1 " in line and "bound" not in line]
    best = lines[-1].split()
    assert exact[-1].partition(" pv ")[2].split()[0] == best[1]
    if len(best) > 2:
        assert best[2] == "ponder"
        board = Board(fen)
        board.play(best[1], best[3])


def test_the_handshake(engine: EngineProcess) -> None:
    engine.send("uci")
    lines = engine.read_until("uciok")
    assert lines[0].startswith("id name NowChess UCI")
    assert lines[1].startswith("id author ")
    assert all(line.startswith("option name ") for line in lines[2:-2])
    assert re.fullmatch(r"info string Network [0-9a-f]{8}, \d+ neurons", lines[-2])
    assert engine.settled() == []


def test_nothing_is_said_when_idle(engine: EngineProcess) -> None:
    engine.send(
        "ucinewgame", "position startpos", "stop", "ponderhit", "debug on", "debug off", "register later", "xyz"
    )
    assert engine.settled() == []


@pytest.mark.parametrize(
    "limits",
    [
        "depth 5",
        "depth 0",
        "nodes 1",
        "nodes 5000",
        "movetime 50",
        "wtime 1000 btime 1000",
        "wtime 100 btime 100 winc 10 binc 10",
        "wtime 100 btime 100 movestogo 1",
        "wtime 1 btime 1",
        "wtime 0 btime 0",
        "wtime -100 btime -100",
        "winc 10 wtime 200",
        "mate 1 movetime 100",
        "depth 30 movetime 60",
        "nodes 100000000 movetime 60",
        "searchmoves a2a3 h2h4 depth 6",
        "depth 4 searchmoves a2a3 nonsense",
        "depth 4 nonsense 77",
    ],
)
def test_every_limit_gives_one_legal_move(engine: EngineProcess, limits: str) -> None:
    engine.send("position startpos", f"go {limits}")
    lines = engine.read_until("bestmove", 5)
    check_lines(lines, Board().fen())
    if "searchmoves" in limits:
        assert lines[-1].split()[1] in ("a2a3", "h2h4")
    assert engine.settled() == []


def test_without_any_command_before_it_go_searches_the_start_position(engine: EngineProcess) -> None:
    engine.send("go depth 3")
    check_lines(engine.read_until("bestmove"), Board().fen())


def test_infinite_waits_for_stop_even_when_all_is_known(engine: EngineProcess) -> None:
    for fen in (
        "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1",
        "7k/8/5K2/6Q1/8/8/8/8 b - - 0 1",
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    ):
        engine.send(f"position fen {fen}", "go infinite")
        time.sleep(0.2)
        assert not any(line.startswith("bestmove") for line in engine.settled())
        engine.send("stop")
        engine.read_until("bestmove", 1)


@pytest.mark.parametrize("limit", ["nodes 100", "depth 2", "movetime 20", "mate 1", "wtime 50 btime 50"])
@pytest.mark.parametrize("mode", ["infinite", "ponder"])
def test_infinite_and_ponder_wait_whatever_limit_is_reached(engine: EngineProcess, mode: str, limit: str) -> None:
    engine.send("position startpos", f"go {mode} {limit}")
    time.sleep(0.15)
    assert not any(line.startswith("bestmove") for line in engine.settled())
    engine.send("stop")
    engine.read_until("bestmove", 1)


def test_ponder_waits_for_ponderhit_and_then_counts(engine: EngineProcess) -> None:
    engine.send("position startpos moves e2e4", "go ponder wtime 300 btime 300")
    time.sleep(0.5)
    assert not any(line.startswith("bestmove") for line in engine.settled())
    engine.send("ponderhit")
    engine.read_until("bestmove", 1)


def test_instant_ponderhit_and_instant_stop_give_a_legal_move(engine: EngineProcess) -> None:
    for answer in ("ponderhit", "stop"):
        engine.send("position startpos", "go ponder wtime 100 btime 100", answer)
        assert Board().is_legal(engine.best_move(2))


@pytest.mark.parametrize(
    ("fen", "score"), [("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "cp 0"), ("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", "mate 0")]
)
def test_no_legal_move_is_said_so(engine: EngineProcess, fen: str, score: str) -> None:
    engine.send(f"position fen {fen}", "go depth 5")
    assert engine.read_until("bestmove") == [f"info depth 0 score {score}", "bestmove (none)"]


def test_multi_pv_shows_different_moves_best_first(engine: EngineProcess) -> None:
    engine.send("setoption name MultiPV value 3", "position startpos", "go depth 6")
    lines = engine.read_until("bestmove")
    check_lines(lines, Board().fen())
    last = [line for line in lines if line.startswith("info depth 6 ")][-3:]
    assert [line.split()[6] for line in last] == ["1", "2", "3"]
    assert len({line.partition(" pv ")[2].split()[0] for line in last}) == 3
    scores = [int(line.partition(" score cp ")[2].split()[0]) for line in last]
    assert scores == sorted(scores, reverse=True)


def test_multi_pv_beyond_the_legal_moves_shows_them_all(engine: EngineProcess) -> None:
    engine.send("setoption name MultiPV value 200", "position fen 7k/8/8/8/8/8/8/K7 w - - 0 1", "go depth 3")
    lines = engine.read_until("bestmove")
    assert sum(line.startswith("info depth 3 ") for line in lines) == 3


def test_wdl_is_shown_on_request(engine: EngineProcess) -> None:
    engine.send("setoption name UCI_ShowWDL value true", "go depth 3")
    assert all(" wdl " in line for line in engine.read_until("bestmove")[:-1])


def test_chess960_castling_is_king_takes_rook_both_ways(engine: EngineProcess) -> None:
    fen = "1r2k2r/8/8/8/8/8/8/1R2K2R w HBhb - 0 1"
    engine.send("setoption name UCI_Chess960 value true", f"position fen {fen} moves e1h1 e8b8", "d")
    text = "\n".join(engine.settled())
    assert "Fen: 2kr3r/8/8/8/8/8/8/1R3RK1 w - - 2 2" in text


def test_standard_castling_is_accepted_in_both_forms(engine: EngineProcess) -> None:
    for move in ("e1g1", "e1h1"):
        engine.send(f"position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves {move}", "d")
        assert "Fen: r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1" in engine.settled()


def test_a_bad_position_is_named_and_the_last_good_one_kept(engine: EngineProcess) -> None:
    engine.send("position startpos moves e2e4", "position fen 8/8/8/8/8/8/8/8 w - - 0 1", "d")
    lines = engine.settled()
    assert lines[0] == "info string position ignored: bad FEN, placement: white has no king"
    assert any(line.startswith("Fen: rnbqkbnr/pppppppp/8/8/4P3") for line in lines)
    engine.send("position startpos moves e2e4 e7e5 e1e3", "position", "position fen")
    lines = engine.settled()
    assert lines[0] == "info string position ignored: move 3: 'e1e3' is not a legal move here"
    assert len(lines) == 3
    engine.send("go depth 2")
    assert Board("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1").is_legal(engine.best_move())


def test_bad_option_values_are_named_and_change_nothing(engine: EngineProcess) -> None:
    engine.send("setoption name Hash value abc", "setoption name Hash value 0", "setoption name Threads value 100000")
    lines = engine.settled()
    assert len(lines) == 3
    assert all(line.startswith("info string ") for line in lines)
    engine.send("setoption name NoSuchThing value 3", "setoption", "setoption name", "setoption value")
    lines = engine.settled()
    assert lines[0] == "info string there is no option 'NoSuchThing'"
    assert lines[1:] == ["info string setoption ignored: 'name NAME value VALUE' expected"] * 3


def test_hash_beyond_the_machine_keeps_the_old_table(engine: EngineProcess) -> None:
    engine.send("setoption name Hash value 65536")
    lines = engine.settled()
    if lines:  # a machine with so much memory simply does it
        assert lines[0].startswith("info string Hash stays at 16 MiB")
    engine.send("go depth 3")
    engine.read_until("bestmove")


def test_options_set_during_a_search_wait_for_its_end(engine: EngineProcess) -> None:
    engine.send("go infinite", "setoption name MultiPV value 2", "setoption name Hash value 1", "ucinewgame")
    assert not any(" multipv 2 " in line for line in engine.settled())
    engine.send("stop")
    engine.read_until("bestmove")
    engine.send("go depth 2")
    assert any(" multipv 2 " in line for line in engine.read_until("bestmove"))


def test_a_second_go_ends_the_first_with_its_own_best_move(engine: EngineProcess) -> None:
    engine.send("go infinite", "position startpos moves e2e4", "go depth 2")
    engine.read_until("bestmove")
    engine.read_until("bestmove")
    assert engine.settled() == []


def test_draw_status_the_seeds_way(engine: EngineProcess) -> None:
    engine.send("draw")
    assert engine.settled() == ["info string Draw cannot be claimed: the 50-move rule has not been triggered."]
    engine.send("position fen 4k2r/8/8/8/8/8/8/4K3 w - - 100 90", "draw", "d")
    lines = engine.settled()
    assert lines[0] == "info string draw claimed: 50-move rule, half-move clock 100"
    assert "Half-move clock: 100" in lines
    assert lines[-1] == "Draw: draw may be claimed: 50-move rule, half-move clock 100"
    engine.send("go depth 2")
    assert engine.read_until("bestmove")[0].startswith("info string draw may be claimed")


def test_threefold_is_seen_through_the_moves(engine: EngineProcess) -> None:
    engine.send("position startpos moves" + " g1f3 g8f6 f3g1 f6g8" * 2, "d")
    lines = engine.settled()
    assert "Repetitions: 3" in lines
    assert lines[-1] == "Draw: draw may be claimed: threefold repetition, 3 times"


def test_perft_and_display_and_eval_and_help(engine: EngineProcess) -> None:
    engine.send("go perft 3")
    lines = engine.read_until("Nodes searched")
    assert len(lines) == 22
    assert "e2e4: 600" in lines
    assert lines[-2:] == ["", "Nodes searched: 8902"]
    engine.send("eval", "help", "d")
    text = "\n".join(engine.settled())
    assert "Evaluation: " in text
    assert "go perft N" in text
    assert "Key: " in text


def test_perft_can_be_stopped(engine: EngineProcess) -> None:
    engine.send("go perft 12", "stop")
    engine.read_until("info string perft stopped", 5)


def test_debug_takes_on_or_off(engine: EngineProcess) -> None:
    engine.send("debug ON")
    assert engine.settled() == ["info string debug ignored: 'on' or 'off' expected"]


def test_debug_names_what_is_not_understood(engine: EngineProcess) -> None:
    engine.send("debug on", "dance", "setoption name Nothing value 1")
    lines = engine.settled()
    assert lines == ["info string unknown command 'dance'; try help", "info string there is no option 'Nothing'"]


def test_the_debug_log_holds_both_directions(engine: EngineProcess, tmp_path: Path) -> None:
    log = tmp_path / "engine log.txt"
    engine.send(f"setoption name Debug Log File value {log}", "go depth 1")
    engine.read_until("bestmove")
    engine.send("setoption name Debug Log File value /no/such/folder/x")
    assert "No such file" in engine.settled()[0]
    text = log.read_text()
    assert re.search(r"^\d\d:\d\d:\d\d\.\d{3} >> go depth 1$", text, re.MULTILINE)
    assert re.search(r"<< bestmove ", text)


def test_limited_strength_plays_legal_moves_fast(engine: EngineProcess) -> None:
    engine.send("setoption name UCI_LimitStrength value true", "setoption name UCI_Elo value 1000")
    board = Board()
    start = time.monotonic()
    for _ in range(30):
        moves = []
        engine.send(f"position fen {board.fen()}", "go wtime 60000 btime 60000")
        lines = engine.read_until("bestmove")
        check_lines(lines, board.fen())
        moves.append(lines[-1].split()[1])
        board.play(*moves)
        if board.status().is_over:
            break
    assert time.monotonic() - start < 10


def test_two_threads_find_the_mate_too(engine: EngineProcess) -> None:
    engine.send("setoption name Threads value 2", "position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "go depth 6")
    assert engine.best_move() == "a1a8"


def test_bench_inside_uci(engine: EngineProcess) -> None:
    engine.send("bench 3")
    assert re.fullmatch(r"Network [0-9a-f]{8}", engine.read_until("", 30)[-1])
    assert re.fullmatch(r"\d+ nodes \d+ nps", engine.read_until("", 30)[-1])


def test_a_gui_of_the_other_protocol_is_told_what_to_do(engine: EngineProcess) -> None:
    engine.send("xboard", "protover 2")
    assert engine.settled() == [
        "tellusererror This engine speaks UCI: choose UCI as its protocol in the settings of the GUI"
    ]
    engine.send("uci")
    engine.read_until("uciok")
