"""Claims, offers and the menu of the 50-move rule at the console."""

from pathlib import Path

import pytest
from consoles import FIFTY, UNSAVED, Scripted, Terminal, run_process

from nowchess_uci.pgn.read import read_pgn
from nowchess_uci.rules.fen import START_FEN

# The 50-move rule.

MENU = "[50-move rule] Black may claim a draw, or continue playing.\n 1. Claim draw\n 2. Continue\n"


def test_the_menu_opens_at_a_hundred_half_moves_and_claims(terminal: Terminal) -> None:
    out = terminal.play("Kd2", "1", "quit", options=("--fen", FIFTY))
    assert f"{MENU}> 1\nDraw claimed by 50-move rule.\nGame over. Enter command (" in out
    assert out.count("[50-move rule]") == 1


@pytest.mark.parametrize("answer", ["2", ""])
def test_the_menu_is_declined_once_for_each_turn(terminal: Terminal, answer: str) -> None:
    out = terminal.play("Kd2", answer, "xyz", "Kd8", "2", "Kd3", options=("--fen", FIFTY))
    assert f"> {answer}\nBlack's turn. Enter move: xyz\n" in out
    assert out.count("[50-move rule] Black") == 2
    assert out.count("[50-move rule] White") == 1


def test_a_move_typed_at_the_menu_is_played(terminal: Terminal) -> None:
    out = terminal.play("Kd2", "Kd8", "2", "fen", options=("--fen", FIFTY))
    assert "3k3r/8/8/8/8/8/P2K4/R7 w - - 101 121\n" in out


def test_the_menu_survives_commands_and_mistakes(terminal: Terminal) -> None:
    typed = ("help", "fen", "xyz", "Kd5", "flip")
    out = terminal.play("Kd2", *typed, "1", options=("--fen", FIFTY))
    assert out.count(MENU) == len(typed) + 1
    assert "Black's turn. Enter move:" not in out
    assert "> 1\nDraw claimed by 50-move rule.\n" in out


def test_the_input_may_end_at_the_menu(terminal: Terminal) -> None:
    assert f"{MENU}> \n{UNSAVED}" in terminal.play("Kd2", options=("--fen", FIFTY))
    assert terminal.exit_code == 0


def test_there_is_no_menu_below_a_hundred_half_moves(terminal: Terminal) -> None:
    assert "50-move rule" not in terminal.play("quit", options=("--fen", FIFTY))


def test_a_claim_with_an_intended_move_and_by_repetition(terminal: Terminal) -> None:
    assert "Draw claimed by 50-move rule.\n" in terminal.play("draw Kd2", options=("--fen", FIFTY))
    out = terminal.play(*("Nf3", "Nf6", "Ng1", "Ng8") * 2, "draw")
    assert "[Threefold repetition] White may claim a draw by typing draw.\n" in out
    assert "Draw claimed by threefold repetition.\n" in out


@pytest.mark.parametrize("line", ["DRAW Kd2", "Draw kd2", "draw e1 d2"])
def test_a_claim_with_a_move_in_any_letter_case(terminal: Terminal, line: str) -> None:
    assert "Draw claimed by 50-move rule.\n" in terminal.play(line, options=("--fen", FIFTY))


def test_a_claim_with_a_pawn_move_is_refused_with_words_that_fit(terminal: Terminal) -> None:
    out = terminal.play("2", "draw a3", "draw", options=("--fen", FIFTY.replace(" 99 ", " 120 ")))
    assert "Draw cannot be claimed with 'a3', only before it: type draw alone.\n" in out
    assert "has not been triggered" not in out
    assert "Draw claimed by 50-move rule.\n" in out


def test_two_players_agree_upon_a_draw(terminal: Terminal, tmp_path: Path) -> None:
    path = tmp_path / "game.pgn"
    out = terminal.play("e4", "draw", "e5", "draw", options=("--pgn", str(path)))
    assert "Draw cannot be claimed: the 50-move rule has not been triggered.\nIt is offered: White may accept" in out
    assert "Black offers a draw. White may accept by typing draw.\n" in out
    assert "Draw agreed.\nGame over. Enter command (" in out
    assert [(game.result, len(game.moves())) for game in read_pgn(path)] == [("1/2-1/2", 2)]


@pytest.mark.parametrize("between", [("draw", "draw"), ("draw", "e5", "d4"), ("draw", "e5", "undo", "d5", "d4")])
def test_an_offer_is_over_with_the_answer_and_nobody_can_accept_his_own(
    terminal: Terminal, between: tuple[str, ...]
) -> None:
    assert "Draw agreed." not in terminal.play("e4", *between, "draw")


# Draws against an opponent.

REPEAT = ("Ng8", "Nf6", "Ng8")
EQUAL_ROOKS = "4k2r/8/8/8/8/8/8/4K2R w - - 0 60"


@pytest.mark.parametrize(("score", "claims"), [(0, True), (-300, True), (15, True), (16, False), (500, False)])
def test_the_opponent_claims_a_repetition_unless_it_is_better(terminal: Terminal, score: int, claims: bool) -> None:
    opponent = Scripted("Nf6", "Ng8", "Nf6", "Ng8", score=score)
    out = terminal.play("Nf3", "Ng1", "Nf3", "Ng1", opponent=opponent)
    assert ("Black claims a draw with Ng8.\nDraw claimed by threefold repetition.\n" in out) == claims
    assert ("Black plays Ng8\n" in out.split("Enter move: Ng1")[2]) != claims


def test_the_opponent_needs_no_advice(terminal: Terminal) -> None:
    """The third time stands after a move of the player's: only a claim could tell it, not a line for the opponent."""
    out = terminal.play("Nf3", "Ng1", "Nf3", "Ng1", "Nf3", opponent=Scripted("Nf6", "Ng8", "Nf6", "Ng8", "a6"))
    assert out.count("[Threefold repetition] White may claim") == 1
    assert "[Threefold repetition] Black" not in out


@pytest.mark.parametrize(("score", "claims"), [(0, True), (500, False)])
def test_the_opponent_claims_what_stands_already(terminal: Terminal, score: int, claims: bool) -> None:
    fen = FIFTY.replace(" 99 ", " 100 ")
    out = terminal.play("2", "Kd2", options=("--fen", fen), opponent=Scripted("Kd8", score=score))
    assert ("Black claims a draw.\nDraw claimed by 50-move rule.\n" in out) == claims
    assert ("Black plays Kd8\n" in out) != claims


def test_undo_after_a_claim_of_the_opponent_gives_the_player_the_move(terminal: Terminal) -> None:
    fen = FIFTY.replace(" 99 ", " 100 ")
    out = terminal.play("2", "Kd2", "undo", "2", "fen", options=("--fen", fen), opponent=Scripted(score=0))
    assert f"White's turn. Enter move: fen\n{fen}\n" in out


@pytest.mark.parametrize(
    ("fen", "score", "answer"),
    [
        (EQUAL_ROOKS, 0, "Black accepts the draw.\nDraw agreed.\n"),
        (EQUAL_ROOKS, 300, "Black accepts the draw.\nDraw agreed.\n"),  # the player is better
        (EQUAL_ROOKS, -300, "Black declines and plays on for a win.\nWhite's turn."),
        (START_FEN, 0, "Black declines: it is too early for a draw.\nWhite's turn."),
    ],
)
def test_an_offer_is_answered_by_the_score(terminal: Terminal, fen: str, score: int, answer: str) -> None:
    out = terminal.play("draw", options=("--fen", fen), opponent=Scripted(score=score))
    assert f"Enter move: draw\n{answer}" in out


def test_the_real_engine_answers_an_offer() -> None:
    for fen, answer in (
        ("4k2r/8/8/8/8/8/8/4K2R w K - 0 60", "Black accepts the draw."),
        ("3qk3/8/8/8/8/8/8/4K3 w - - 0 60", "Black declines and plays on for a win."),
    ):
        out = run_process("--ascii", "--movetime", "50", "--fen", fen, lines=b"draw\n").stdout.decode()
        assert answer in out
