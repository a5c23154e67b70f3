"""The words of the rules: en passant, promotion, castling, and the text of a move."""

import pytest

from nowchess_uci.rules import movegen
from nowchess_uci.rules.constants import BLACK, KNIGHT, NO_SQUARE, WHITE
from nowchess_uci.rules.fen import parse_fen
from nowchess_uci.rules.move import (
    CASTLING,
    EN_PASSANT,
    NORMAL,
    PROMOTION,
    captured_pawn_square,
    castled_king_square,
    castled_rook_square,
    en_passant_target,
    is_castling,
    is_en_passant,
    is_promotion,
    kind_of,
    origin_of,
    parse_square,
    promotion_of,
    render_move,
    square_name,
    target_of,
)
from nowchess_uci.rules.notation import parse_move


def squares(*names: str) -> list[int]:
    return [parse_square(name) for name in names]


@pytest.mark.parametrize(("origin", "target", "skipped"), [("e2", "e4", "e3"), ("e7", "e5", "e6"), ("a2", "a4", "a3")])
def test_a_double_push_leaves_a_target_behind_it(origin: str, target: str, skipped: str) -> None:
    assert en_passant_target(*squares(origin, target)) == parse_square(skipped)


@pytest.mark.parametrize(("origin", "target"), [("e2", "e3"), ("e7", "e6"), ("d4", "e5")])
def test_any_other_pawn_move_leaves_none(origin: str, target: str) -> None:
    assert en_passant_target(*squares(origin, target)) == NO_SQUARE


def test_the_captured_pawn_stands_behind_the_target() -> None:
    assert captured_pawn_square(parse_square("d6"), WHITE) == parse_square("d5")
    assert captured_pawn_square(parse_square("d3"), BLACK) == parse_square("d4")


def test_en_passant_is_told_from_other_captures() -> None:
    position = parse_fen("4k3/8/5p2/3pP3/8/8/8/4K3 w - d6 0 1")
    assert is_en_passant(parse_move(position, "e5d6"))
    assert not is_en_passant(parse_move(position, "e5f6"))
    assert not is_en_passant(parse_move(position, "e5e6"))


def test_promotion_is_told_for_both_colours_and_by_capture() -> None:
    white = parse_fen("3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1")
    assert is_promotion(parse_move(white, "e7e8q"))
    assert is_promotion(parse_move(white, "e7d8n"))
    assert not is_promotion(parse_move(white, "e1e2"))
    black = parse_fen("7k/8/8/8/8/8/4p3/6K1 b - - 0 1")
    assert is_promotion(parse_move(black, "e2e1r"))


def test_castling_knows_where_king_and_rook_end() -> None:
    position = parse_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    short, long = parse_move(position, "O-O"), parse_move(position, "O-O-O")
    assert is_castling(short)
    assert is_castling(long)
    assert (castled_king_square(short), castled_rook_square(short)) == tuple(squares("g1", "f1"))
    assert (castled_king_square(long), castled_rook_square(long)) == tuple(squares("c1", "d1"))
    assert not is_castling(parse_move(position, "e1e2"))


def test_castling_is_written_both_ways() -> None:
    position = parse_fen("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1")
    move = parse_move(position, "O-O-O")
    assert render_move(move) == "e8c8"
    assert render_move(move, True) == "e8a8"


def test_squares_have_names() -> None:
    assert [square_name(square) for square in (0, 7, 28, 56, 63)] == ["a1", "h1", "e4", "a8", "h8"]
    assert [parse_square(square_name(square)) for square in range(64)] == list(range(64))


@pytest.mark.parametrize("name", ["", "e", "e9", "i1", "e44", "E4", "4e"])
def test_what_is_no_square_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="is not a square"):
        parse_square(name)


@pytest.mark.parametrize("square", [-1, 64])
def test_a_square_number_outside_the_board_is_refused(square: int) -> None:
    with pytest.raises(ValueError, match="no square"):
        square_name(square)


def test_no_move_is_written_as_zeros() -> None:
    assert render_move(0) == "0000"


def test_all_four_promotions_have_their_letter() -> None:
    position = parse_fen("7k/4P3/8/8/8/8/8/4K3 w - - 0 1")
    texts = {render_move(move) for move in movegen.legal_moves(position) if is_promotion(move)}
    assert texts == {"e7e8q", "e7e8r", "e7e8b", "e7e8n"}


@pytest.mark.parametrize(
    ("fen", "text", "target", "kind"),
    [
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4", "e4", NORMAL),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "d6", EN_PASSANT),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8n", "a8", PROMOTION),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "h1", CASTLING),
    ],
)
def test_the_parts_of_a_move_are_told_to_python(fen: str, text: str, target: str, kind: int) -> None:
    move = parse_move(parse_fen(fen), text)
    assert square_name(origin_of(move)) == text[:2]
    assert square_name(target_of(move)) == target
    assert kind_of(move) == kind
    if kind == PROMOTION:
        assert promotion_of(move) == KNIGHT
