"""A session as its user meets it: lines in, text out."""

import random
from pathlib import Path

import pytest
from consoles import FIFTY, UNSAVED, Scripted, Terminal

from nowchess_uci.pgn.read import read_pgn
from nowchess_uci.rules import movegen
from nowchess_uci.rules.move import render_move
from nowchess_uci.rules.position import Position

# Messages.


def test_a_session_begins_with_the_board_and_the_prompt_and_ends_politely(terminal: Terminal) -> None:
    lines = terminal.play("quit").splitlines()
    assert lines[2] == "  8  r  n  b  q  k  b  n  r  8"
    assert lines[-2:] == ["White's turn. Enter move: quit", "Game over. Goodbye!"]
    assert terminal.exit_code == 0


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("e3e4", "No piece on e3."),
        ("e7e5", "That is not your piece."),
        ("e2e5", "Illegal move. Type moves to see the legal ones."),
        ("nd2", "Illegal move. Type moves to see the legal ones."),
        ("undo", "Nothing to undo."),
        ("redo", "Nothing to redo."),
        ("save", "Which file? For example: save game.pgn"),
        ("fen", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        ("DRAW e4", "Draw cannot be claimed with 'e4': no 50 moves, no threefold repetition."),
        ("save x.pgn", "There is no move to save yet."),
        ("FEN", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    ],
)
def test_one_line_answers(terminal: Terminal, line: str, message: str) -> None:
    lines = terminal.play(line).splitlines()
    place = lines.index(f"White's turn. Enter move: {line}")
    assert lines[place + 1 : place + 3] == [message, "White's turn. Enter move: "]


@pytest.mark.parametrize(
    ("line", "help_"),
    [("xyz", "Type help for the commands."), ("hlep", "Did you mean help?"), ("Quti", "Did you mean quit?")],
)
def test_what_is_no_move_gets_help(terminal: Terminal, line: str, help_: str) -> None:
    message = f"Invalid move format '{line}'. Use coordinate notation, e.g. e2e4, or SAN, e.g. Nf3."
    assert f"Enter move: {line}\n{message}\n{help_}\nWhite's turn." in terminal.play(line)


def test_captures_check_and_mate_are_told(terminal: Terminal) -> None:
    out = terminal.play("e4", "d5", "exd5", "Qxd5", "Nc3", "Qe5+", "Be2", "quit")
    assert "White captures Black Pawn on d5\n" in out
    assert "Black captures White Pawn on d5\n" in out
    assert "White is in check!\n" in out
    assert "!K!" in out
    out = terminal.play("f3", "e5", "g4", "Qh4", "quit")
    assert "Checkmate! Black wins.\nGame over. Enter command (new, undo, save FILE, quit): quit\n" in out
    assert "White is in check!" not in out


def test_stalemate_and_automatic_draws_are_told(terminal: Terminal) -> None:
    out = terminal.play("Qf7", options=("--fen", "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1"))
    assert "Stalemate! The game is a draw.\n" in out
    out = terminal.play("Kxe2", options=("--fen", "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"))
    assert "White captures Black Rook on e2\n" in out
    assert "Draw by dead position.\n" in out


def test_help_lists_the_commands(terminal: Terminal) -> None:
    out = terminal.play("help")
    words = "draw resign undo redo new moves hint board flip fen pgn save FILE help quit"
    for command in words.replace("save FILE", "save_FILE").split():
        assert f"\n  {command.replace('_', ' ')} " in out


def test_undo_redo_and_flip_show_the_board_again(terminal: Terminal) -> None:
    out = terminal.play("e4", "undo", "redo", "flip")
    assert out.count("[P]") == 3
    assert out.count("     h  g  f  e  d  c  b  a\n") == 2


@pytest.mark.parametrize("options", [(), ("--two-players",)])
def test_the_first_screen_says_that_there_is_help(terminal: Terminal, options: tuple[str, ...]) -> None:
    out = terminal.play("quit", options=options, opponent=Scripted())
    assert "\nType a move, such as e4, e2e4 or Nf3, or help for the commands.\nWhite's turn." in out


@pytest.mark.parametrize("word", ["quit", "exit", "q", "EXIT"])
def test_words_that_leave(terminal: Terminal, word: str) -> None:
    assert terminal.play(word, "fen").endswith(f"Enter move: {word}\nGame over. Goodbye!\n")


def test_moves_lists_the_legal_moves_and_board_shows_the_board(terminal: Terminal) -> None:
    out = terminal.play("moves", "board", options=("--fen", "7k/8/8/8/8/8/P7/K7 w - - 0 1"))
    listed = out.split("Enter move: moves\n")[1].splitlines()[0]
    assert sorted(listed.split()) == ["Kb1", "Kb2", "a3", "a4"]
    assert out.count("  1  K  .  .  .  .  .  .  .  1\n") == 2


def test_the_list_of_moves_fits_on_a_terminal(terminal: Terminal) -> None:
    queens = "3Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNNk w - - 0 1"
    out = terminal.play("moves", options=("--fen", queens))
    listed = out.split("Enter move: moves\n")[1].split("White's turn")[0]
    assert len(listed.split()) == 218
    assert max(map(len, listed.splitlines())) <= 79


def test_an_empty_line_is_no_mistake(terminal: Terminal) -> None:
    assert "Enter move: \nWhite's turn. Enter move: fen\n" in terminal.play("", "fen")


def test_ambiguous_moves_are_asked_about(terminal: Terminal) -> None:
    out = terminal.play("nd2", options=("--fen", "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1"))
    assert "'nd2' fits several moves: Nbd2, Nfd2.\n" in out


def test_moves_are_understood_as_people_type_them(terminal: Terminal) -> None:
    out = terminal.play("E2E4", "e7 e5", "nf3", "NC6", "bb5", "ngf6", "oo", "pgn")
    assert "\n1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 4. O-O *\n" in out


# The end of a game, and what comes after it.


def test_a_resignation_ends_the_game(terminal: Terminal, tmp_path: Path) -> None:
    path = tmp_path / "game.pgn"
    out = terminal.play("e4", "Resign", options=("--pgn", str(path)))
    assert "Enter move: Resign\nBlack resigns. White wins.\nGame over. Enter command (" in out
    assert [(game.result, len(game.moves())) for game in read_pgn(path)] == [("1-0", 1)]


def test_the_next_game_waits_to_be_asked_for_and_begins_where_this_one_did(terminal: Terminal) -> None:
    fen = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"
    out = terminal.play("Ra8", "e4", "draw", "resign", "hint", "moves", "fen", "new", "fen", options=("--fen", fen))
    assert out.count("The game is over. Type new for another one, or undo to go on with this one.\n") == 5
    assert "R5k1/5ppp/8/8/8/8/8/4K3 b - - 1 1\n" in out
    assert "New game.\n\n     a  b  c  d  e  f  g  h\n  8  .  .  .  .  .  .  k  .  8\n" in out
    assert f"Enter move: fen\n{fen}\n" in out


def test_undo_after_mate_between_two_players(terminal: Terminal) -> None:
    out = terminal.play("f3", "e5", "g4", "Qh4", "undo", "fen", "redo", "undo", "d5", "pgn")
    assert "Enter move: fen\nrnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2\n" in out
    assert out.count("Checkmate! Black wins.\n") == 2
    assert "\n1. f3 e5 2. g4 d5 *\n" in out


def test_undo_after_being_mated_and_after_mating_the_opponent_gives_the_player_the_move(terminal: Terminal) -> None:
    out = terminal.play("f3", "g4", "undo", "fen", opponent=Scripted("e5", "Qh4"))
    assert "Enter move: fen\nrnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2\n" in out
    fen = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"
    out = terminal.play("Ra8", "undo", "fen", "redo", options=("--fen", fen), opponent=Scripted())
    assert f"White's turn. Enter move: fen\n{fen}\n" in out
    assert out.count("Checkmate! White wins.\n") == 2
    assert "Nothing to redo" not in out


@pytest.mark.parametrize("end", ["resign", "draw Kd2"])
def test_undo_takes_back_an_end_that_was_no_move(terminal: Terminal, end: str) -> None:
    out = terminal.play(end, "undo", "fen", options=("--fen", FIFTY))
    assert f"White's turn. Enter move: fen\n{FIFTY}\n" in out


def test_a_game_that_goes_on_after_its_end_is_saved_once(terminal: Terminal, tmp_path: Path) -> None:
    path = tmp_path / "game.pgn"
    terminal.play("f3", "e5", "g4", "Qh4", "undo", "d5", "resign", "new", "e4", options=("--pgn", str(path)))
    assert [(game.result, len(game.moves())) for game in read_pgn(path)] == [("0-1", 4), ("*", 1)]


# Promotion.


def test_a_promotion_is_asked_for_until_the_answer_is_a_piece(terminal: Terminal) -> None:
    out = terminal.play("e7d8", "x", "", "N", "fen", options=("--fen", "3b3k/4P3/8/8/8/8/P7/4K3 w - - 0 1"))
    assert out.count("Promote to: (q/r/b/n)?") == 3
    assert out.count("Invalid piece. Choose (q/r/b/n).\n") == 2
    assert "White captures Black Bishop on d8\n" in out
    assert "3N3k/8/8/8/8/8/P7/4K3 b - - 0 1\n" in out


def test_until_the_choice_the_pawn_stands_on_its_square(terminal: Terminal) -> None:
    out = terminal.play("e8", "undo", "fen", options=("--fen", "7k/4P3/8/8/8/8/P7/4K3 w - - 0 1"))
    assert "7k/4P3/8/8/8/8/P7/4K3 w - - 0 1\n" in out


@pytest.mark.parametrize("lines", [("e8",), ("e8", "quit")])
def test_leaving_in_the_middle_of_a_promotion_plays_nothing(
    terminal: Terminal, tmp_path: Path, lines: tuple[str, ...]
) -> None:
    path = tmp_path / "game.pgn"
    terminal.play("Kf1", "Kg7", *lines, options=("--fen", "7k/4P3/8/8/8/8/P7/4K3 w - - 0 1", "--pgn", str(path)))
    assert terminal.exit_code == 0
    assert path.read_text().endswith("1. Kf1 Kg7 *\n\n")


# Against an opponent.


def test_a_game_against_an_opponent(terminal: Terminal) -> None:
    out = terminal.play("f3", "g4", opponent=Scripted("e7e5", "Qh4"))
    assert "Black plays e5\n" in out
    assert "Black plays Qh4#\n" in out
    assert "Checkmate! Black wins.\n" in out
    assert "Black's turn" not in out


def test_the_other_side_sees_the_board_from_black(terminal: Terminal, tmp_path: Path) -> None:
    path = tmp_path / "game.pgn"
    out = terminal.play("e5", options=("--side", "black", "--pgn", str(path)), opponent=Scripted("e4", "Nf3"))
    assert out.index("White plays e4") < out.index("Black's turn. Enter move: e5") < out.index("White plays Nf3")
    assert out.splitlines()[1] == "     h  g  f  e  d  c  b  a"
    (game,) = read_pgn(path)
    assert (game.tags["White"], game.tags["Black"]) == ("NowChess UCI", "Human")


@pytest.mark.parametrize("is_first", [False, True])
def test_a_random_side(terminal: Terminal, monkeypatch: pytest.MonkeyPatch, is_first: bool) -> None:
    monkeypatch.setattr(random, "choice", lambda sides: sides[not is_first])
    out = terminal.play(options=("--side", "random"), opponent=Scripted("e4"))
    assert ("White's turn" in out) == is_first
    assert ("Black's turn" in out) != is_first


def test_undo_and_redo_go_back_to_the_same_players_turn(terminal: Terminal) -> None:
    out = terminal.play("e4", "d4", "undo", "fen", "redo", "fen", "redo", opponent=Scripted("e5", "exd4"))
    assert "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n" in out
    assert "rnbqkbnr/pppp1ppp/8/8/3pP3/8/PPP2PPP/RNBQKBNR w KQkq - 0 3\n" in out
    assert "Nothing to redo.\n" in out


def test_black_cannot_take_back_the_opponents_first_move(terminal: Terminal) -> None:
    assert "Nothing to undo.\n" in terminal.play("undo", options=("--side", "black"), opponent=Scripted("e4"))


def test_a_hint_is_what_the_opponent_would_play_and_plays_nothing(terminal: Terminal) -> None:
    out = terminal.play("hint", "fen", opponent=Scripted("g1f3"))
    assert "Hint: Nf3\n" in out
    assert "RNBQKBNR w KQkq - 0 1\n" in out


def test_two_players_get_hints_too_if_there_is_an_engine(terminal: Terminal) -> None:
    out = terminal.play("e4", "hint", "e5", options=("--two-players",), opponent=Scripted("c7c5"))
    assert "Black's turn. Enter move: hint\nHint: c5\nBlack's turn. Enter move: e5\n" in out


def test_an_opponent_may_play_on_the_position_it_is_given(terminal: Terminal) -> None:
    class Thinks(Scripted):
        def choose(self, position: Position) -> str:
            move = movegen.legal_moves(position)[0]
            movegen.play(position, move)
            return render_move(move)

    out = terminal.play("e4", "fen", opponent=Thinks())
    assert " w KQkq - " in out


def test_an_opponent_that_plays_no_chess_ends_the_session_and_loses_no_game(terminal: Terminal, tmp_path: Path) -> None:
    path = tmp_path / "game.pgn"
    out = terminal.play("e4", options=("--pgn", str(path)), opponent=Scripted("e2e4"))
    assert "The engine gave no legal move: 'e2e4' is not a legal move here.\n" in out
    assert terminal.exit_code == 1
    assert path.read_text().endswith("1. e4 *\n\n")


@pytest.mark.parametrize("error", [MemoryError("no memory"), RuntimeError("no thread"), OSError("no file"), ValueError])
def test_an_opponent_that_fails_ends_the_session_and_loses_no_game(
    terminal: Terminal, error: Exception | type[Exception]
) -> None:
    class Fails(Scripted):
        def choose(self, position: Position) -> str:
            raise error

    out = terminal.play("e4", opponent=Fails())
    assert f"The engine failed: {str(error) if isinstance(error, Exception) else 'ValueError'}.\n{UNSAVED}" in out
    assert "\n1. e4 *\n" in out
    assert terminal.exit_code == 1
