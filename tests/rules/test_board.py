"""The small Python API, beyond what the other tests use of it."""

import pytest

from nowchess_uci import Board, MoveTextError
from nowchess_uci.rules import movegen


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


def test_moves_may_be_the_integers_of_the_rules() -> None:
    board = Board()
    e4 = board.parse_move("e2e4")
    assert board.parse_move(e4) == e4
    assert board.is_legal(e4)
    assert board.san(e4) == "e4"
    board.play(e4, "e5")
    assert not board.is_legal(e4)
    assert board.last_move == Board("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1").parse_move("e5")
    for act in (board.parse_move, board.san, board.play, board.captured_by, board.can_claim_threefold):
        with pytest.raises(MoveTextError, match="not legal"):
            act(e4)
    for nonsense in (-1, 0, 1 << 16, 1 << 80):
        assert not board.is_legal(nonsense)


def test_moves_of_text_and_integer_are_all_played_or_none() -> None:
    board = Board()
    e4 = board.parse_move("e4")
    with pytest.raises(ValueError, match="not legal"):
        board.play("d4", "d5", e4, "dxe4", e4)
    assert board.fen() == Board().fen()


@pytest.mark.parametrize(
    ("fen", "move", "captured"),
    [
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", "p"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e6", None),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", None),
        ("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "Kxe2", "r"),
    ],
)
def test_it_tells_what_a_move_captures(fen: str, move: str, captured: str | None) -> None:
    assert Board(fen).captured_by(move) == captured


def test_it_tells_check_and_variant_and_hands_out_copies_of_its_position() -> None:
    board = Board("4k3/8/8/8/8/8/8/1R2K3 w B - 0 1")
    assert board.chess960
    assert not board.is_check
    board.play("Rb8")
    assert board.is_check
    movegen.undo(board.position)
    assert board.is_check
