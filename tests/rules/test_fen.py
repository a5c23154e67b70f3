"""FEN in and out: what is read, what is refused and why, what is dropped and said."""

import pytest

from nowchess_uci import START_FEN, Board, FenError
from nowchess_uci.rules.fen import parse_fen, render_fen

KINGS = "4k3/8/8/8/8/8/8/4K3"


@pytest.mark.parametrize(
    "fen",
    [
        START_FEN,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 42 100",
        "4k3/8/8/8/8/8/8/4K3 b - - 149 300",
    ],
)
def test_a_proper_fen_survives_the_round_trip(fen: str) -> None:
    assert render_fen(parse_fen(fen)) == fen


def test_clocks_may_be_missing() -> None:
    assert Board(f"{KINGS} b - -").fen() == f"{KINGS} b - - 0 1"
    assert Board(f"{KINGS} b - - 7").fen() == f"{KINGS} b - - 7 1"


def test_move_number_zero_counts_as_one() -> None:
    assert Board(f"{KINGS} b - - 0 0").full_move_number == 1


def test_white_space_around_fields_does_not_matter() -> None:
    assert Board(f"  {KINGS}\tw  -   - 3 9\r\n").fen() == f"{KINGS} w - - 3 9"


@pytest.mark.parametrize(
    ("fen", "field", "reason"),
    [
        ("", "text", "4 to 6 fields"),
        ("startpos", "text", "4 to 6 fields"),
        (f"{KINGS} w - - 0 1 x", "text", "4 to 6 fields"),
        ("4k3/8/8/8/8/8/4K3 w - - 0 1", "placement", "8 ranks expected, not 7"),
        ("4k3/8/8/8/8/8/8/8/4K3 w - - 0 1", "placement", "8 ranks expected, not 9"),
        ("4k3/8/8/8/8/8/8/4K2 w - - 0 1", "placement", "rank 1 has 7 squares"),
        ("4k4/8/8/8/8/8/8/4K3 w - - 0 1", "placement", "rank 8 has 9 squares"),
        ("4k3/8/8/44p/8/8/8/4K3 w - - 0 1", "placement", "rank 5 has 9 squares"),
        ("4k3/8/8/9/8/8/8/4K3 w - - 0 1", "placement", "'9' in rank 5"),
        ("4k3/8/8/0p7/8/8/8/4K3 w - - 0 1", "placement", "'0' in rank 5"),
        ("4k3/8/8/7x/8/8/8/4K3 w - - 0 1", "placement", "'x' in rank 5"),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", "placement", "black has no king"),
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", "placement", "white has no king"),
        ("4k3/8/8/8/8/8/8/K3K3 w - - 0 1", "placement", "white has 2 kings"),
        ("8/8/8/3kK3/8/8/8/8 w - - 0 1", "placement", "next to each other"),
        ("8/8/2k5/3K4/8/8/8/8 w - - 0 1", "placement", "next to each other"),
        ("4k3/8/8/8/8/8/8/P3K3 w - - 0 1", "placement", "a pawn cannot stand on a1"),
        ("p3k3/8/8/8/8/8/8/4K3 w - - 0 1", "placement", "a pawn cannot stand on a8"),
        ("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", "placement", "white has 9 pawns"),
        ("4k3/8/8/8/7N/NNNNNNNN/NNNNNNNN/4K3 w - - 0 1", "placement", "white has 18 pieces"),
        ("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", "side to move", "black is in check although it is white's move"),
        (f"{KINGS} x - - 0 1", "side to move", "'x'"),
        (f"{KINGS} W - - 0 1", "side to move", "'W'"),
        (f"{KINGS} w Z - 0 1", "castling", "'Z'"),
        (f"{KINGS} w K- - 0 1", "castling", "'-'"),
        (f"{KINGS} w - e9 0 1", "en passant", "'e9'"),
        (f"{KINGS} w - x 0 1", "en passant", "'x'"),
        (f"{KINGS} w - - -1 1", "half-move clock", "'-1'"),
        (f"{KINGS} w - - x 1", "half-move clock", "'x'"),
        (f"{KINGS} w - - 1.5 1", "half-move clock", "'1.5'"),
        (f"{KINGS} w - - 99999999999999999999 1", "half-move clock", "more than"),
        (f"{KINGS} w - - 0 -3", "full-move number", "'-3'"),
        (f"{KINGS} w - - 0 one", "full-move number", "'one'"),
        (f"{KINGS} w - - 0 4294967296", "full-move number", "more than"),
        (f"{KINGS} w - - 0 " + "1" * 500, "text", "too long"),
        (f"{KINGS} w - - 0 \u0661", "text", "ASCII"),
        ("4k3/8/8/\u265f7/8/8/8/4K3 w - - 0 1", "text", "ASCII"),
    ],
)
def test_a_bad_fen_is_refused_with_field_and_reason(fen: str, field: str, reason: str) -> None:
    with pytest.raises(FenError) as caught:
        Board(fen)
    assert caught.value.field == field
    assert reason in str(caught.value)
    assert str(caught.value).isascii()


@pytest.mark.parametrize(
    ("fen", "kept", "note"),
    [
        ("4k3/8/8/8/8/8/8/4K2R w KQkq - 0 1", "K", "castling right Q dropped"),
        ("r3k2r/8/8/8/8/8/8/R2K3R w KQkq - 0 1", "kq", "needs Chess960"),
        ("r3k2r/8/8/8/8/8/4K3/R6R w KQkq - 0 1", "kq", "not at home"),
        ("4k3/8/8/8/8/8/8/4K1R1 w K - 0 1", "-", "needs Chess960"),
        ("4k3/8/8/8/8/8/8/4K3 w A - 0 1", "-", "not at home"),
    ],
)
def test_an_impossible_castling_right_is_dropped_and_said(fen: str, kept: str, note: str) -> None:
    board = Board(fen)
    assert board.castling_rights == kept
    assert any(note in text for text in board.notes)


@pytest.mark.parametrize("square", ["e3", "d6", "e6", "a4", "h1"])
def test_an_impossible_en_passant_square_is_dropped_and_said(square: str) -> None:
    board = Board(f"4k3/8/8/8/8/8/8/4K3 w - {square} 0 1")
    assert board.en_passant_square is None
    assert board.notes == (f"en-passant square {square} dropped: no pawn has just passed it",)


def test_an_en_passant_square_without_capture_is_dropped_silently() -> None:
    board = Board("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1")
    assert board.fen() == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    assert board.notes == ()


def test_an_en_passant_square_counts_only_if_the_capture_is_legal() -> None:
    assert Board("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1").en_passant_square == "d6"
    assert Board("4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 1").en_passant_square is None


@pytest.mark.parametrize(
    ("fen", "written"),
    [
        ("bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w KQkq - 0 1", "KQkq"),
        ("bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1", "KQkq"),
        ("4k3/8/8/8/8/8/8/4KRR1 w F - 0 1", "F"),  # the inner rook needs its letter
        ("4k3/8/8/8/8/8/8/4KRR1 w G - 0 1", "K"),
        ("4k3/8/8/8/8/8/8/4KRR1 w K - 0 1", "K"),  # X-FEN: the outermost one
    ],
)
def test_chess960_rights_are_read_and_written_as_x_fen(fen: str, written: str) -> None:
    board = Board(fen, chess960=True)
    assert board.castling_rights == written
    assert Board(board.fen(), chess960=True).key == board.key


def test_shredder_letters_work_in_standard_chess_too() -> None:
    board = Board("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1")
    assert board.fen() == START_FEN
    assert "chess960" not in repr(board)


def test_shredder_letters_of_other_squares_turn_chess960_on() -> None:
    board = Board("4k3/8/8/8/8/8/8/1R2K3 w B - 0 1")
    assert "e1b1" in board.legal_moves()
