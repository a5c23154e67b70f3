"""The names that Python modules share with the compiled ones."""

from nowchess_uci.rules import constants
from nowchess_uci.rules.constants import (
    BISHOP,
    BLACK,
    EMPTY,
    KING,
    KNIGHT,
    NO_SQUARE,
    PAWN,
    QUEEN,
    ROOK,
    WHITE,
    file_of,
    piece_of,
    rank_of,
    type_of,
)
from nowchess_uci.rules.fen import COLOR_NAMES, PIECE_LETTERS
from nowchess_uci.rules.move import parse_square
from nowchess_uci.rules.position import Position


def test_every_listed_name_is_there() -> None:
    assert all(hasattr(constants, name) for name in constants.__all__)


def test_a_piece_is_its_type_and_its_colour() -> None:
    types = (PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING)
    pieces = [piece_of(piece_type, color) for piece_type in types for color in (WHITE, BLACK)]
    assert "".join(PIECE_LETTERS[piece] for piece in pieces) == "PpNnBbRrQqKk"
    assert [type_of(piece) for piece in pieces[::2]] == list(types)
    assert (COLOR_NAMES[WHITE], COLOR_NAMES[BLACK]) == ("white", "black")


def test_the_names_are_what_a_position_answers_with() -> None:
    position = Position()
    assert position.piece_at(parse_square("e1")) == piece_of(KING, WHITE)
    assert position.piece_at(parse_square("d8")) == piece_of(QUEEN, BLACK)
    assert position.piece_at(parse_square("e4")) == EMPTY
    assert position.en_passant == NO_SQUARE
    assert position.side == WHITE


def test_files_and_ranks_count_from_a1() -> None:
    assert [(file_of(square), rank_of(square)) for square in map(parse_square, ("a1", "h1", "c7"))] == [
        (0, 0),
        (7, 0),
        (2, 6),
    ]
