"""Make and unmake, the hash key, and room for long games."""

import random

import pytest

from nowchess_uci import Board
from nowchess_uci.rules import movegen
from nowchess_uci.rules.fen import START_FEN, parse_fen, render_fen
from nowchess_uci.rules.position import Position


def test_a_new_position_is_the_start_position() -> None:
    assert render_fen(Position()) == START_FEN


def test_state_is_right_after_every_make_and_restored_by_every_unmake() -> None:
    source = random.Random(1)
    for _ in range(20):
        position = parse_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
        snapshots: list[tuple[object, ...]] = []
        while (moves := movegen.legal_moves(position)) and len(snapshots) < 300:
            snapshots.append(position.snapshot())
            movegen.play(position, source.choice(moves))
            assert position.snapshot() == position.recomputed()
        while snapshots:
            movegen.undo(position)
            assert position.snapshot() == snapshots.pop()


def test_transpositions_have_the_same_key() -> None:
    one, other = Board(), Board()
    one.play("Nf3", "Nf6", "Nc3", "Nc6")
    other.play("Nc3", "Nc6", "Nf3", "Nf6")
    assert one.key == other.key


def test_side_castling_and_capturable_pawn_change_the_key() -> None:
    fens = [
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq - 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R b KQkq - 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQk - 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1",
    ]
    assert len({Board(fen).key for fen in fens}) == 4


def test_a_pawn_that_nobody_can_capture_does_not_change_the_key() -> None:
    assert Board("4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1").key == Board("4k3/8/8/3p4/8/8/8/4K3 w - - 0 1").key
    pinned = "4r2k/8/8/3pP3/8/8/8/4K3 w - {} 0 1"
    assert Board(pinned.format("d6")).key == Board(pinned.format("-")).key


def test_keys_are_the_same_on_every_machine() -> None:
    assert Board().key == Board(START_FEN, chess960=True).key == START_KEY


START_KEY = 0xCC0B78402384970F


def test_a_very_long_game_fits() -> None:
    board = Board()
    for _ in range(2_000):
        board.play("Nf3", "Nf6", "Ng1", "Ng8")
    assert board.half_move_clock == 8_000
    assert board.full_move_number == 4_001
    for _ in range(8_000):
        board.undo()
    assert board.fen() == START_FEN


def test_a_copy_is_independent_and_keeps_the_past() -> None:
    board = Board()
    board.play("Nf3", "Nf6", "Ng1", "Ng8")
    twin = board.copy()
    twin.play("e4")
    assert board.fen().startswith("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w")
    assert board.repetitions() == 2
    twin.undo()
    assert twin.repetitions() == 2
    assert twin.fen() == board.fen()


def test_a_position_without_kings_cannot_be_set_up() -> None:
    with pytest.raises(ValueError, match="one king"):
        Position().set_up(bytes([12] * 64), 0, (64, 64, 64, 64), 64, 0, 1, False)


def test_pieces_and_rights_can_be_asked() -> None:
    position = parse_fen("r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1")
    assert position.piece_at(4) == 10
    assert position.piece_at(20) == 12
    assert [position.has_castling_right(color, side) for color in (0, 1) for side in (0, 1)] == [
        True,
        False,
        False,
        True,
    ]
    with pytest.raises(IndexError):
        position.piece_at(64)
