"""Moves as people type them: understood where only one can be meant, asked about where several can."""

import random

import oracle
import pytest

from nowchess_uci.game.reading import choices, read_move
from nowchess_uci.rules.board import Board
from nowchess_uci.rules.fen import START_FEN
from nowchess_uci.rules.notation import (
    AmbiguousMoveError,
    IllegalMoveError,
    MoveFormatError,
    MoveTextError,
    PromotionPieceMissingError,
)

CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
PROMOTION = "3b3k/4P3/8/8/8/8/8/4K3 w - - 7 60"
BISHOP_AND_PAWN = "4k3/8/8/8/3B4/2n5/1P6/4K3 w - - 0 1"  # bxc3 and Bxc3
BISHOP_ONLY = "4k3/8/8/8/3B4/2n5/8/4K3 w - - 0 1"
DOUBLED = "4k3/8/8/8/8/B7/1P6/4K3 w - - 0 1"  # b4 and Bb4
KNIGHTS = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1"  # two of them can go to d2


def san_of(fen: str, text: str) -> str:
    board = Board(fen)
    return board.san(read_move(board, text))


@pytest.mark.parametrize(
    ("fen", "text", "san"),
    [
        *((START_FEN, text, "Nf3") for text in ("nf3", "NF3", "n f3", "N-f3", "ng1f3", "NG1-F3", "1. Nf3", "Nf3!?")),
        *((START_FEN, text, "Nf3") for text in ("Nf3.", "nf3!", "(Nf3)", "1.nf3", "'Nf3'")),
        *(
            (START_FEN, text, "e4")
            for text in ("E2E4", "e2 e4", "e2-e4", "E2 - E4", "e2\u2013e4", "E4", "pe4", "1 . e4")
        ),
        *(
            (CASTLING, text, "O-O")
            for text in ("o-o", "0-0", "O-O", "oo", "00", "o o", "0-o+", "e1g1", "E1 G1", "e1h1")
        ),
        *((CASTLING, text, "O-O-O") for text in ("o-o-o", "0-0-0", "ooo", "O O O", "e1c1", "O-O-O!")),
        *((PROMOTION, text, "exd8=N") for text in ("exd8=n", "EXD8N", "e7 x d8 = n", "e7d8n", "exd8(n)")),
        *((BISHOP_AND_PAWN, text, "bxc3") for text in ("bc3", "bxc3", "b:c3", "b2c3")),
        *((BISHOP_AND_PAWN, text, "Bxc3") for text in ("Bc3", "Bxc3", "d4c3", "D4C3")),
        *((BISHOP_ONLY, text, "Bxc3") for text in ("bc3", "BC3", "bxc3", "bd4c3")),
        *((KNIGHTS, text, "Nbd2") for text in ("nbd2", "N1d2", "nb1d2", "NBXD2")),
    ],
)
def test_what_can_mean_one_move_only_is_that_move(fen: str, text: str, san: str) -> None:
    assert san_of(fen, text) == san


@pytest.mark.parametrize(
    ("fen", "text", "expected"),
    [
        (KNIGHTS, "nd2", ("Nbd2", "Nfd2")),
        (KNIGHTS, "Nd2", ("Nbd2", "Nfd2")),
        (BISHOP_AND_PAWN, "BC3", ("bxc3", "Bxc3")),
        (BISHOP_AND_PAWN, "bxC3", ("bxc3", "Bxc3")),
        (DOUBLED, "bb4", ("b4", "Bb4")),
    ],
)
def test_what_can_mean_several_moves_is_none_of_them(fen: str, text: str, expected: tuple[str, ...]) -> None:
    board = Board(fen)
    with pytest.raises(AmbiguousMoveError):
        read_move(board, text)
    assert choices(board, text) == expected


@pytest.mark.parametrize(
    ("fen", "text", "error"),
    [
        (START_FEN, "nd2", IllegalMoveError),
        (START_FEN, "E2E5", IllegalMoveError),
        (START_FEN, "O-O", IllegalMoveError),
        (START_FEN, "oo", IllegalMoveError),
        ("4k3/8/8/8/8/8/5B2/4K3 w - - 0 1", "b2d4", IllegalMoveError),  # coordinates, not the bishop of rank 2
        (PROMOTION, "E8", PromotionPieceMissingError),
        (PROMOTION, "EXD8", PromotionPieceMissingError),
        *(
            (START_FEN, text, MoveFormatError)
            for text in ("", " ", "?", "-", "x", "e4/e5", "e4,e5", "Nf3 Nf6", "é4", "1.")
        ),
        *((START_FEN, text, MoveFormatError) for text in ("e" * 41, "e2e4" + "!" * 40, "\0e4", "e4\u00e9", "\u0664e4")),
    ],
)
def test_what_means_no_move_is_refused_for_the_right_reason(fen: str, text: str, error: type[MoveTextError]) -> None:
    with pytest.raises(error):
        read_move(Board(fen), text)


def test_san_and_coordinates_of_random_games_are_understood_in_any_letter_case() -> None:
    """In lower case only a bishop's move that a pawn of the b-file could make as well may be taken for another one."""
    source = random.Random(5)
    for _ in range(8):
        for twins in oracle.walk(source, 40):
            board = Board(twins.board.fen(), chess960=twins.chess960)
            for uci in board.legal_moves():
                san, move = board.san(uci), board.parse_move(uci)
                assert read_move(board, san) == read_move(board, uci) == move
                assert read_move(board, uci.upper()) == move
                try:
                    assert read_move(board, san.lower()) == move or san[0] == "B"
                except AmbiguousMoveError:
                    assert san[0] in "Bb"
                    assert san in choices(board, san.lower())
