"""When a game is over or may be ended, by FIDE article."""

import pytest

from nowchess_uci import Board, Status

KNIGHTS_OUT_AND_BACK = ("Nf3", "Nf6", "Ng1", "Ng8")


@pytest.mark.parametrize(
    ("fen", "status"),
    [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", Status.ONGOING),
        ("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", Status.CHECK),
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", Status.CHECKMATE),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Status.STALEMATE),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", Status.DEAD_POSITION),
        ("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", Status.DEAD_POSITION),
        ("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", Status.DEAD_POSITION),
        ("4kb2/8/8/8/8/8/8/2B1K3 w - - 0 1", Status.DEAD_POSITION),  # both on dark squares
        ("4kb2/8/8/8/8/8/8/4KB2 w - - 0 1", Status.ONGOING),  # on both colours
        ("4kn2/8/8/8/8/8/8/4KB2 w - - 0 1", Status.ONGOING),  # a mate can be constructed
        ("4kn2/8/8/8/8/8/8/4KN2 w - - 0 1", Status.ONGOING),
        ("4k3/8/8/8/8/8/8/3NKN2 w - - 0 1", Status.ONGOING),
        ("4k3/p7/8/8/8/8/8/4K3 w - - 0 1", Status.ONGOING),
        ("4k2r/8/8/8/8/8/8/4K3 w - - 149 200", Status.ONGOING),
        ("4k2r/8/8/8/8/8/8/4K3 w - - 150 200", Status.SEVENTY_FIVE_MOVES),
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 150 90", Status.CHECKMATE),  # comes first
    ],
)
def test_status(fen: str, status: Status) -> None:
    assert Board(fen).status() == status


@pytest.mark.parametrize(
    ("status", "over", "draw"),
    [
        (Status.ONGOING, False, False),
        (Status.CHECK, False, False),
        (Status.CHECKMATE, True, False),
        (Status.STALEMATE, True, True),
        (Status.DEAD_POSITION, True, True),
        (Status.SEVENTY_FIVE_MOVES, True, True),
        (Status.FIVEFOLD_REPETITION, True, True),
    ],
)
def test_status_tells_what_it_means(status: Status, over: bool, draw: bool) -> None:
    assert (status.is_over, status.is_draw) == (over, draw)


@pytest.mark.parametrize(
    ("clock", "claim"), [(50, False), (98, False), (99, False), (100, True), (101, True), (140, True)]
)
def test_fifty_move_claim_opens_at_a_hundred_half_moves(clock: int, claim: bool) -> None:
    assert Board(f"4k2r/8/8/8/8/8/8/4K3 w - - {clock} 90").can_claim_fifty_moves() == claim


def test_fifty_move_claim_with_an_intended_move() -> None:
    board = Board("4k2r/8/8/8/8/8/P7/4K3 w - - 99 90")
    assert board.can_claim_fifty_moves("Kd2")
    assert not board.can_claim_fifty_moves("a3")  # a pawn move starts the count again
    assert not Board("4k2r/8/8/8/8/8/P7/4K3 w - - 98 90").can_claim_fifty_moves("Kd2")
    assert board.fen() == "4k2r/8/8/8/8/8/P7/4K3 w - - 99 90"


def test_a_mating_move_is_no_claim() -> None:
    board = Board("6k1/5ppp/8/8/8/8/8/R3K3 w - - 99 90")
    assert not board.can_claim_fifty_moves("Ra8#")
    assert board.can_claim_fifty_moves("Ra7")
    board.play("Ra8")
    assert board.status() == Status.CHECKMATE
    assert not board.can_claim_fifty_moves()


def test_threefold_claim_and_fivefold_end() -> None:
    board = Board()
    for times in (2, 3, 4, 5):
        board.play(*KNIGHTS_OUT_AND_BACK)
        assert board.repetitions() == times
        assert board.can_claim_threefold() == (times >= 3)
        assert (board.status() == Status.FIVEFOLD_REPETITION) == (times == 5)


def test_threefold_claim_with_an_intended_move() -> None:
    board = Board()
    board.play(*KNIGHTS_OUT_AND_BACK, *KNIGHTS_OUT_AND_BACK[:3])
    assert not board.can_claim_threefold()
    assert board.can_claim_threefold("Ng8")
    assert not board.can_claim_threefold("Nd5")


def test_another_castling_right_makes_another_position() -> None:
    board = Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    board.play("Ke2", "Ke7", "Ke1", "Ke8")
    assert board.repetitions() == 1


def test_a_capture_that_was_possible_once_makes_another_position() -> None:
    board = Board("4k1n1/3p4/8/4P3/8/8/8/4K1N1 b - - 0 1")
    board.play("d5", "Nf3", "Nf6", "Ng1", "Ng8")
    assert board.repetitions() == 1  # the first time the pawn could be captured en passant
    board.play("Nf3", "Nf6", "Ng1", "Ng8")
    assert board.repetitions() == 2


def test_a_pawn_that_could_not_be_captured_makes_no_difference() -> None:
    board = Board("4k1n1/3p4/8/8/8/8/8/4K1N1 b - - 0 1")
    board.play("d5", "Nf3", "Nf6", "Ng1", "Ng8")
    assert board.repetitions() == 2
