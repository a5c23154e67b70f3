"""A game as a value: from a FEN and back, forward and backward, en passant and castling."""

import pytest
from games import played

from nowchess_uci import FenError, Status
from nowchess_uci.game.game import Game
from nowchess_uci.game.history import CastleSide, GameHistory, HistoryMove, PromotionPiece
from nowchess_uci.rules import movegen
from nowchess_uci.rules.fen import START_FEN


@pytest.mark.parametrize(
    "fen",
    [
        "4k2r/8/8/8/8/8/8/4K3 w - - 42 90",
        "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 3 17",
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 12",
        "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 12",
    ],
)
def test_clock_side_castling_rights_and_en_passant_square_survive_a_fen(fen: str) -> None:
    game = Game.from_fen(fen)
    assert game.board.fen() == fen
    assert game.history == GameHistory(half_move_clock=int(fen.split()[4]))
    assert Game.from_fen(game.board.fen()).history.half_move_clock == game.history.half_move_clock


def test_a_bad_fen_raises_an_error_that_names_the_field() -> None:
    with pytest.raises(FenError, match="side to move"):
        Game.from_fen("4k3/8/8/8/8/8/8/4K3 x - - 0 1")


def test_playing_and_taking_back_leave_the_game_they_start_from_as_it_was() -> None:
    start = Game.from_fen()
    after = start.after(start.board.parse_move("e4"))
    assert start.board.fen() == START_FEN
    assert start.history.moves == ()
    back = after.before()
    assert back.board.fen() == START_FEN
    assert back.history == start.history
    assert after.board.piece_at("e4") == "P"
    with pytest.raises(IndexError):
        start.before()
    with pytest.raises(ValueError, match="not legal"):
        after.after(after.board.last_move)


def test_several_moves_at_once_are_all_played_or_none() -> None:
    start = Game.from_fen()
    after = start.after("e4", "e7e5", start.after("e4", "e5").board.parse_move("Nf3"))
    assert after.history == played("e4", "e5", "Nf3").history
    assert after.moves() == played("e4", "e5", "Nf3").moves()
    assert start.after().board.fen() == START_FEN
    with pytest.raises(ValueError, match="'e5' is not a legal move"):
        start.after("e4", "c5", "e5", "e5")
    assert start.history == GameHistory.empty


def test_the_board_handed_out_is_a_copy() -> None:
    game = Game.from_fen()
    game.board.play("e4")
    assert game.board.fen() == START_FEN


def test_the_position_handed_out_is_a_copy() -> None:
    game = Game.from_fen()
    position = game.board.position
    movegen.play(position, game.board.parse_move("e4"))
    assert game.board.fen() == START_FEN


def test_the_clock_of_the_history_comes_back_with_a_move_taken_back() -> None:
    game = played("Nf3", "Nf6", "e4")
    assert game.history.half_move_clock == 0
    assert game.before().history.half_move_clock == 2


def test_moves_are_listed_oldest_first() -> None:
    game = played("e4", "e5", "Nf3")
    start = Game.from_fen()
    first = start.board.parse_move("e4")
    assert game.moves()[0] == first
    assert game.moves()[2] == game.board.last_move
    assert len(game.moves()) == 3
    assert start.moves() == []


def test_castling_is_recorded_with_its_side() -> None:
    fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    game = played("O-O", "O-O-O", fen=fen)
    assert game.history.moves == (
        HistoryMove("e1", "g1", CastleSide.KING),
        HistoryMove("e8", "c8", CastleSide.QUEEN),
    )
    assert game.history.half_move_clock == 2
    assert [game.board.piece_at(square) for square in ("g1", "f1", "e1", "h1")] == ["K", "R", None, None]
    assert [game.board.piece_at(square) for square in ("c8", "d8", "e8", "a8")] == ["k", "r", None, None]


def test_castling_in_chess960_is_recorded_by_where_the_king_ends() -> None:
    game = played("O-O", fen="4k3/8/8/8/8/8/8/5KR1 w G - 0 1", chess960=True)
    assert game.board.chess960
    assert game.history.moves == (HistoryMove("f1", "g1", CastleSide.KING),)
    assert game.history.half_move_clock == 1


def test_a_promotion_is_recorded_with_its_piece() -> None:
    game = played("e8=R+", fen="7k/4P3/8/8/8/8/8/4K3 w - - 5 60")
    assert game.history == GameHistory((HistoryMove("e7", "e8", None, PromotionPiece.ROOK),), 0)
    assert game.board.is_check


def test_status_and_claims_are_those_of_the_rules() -> None:
    assert Game.from_fen().board.status() is Status.ONGOING
    game = Game.from_fen("4k2r/8/8/8/8/8/8/4K3 w - - 99 90")
    assert not game.board.can_claim_fifty_moves()
    assert game.board.can_claim_fifty_moves(game.board.parse_move("Kd2"))
    assert not game.board.can_claim_threefold()


# En passant (FIDE 3.7.3.1).


def test_there_is_no_en_passant_square_without_a_double_push() -> None:
    fen = "4k3/3p1p2/8/4P3/8/8/8/4K1N1 b - - 0 1"
    assert Game.from_fen().board.en_passant_square is None
    assert played("Ke7", fen=fen).board.en_passant_square is None
    assert played("d6", fen=fen).board.en_passant_square is None


def test_a_double_push_beside_a_pawn_leaves_an_en_passant_square_for_both_colours() -> None:
    assert played("d5", fen="4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1").board.en_passant_square == "d6"
    assert played("e4", fen="4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1").board.en_passant_square == "e3"


def test_the_en_passant_square_is_gone_after_another_move() -> None:
    game = played("d5", "Ke2", "Ke7", fen="4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1")
    assert game.board.en_passant_square is None
    with pytest.raises(ValueError, match="not a legal move"):
        game.board.parse_move("e5d6")


def test_the_pawn_captured_en_passant_leaves_the_board() -> None:
    game = played("e4", "a6", "e5", "d5")
    move = game.board.parse_move("exd6")
    assert game.board.captured_by(move) == "p"
    after = game.after(move)
    assert [after.board.piece_at(square) for square in ("d5", "e5", "d6")] == [None, None, "P"]
    assert after.history.half_move_clock == 0


def test_the_white_pawn_captured_en_passant_leaves_the_board() -> None:
    game = played("a3", "d5", "a4", "d4", "e4")
    move = game.board.parse_move("dxe3")
    assert game.board.captured_by(move) == "P"
    after = game.after(move)
    assert [after.board.piece_at(square) for square in ("e4", "d4", "e3")] == [None, None, "p"]


def test_en_passant_that_exposes_the_king_is_illegal() -> None:
    game = played("d5", fen="4k3/3p4/8/K3P2r/8/8/8/8 b - - 0 1")
    assert game.board.en_passant_square is None
    with pytest.raises(ValueError, match="not a legal move"):
        game.board.parse_move("exd6")


def test_another_piece_on_the_en_passant_square_captures_nothing() -> None:
    game = Game.from_fen("4k3/8/8/3pP3/4N3/8/8/4K3 w - d6 0 1")
    move = game.board.parse_move("Nd6")
    assert game.board.captured_by(move) is None
    assert game.after(move).board.piece_at("d5") == "p"


def test_a_normal_capture_is_not_en_passant() -> None:
    game = played("e4", "d5")
    move = game.board.parse_move("exd5")
    assert game.board.captured_by(move) == "p"
    assert game.after(move).board.piece_at("d5") == "P"
    assert game.board.captured_by(game.board.parse_move("e5")) is None
