"""The small Python API, beyond what the other tests use of it."""

import pytest

from nowchess_uci import Board, MoveTextError


def test_it_prints_the_board_as_text() -> None:
    assert str(Board()).splitlines()[0] == "r n b q k b n r"
    assert str(Board()).splitlines()[4] == ". . . . . . . ."


def test_its_repr_makes_it_again() -> None:
    for board in (Board(), Board("4k3/8/8/8/8/8/8/1R2K3 w B - 0 1")):
        assert eval(repr(board), {"Board": Board}).fen() == board.fen()


def test_it_tells_what_stands_where() -> None:
    board = Board()
    assert board.piece_at("e1") == "K"
    assert board.piece_at("d8") == "q"
    assert board.piece_at("e4") is None
    with pytest.raises(ValueError, match="not a square"):
        board.piece_at("e9")


def test_it_knows_turn_clock_and_number() -> None:
    board = Board()
    board.play("Nf3")
    assert (board.turn, board.half_move_clock, board.full_move_number) == ("black", 1, 1)
    board.play("d5")
    assert (board.turn, board.half_move_clock, board.full_move_number) == ("white", 0, 2)


def test_undo_returns_the_move() -> None:
    board = Board()
    board.play("e4", "e5")
    assert board.undo() == "e7e5"
    assert board.undo() == "e2e4"
    with pytest.raises(IndexError, match="no move"):
        board.undo()


def test_a_claim_with_an_illegal_intended_move_is_an_error() -> None:
    with pytest.raises(MoveTextError):
        Board().can_claim_fifty_moves("e5")
