"""Legal moves: the cases that generators get wrong, the stages, and the legality test of arbitrary integers."""

import pytest

from nowchess_uci import Board
from nowchess_uci.rules import movegen
from nowchess_uci.rules.fen import START_FEN, parse_fen
from nowchess_uci.rules.move import render_move

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
TACTICAL, QUIET, ALL = 1, 2, 3


def texts(fen: str, stage: int = ALL, chess960: bool = False) -> set[str]:
    position = parse_fen(fen, chess960)
    moves = [render_move(move, chess960) for move in movegen.legal_moves(position, stage)]
    assert len(moves) == len(set(moves))
    return set(moves)


def test_start_position_has_twenty_moves() -> None:
    assert len(texts(START_FEN)) == 20


def test_the_position_with_the_most_moves() -> None:
    assert len(texts("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1")) == 218


def test_an_unreachable_position_with_even_more_moves() -> None:
    assert len(texts("3Q2Q1/Q4Q2/2Q4Q/4Q3/1Q5Q/Q6Q/ppQ5/kn1Q1QQK w - - 0 1")) == 235


@pytest.mark.parametrize(
    ("fen", "why"),
    [
        ("8/8/8/K2pP2r/8/8/8/7k w - d6 0 1", "two pawns leave the rank at once and open it to the rook"),
        ("8/8/8/r2pP2K/8/8/8/7k w - d6 0 1", "the same from the other side"),
        ("4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "the capturing pawn is pinned on its file"),
        ("6bk/8/8/3pP3/2K5/8/8/8 w - d6 0 1", "the captured pawn shields the king on a diagonal"),
        ("7k/8/8/3pP3/8/5n2/8/4K3 w - d6 0 1", "a knight gives check at the same time"),
    ],
)
def test_en_passant_that_exposes_the_king_is_illegal(fen: str, why: str) -> None:
    assert "e5d6" not in texts(fen), why


@pytest.mark.parametrize(
    "fen",
    [
        "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",  # the pawn that passed gives check itself
        "7k/8/8/3pP3/8/8/6b1/4K3 w - d6 0 1",
        "1b6/8/8/3pP3/5K2/8/8/7k w - d6 0 1",  # pinned, but along the capture
    ],
)
def test_en_passant_that_leaves_the_king_safe_is_legal(fen: str) -> None:
    assert {"e4d3", "e5d6"} & texts(fen)


def test_en_passant_right_is_gone_after_another_move() -> None:
    board = Board("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1")
    board.play("d7d5")
    assert board.is_legal("e5d6")
    board.play("e1e2", "e8e7")
    assert not board.is_legal("e5d6")


def test_en_passant_needs_a_double_push_just_before() -> None:
    board = Board("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1")
    board.play("d7d6", "e1e2", "d6d5")
    assert not board.is_legal("e5d6")


def test_en_passant_removes_the_captured_pawn() -> None:
    board = Board("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1")
    board.play("d7d5", "e5d6")
    assert board.piece_at("d5") is None
    assert board.piece_at("d6") == "P"


def test_all_promotions_with_and_without_capture() -> None:
    moves = texts("3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1")
    assert {f"e7{target}{piece}" for target in ("e8", "d8") for piece in "qrbn"} <= moves
    assert "e7e8" not in moves


def test_a_blocked_pawn_does_not_promote() -> None:
    assert not any(move.startswith("e7e8") for move in texts("4r2k/4P3/8/8/8/8/8/4K3 w - - 0 1"))


def test_a_double_check_leaves_only_king_moves() -> None:
    assert texts("4r1k1/8/8/8/8/5n2/3P1P2/3RK2Q w - - 0 1") == {"e1f1"}


@pytest.mark.parametrize(
    ("fen", "move", "legal"),
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", True),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1c1", True),
        ("r3k2r/8/8/8/8/8/8/R3K2R w Qkq - 0 1", "e1g1", False),  # right lost
        ("r3k3/8/8/8/8/8/8/R3KB1R w KQq - 0 1", "e1g1", False),  # way blocked
        ("r3k3/8/8/8/8/8/8/RN2K2R w KQq - 0 1", "e1c1", False),  # way of the rook blocked
        ("4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", False),  # through check
        ("4k1r1/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", False),  # into check
        ("1k2r3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", False),  # out of check
        ("1r2k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", True),  # the rook alone may pass an attacked square
    ],
)
def test_castling_conditions(fen: str, move: str, legal: bool) -> None:
    assert (move in texts(fen)) == legal


def test_chess960_rook_may_not_uncover_the_king() -> None:
    assert "d1b1" not in texts("4k3/8/8/8/8/8/8/rR1K4 w B - 0 1", chess960=True)
    assert "d1b1" in texts("4k3/8/8/8/8/8/8/1R1K4 w B - 0 1", chess960=True)


def test_chess960_king_and_rook_may_change_places() -> None:
    board = Board("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", chess960=True)
    before = board.fen()
    board.play("f1g1")
    assert board.fen() == "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"
    assert board.undo() == "f1g1"
    assert board.fen() == before


def test_castling_rights_go_with_king_rook_and_captured_rook() -> None:
    fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    for moves, rights in (("e1e2", "kq"), ("a1b1", "Kkq"), ("h1g1", "Qkq"), ("a1a8", "Kk"), ("h1h8", "Qq")):
        board = Board(fen)
        board.play(moves)
        assert board.castling_rights == rights


def test_stages_split_the_moves() -> None:
    for fen in (START_FEN, KIWIPETE, "3r2k1/4P3/8/3pP3/8/8/8/R3K2R w KQ d6 0 1"):
        assert texts(fen, TACTICAL) | texts(fen, QUIET) == texts(fen)
        assert not texts(fen, TACTICAL) & texts(fen, QUIET)


def test_tactical_moves_are_captures_and_promotions() -> None:
    moves = texts("3r2k1/4P3/8/3pP3/8/8/8/R3K2R w KQ d6 0 1", TACTICAL)
    assert moves == {f"e7{target}{piece}" for target in ("e8", "d8") for piece in "qrbn"} | {"e5d6"}


def test_in_check_both_stages_yield_evasions_only() -> None:
    fen = "4k3/8/8/8/4r3/R7/3N4/4K3 w - - 0 1"
    assert texts(fen, TACTICAL) == {"d2e4"}
    assert texts(fen, QUIET) == {"e1d1", "e1f1", "e1f2", "a3e3"}


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("fen", "chess960"),
    [
        (START_FEN, False),
        (KIWIPETE, False),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", False),
        ("3r2k1/4P3/8/3pP3/8/8/8/R3K2R w KQ d6 0 1", False),
        ("4k3/8/8/8/4r3/8/3N4/4K3 w - - 0 1", False),
        ("8/8/8/K2pP2r/8/8/8/7k w - - 0 1", False),
        ("5k2/8/8/8/8/8/pp3ppp/1R3KR1 w GB - 0 1", True),
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", False),
    ],
)
def test_the_legality_test_accepts_exactly_the_generated_integers(fen: str, chess960: bool) -> None:
    position = parse_fen(fen, chess960)
    accepted = [number for number in range(1 << 16) if movegen.is_legal_move(position, number)]
    assert accepted == sorted(movegen.legal_moves(position))


@pytest.mark.parametrize("number", [-1, 1 << 16, 1 << 40])
def test_integers_that_are_no_moves_are_not_legal(number: int) -> None:
    assert not movegen.is_legal_move(parse_fen(START_FEN), number)


def test_playing_an_illegal_integer_is_refused() -> None:
    position = parse_fen(START_FEN)
    before = position.snapshot()
    with pytest.raises(ValueError, match="not legal"):
        movegen.play(position, 0)
    assert position.snapshot() == before


def test_there_is_nothing_to_undo_at_the_start() -> None:
    with pytest.raises(IndexError):
        movegen.undo(parse_fen(START_FEN))
