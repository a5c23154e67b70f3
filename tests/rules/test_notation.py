"""SAN in and out, and coordinates in."""

import pytest

from nowchess_uci import Board
from nowchess_uci.rules.fen import parse_fen
from nowchess_uci.rules.notation import (
    AmbiguousMoveError,
    IllegalMoveError,
    MoveFormatError,
    MoveTextError,
    PromotionPieceMissingError,
    parse_move,
    render_san,
)

CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"


@pytest.mark.parametrize(
    ("fen", "move", "san"),
    [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2e4", "e4"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "g1f3", "Nf3"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"),
        ("3r2k1/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8q", "exd8=Q+"),
        ("3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7e8n", "e8=N"),
        (CASTLING, "e1g1", "O-O"),
        (CASTLING, "e1c1", "O-O-O"),
        ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+"),
        ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "a1d1", "Rd1"),
        ("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "a1d1", "Rad1"),
        ("4k3/8/8/R7/8/8/4K3/R7 w - - 0 1", "a1a3", "R1a3"),
        ("1k6/8/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h4e1", "Qh4e1"),
        ("4k3/8/8/8/1b6/2N5/4K3/6N1 w - - 0 1", "g1f3", "Nf3"),
        ("4k3/8/8/8/1b6/2N5/3K4/6N1 w - - 0 1", "g1e2", "Ne2"),  # the other knight is pinned
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "Ra8#"),
    ],
)
def test_san_is_minimal_and_shows_check_and_mate(fen: str, move: str, san: str) -> None:
    board = Board(fen)
    assert board.san(move) == san
    assert board.san(san) == san


@pytest.mark.parametrize(
    ("fen", "text", "move"),
    [
        (CASTLING, "0-0", "e1g1"),
        (CASTLING, "0-0-0+", "e1c1"),
        (CASTLING, "o-o", "e1g1"),
        (CASTLING, "e1g1", "e1g1"),
        (CASTLING, "e1h1", "e1g1"),
        (CASTLING, "e1a1", "e1c1"),
        ("7k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e8Q", "e7e8q"),
        ("7k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e8=N", "e7e8n"),
        ("7k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7e8=R", "e7e8r"),
        ("7k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7e8b", "e7e8b"),
        ("7k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7-e8=q+", "e7e8q"),
        ("3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1", "exd8=N", "e7d8n"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6 e.p.", "e5d6"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5:d6", "e5d6"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "Ng1-f3!?", "g1f3"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", " e2e4 ", "e2e4"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "Pe4", "e2e4"),
    ],
)
def test_what_people_write_is_understood(fen: str, text: str, move: str) -> None:
    board = Board(fen)
    assert board.is_legal(text)
    board.play(text)
    assert board.undo() == move


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "x",
        "e",
        "e9",
        "i4",
        "Ne",
        "e2e4e5",
        "O-O-O-O",
        "0-1",
        "--",
        "Zf3",
        "e8=K",
        "e8=P",
        "e2e4x",
        "\x00e4",
        "\u00e94",
        "N" * 50,
        "xd5",
    ],
)
def test_what_is_no_move_is_a_format_error(text: str) -> None:
    with pytest.raises(MoveFormatError):
        Board().play(text)


@pytest.mark.parametrize("text", ["e5", "e2e5", "Ke2", "O-O", "Bb5", "exd3", "e1g1", "a7a6", "e2e4q", "d4d5", "e3e3"])
def test_what_is_not_legal_here_is_an_illegal_move(text: str) -> None:
    with pytest.raises(IllegalMoveError):
        Board().play(text)


def test_an_ambiguous_move_is_refused() -> None:
    with pytest.raises(AmbiguousMoveError):
        Board("4k3/8/8/8/8/8/4K3/R6R w - - 0 1").play("Rd1")


def test_a_pawn_capture_must_name_its_file() -> None:
    with pytest.raises(MoveTextError):
        Board("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1").play("d5")


@pytest.mark.parametrize("text", ["e8", "e7e8", "e7-e8"])
def test_a_missing_promotion_piece_is_asked_for(text: str) -> None:
    position = parse_fen("7k/4P3/8/8/8/8/8/4K3 w - - 0 1")
    with pytest.raises(PromotionPieceMissingError, match="q, r, b or n") as caught:
        parse_move(position, text)
    assert (caught.value.origin, caught.value.target) == (52, 60)


def test_two_pawns_that_could_promote_are_ambiguous() -> None:
    with pytest.raises(AmbiguousMoveError):
        parse_move(parse_fen("3r3k/2P1P3/8/8/8/8/8/4K3 w - - 0 1"), "Pxd8=Q")


def test_an_illegal_integer_has_no_san() -> None:
    with pytest.raises(IllegalMoveError):
        render_san(parse_fen(CASTLING), 0)


def test_a_bad_move_in_a_row_leaves_the_board_as_it_was() -> None:
    board = Board()
    before = board.fen()
    with pytest.raises(MoveTextError):
        board.play("e4", "e5", "Ke3")
    assert board.fen() == before
