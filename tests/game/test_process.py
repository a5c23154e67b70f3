"""One line of input: what each text leads to, and that nothing else changes."""

import pytest

from nowchess_uci import Status
from nowchess_uci.game.game import Game
from nowchess_uci.game.history import CastleSide, HistoryMove, PromotionPiece
from nowchess_uci.game.outcomes import (
    AmbiguousMove,
    AutomaticDraw,
    Checkmate,
    Claim,
    DrawClaimed,
    DrawRefused,
    IllegalMove,
    InvalidFormat,
    InvalidMove,
    MoveExecuted,
    NoPiece,
    Outcomes,
    PromotionRequired,
    QuitRequested,
    Reason,
    WrongColor,
)
from nowchess_uci.game.process import complete_promotion, process_move
from nowchess_uci.rules.fen import START_FEN

CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
PROMOTION = "3b3k/4P3/8/8/8/8/8/4K3 w - - 7 60"
BLACK_PROMOTION = "4k3/8/8/8/8/8/4p3/3B3K b - - 7 60"


def move_of(outcomes: Outcomes) -> MoveExecuted:
    """The move that comes first in what it led to."""
    executed = outcomes[0]
    assert isinstance(executed, MoveExecuted)
    assert all(outcome.game is executed.game for outcome in outcomes)
    return executed


def process(fen: str, text: str) -> Outcomes:
    return process_move(Game.from_fen(fen), text)


def play(fen: str, text: str) -> MoveExecuted:
    return move_of(process(fen, text))


def names(outcomes: Outcomes) -> list[str]:
    return [type(outcome).__name__ for outcome in outcomes]


def check_refusal(game: Game, text: str, reason: Reason) -> None:
    assert process_move(game, text) == (InvalidMove(game, reason),)


def rights(result: MoveExecuted) -> str:
    return result.game.board.fen().split()[2]


@pytest.mark.parametrize("text", ["quit", "q", " quit \n"])
def test_quit(text: str) -> None:
    game = Game.from_fen()
    assert process_move(game, text) == (QuitRequested(game),)


@pytest.mark.parametrize(
    "text", ["xyz", "", "e", "e2e9", "e3e4e5", "i2i4", "e2e4e5", "O-O-O-O", "é4", "e7e8k", "drawn", "12"]
)
def test_what_is_no_move_is_an_invalid_format(text: str) -> None:
    check_refusal(Game.from_fen(), text, InvalidFormat(text))


@pytest.mark.parametrize("text", ["e3e4", "e3-e4", "e3xe4", "e5e8q", "E3E4", "e3 e4"])
def test_a_move_from_an_empty_square(text: str) -> None:
    check_refusal(Game.from_fen(), text, NoPiece(text[:2].lower()))


def test_a_move_of_the_other_side() -> None:
    check_refusal(Game.from_fen(), "e7e5", WrongColor("e7"))
    check_refusal(Game.from_fen(CASTLING.replace(" w ", " b ")), "e1e2", WrongColor("e1"))


@pytest.mark.parametrize("text", ["e2e5", "Nf6", "nf6", "E2E5", "O-O", "e1e2", "exd3", "e8=Q"])
def test_an_illegal_move(text: str) -> None:
    check_refusal(Game.from_fen(), text, IllegalMove(text))


def test_an_ambiguous_move_is_told_from_an_illegal_one() -> None:
    game = Game.from_fen("4k3/8/8/8/8/8/4K3/R6R w - - 0 1")
    check_refusal(game, "Rd1", AmbiguousMove("Rd1", ("Rad1", "Rhd1")))


def test_a_legal_pawn_move() -> None:
    game = Game.from_fen()
    outcomes = process_move(game, "e2e4")
    assert names(outcomes) == ["MoveExecuted"]
    result = move_of(outcomes)
    assert (result.move, result.san) == (HistoryMove("e2", "e4"), "e4")
    assert result.game.board.piece_at("e4") == "P"
    assert result.game.board.piece_at("e2") is None
    assert result.captured is None
    assert result.game.board.turn == "black"
    assert result.game.history.moves == (HistoryMove("e2", "e4"),)
    assert game.board.fen() == START_FEN


def test_a_legal_capture_tells_the_piece() -> None:
    outcomes = process("4k3/8/3p4/4P3/8/8/8/4K3 w - - 3 9", "e5d6")
    assert names(outcomes) == ["MoveExecuted"]
    result = move_of(outcomes)
    assert result.san == "exd6"
    assert result.captured == "p"
    assert result.game.board.piece_at("d6") == "P"


def test_a_move_that_gives_check() -> None:
    outcomes = process("7k/8/8/8/8/2K5/8/R7 w - - 7 9", "a1a8")
    assert names(outcomes) == ["MoveExecuted", "CheckDetected"]
    result = move_of(outcomes)
    assert result.game.board.turn == "black"
    assert result.game.history.half_move_clock == 8


def test_checkmate_names_the_winner() -> None:
    white = process("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8")
    assert white[1:] == (Checkmate(move_of(white).game, "white"),)
    black = process("rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2", "Qh4")
    assert black[1:] == (Checkmate(move_of(black).game, "black"),)


def test_stalemate() -> None:
    assert names(process("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "f1f7")) == ["MoveExecuted", "Stalemate"]


@pytest.mark.parametrize(
    ("fen", "text", "reason"),
    [
        ("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "Kxe2", Status.DEAD_POSITION),
        ("4k2r/8/8/8/8/8/8/4K3 w - - 149 200", "Kd2", Status.SEVENTY_FIVE_MOVES),
    ],
)
def test_automatic_draws(fen: str, text: str, reason: Status) -> None:
    outcomes = process(fen, text)
    assert outcomes[1:] == (AutomaticDraw(move_of(outcomes).game, reason),)


def test_a_fivefold_repetition_ends_the_game() -> None:
    game = Game.from_fen()
    for text in ("Nf3", "Nf6", "Ng1", "Ng8") * 3 + ("Nf3", "Nf6", "Ng1"):
        outcomes = process_move(game, text)
        assert set(names(outcomes)) <= {"MoveExecuted", "ThreefoldAvailable"}
        game = move_of(outcomes).game
    last = process_move(game, "Ng8")
    assert last[1:] == (AutomaticDraw(move_of(last).game, Status.FIVEFOLD_REPETITION),)


# The half-move clock (FIDE 9.3).


@pytest.mark.parametrize(
    ("fen", "text", "clock"),
    [
        (START_FEN, "g1f3", 1),
        (START_FEN, "e2e4", 0),
        ("4k3/8/3p4/4P3/8/8/8/4K3 w - - 10 30", "e5d6", 0),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 5 9", "g1f3", 6),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 10 9", "e2e4", 0),
        ("7k/8/8/R2p4/8/8/8/7K w - - 15 30", "a5d5", 0),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 20 30", "e5d6", 0),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 10 30", "a1a5", 11),
        (CASTLING, "e1g1", 1),
        (PROMOTION, "e7e8q", 0),
    ],
)
def test_the_clock_after_a_move(fen: str, text: str, clock: int) -> None:
    result = play(fen, text)
    assert result.game.history.half_move_clock == clock
    assert int(result.game.board.fen().split()[4]) == clock


# Castling (FIDE 3.8.2).


def test_castling_moves_king_and_rook() -> None:
    short = play(CASTLING, "e1g1")
    assert [short.game.board.piece_at(square) for square in ("g1", "f1", "e1", "h1")] == ["K", "R", None, None]
    assert short.captured is None
    assert short.game.history.moves[-1].castle_side is CastleSide.KING
    long = play(CASTLING, "e1c1")
    assert [long.game.board.piece_at(square) for square in ("c1", "d1", "e1", "a1")] == ["K", "R", None, None]
    assert long.game.history.moves[-1].castle_side is CastleSide.QUEEN


@pytest.mark.parametrize(
    ("fen", "text", "left"),
    [
        (CASTLING, "e1g1", "kq"),
        (CASTLING, "e1e2", "kq"),
        (CASTLING, "h1h4", "Qkq"),
        (CASTLING, "a1a4", "Kkq"),
        (CASTLING, "h1h8", "Qq"),
        (CASTLING, "a1a8", "Kk"),
        (CASTLING.replace(" w ", " b "), "e8e7", "KQ"),
        (CASTLING.replace(" w ", " b "), "a8a5", "KQk"),
        (CASTLING.replace(" w ", " b "), "h8h5", "KQq"),
    ],
)
def test_moves_and_captures_of_king_and_rooks_end_castling_rights(fen: str, text: str, left: str) -> None:
    assert rights(play(fen, text)) == left


# Promotion (FIDE 3.7.3.3).


@pytest.mark.parametrize(
    ("fen", "text", "expected"),
    [
        (PROMOTION, "e7e8", ("e7", "e8", None)),
        (PROMOTION, "e7d8", ("e7", "d8", "b")),
        (PROMOTION, "e8", ("e7", "e8", None)),
        (PROMOTION, "exd8", ("e7", "d8", "b")),
        (BLACK_PROMOTION, "e2e1", ("e2", "e1", None)),
        (BLACK_PROMOTION, "e2d1", ("e2", "d1", "B")),
    ],
)
def test_a_pawn_move_to_the_last_rank_requires_a_piece(
    fen: str, text: str, expected: tuple[str, str, str | None]
) -> None:
    game = Game.from_fen(fen)
    assert process_move(game, text) == (PromotionRequired(game, *expected),)
    assert game.board.fen() == fen


@pytest.mark.parametrize("text", ["e2e4", "g1f3"])
def test_other_moves_require_no_piece(text: str) -> None:
    assert names(process_move(Game.from_fen(), text)) == ["MoveExecuted"]


@pytest.mark.parametrize(
    ("piece", "letter"),
    [
        (PromotionPiece.QUEEN, "Q"),
        (PromotionPiece.ROOK, "R"),
        (PromotionPiece.BISHOP, "B"),
        (PromotionPiece.KNIGHT, "N"),
    ],
)
def test_each_piece_can_be_chosen_by_white(piece: PromotionPiece, letter: str) -> None:
    for target, captured in (("e8", None), ("d8", "b")):
        result = move_of(complete_promotion(Game.from_fen(PROMOTION), "e7", target, piece))
        assert result.game.board.piece_at(target) == letter
        assert result.game.board.piece_at("e7") is None
        assert result.captured == captured
        assert result.game.history.moves == (HistoryMove("e7", target, None, piece),)
        assert result.game.history.half_move_clock == 0
        assert result.game.board.turn == "black"


@pytest.mark.parametrize("piece", list(PromotionPiece))
def test_each_piece_can_be_chosen_by_black(piece: PromotionPiece) -> None:
    result = move_of(complete_promotion(Game.from_fen(BLACK_PROMOTION), "e2", "d1", piece))
    assert result.game.board.piece_at("d1") == piece.value
    assert result.captured == "B"


@pytest.mark.parametrize("text", ["e7e8n", "e8=N", "e8N", "e7e8=N", "e7-e8=n"])
def test_a_text_that_carries_its_piece_needs_no_second_step(text: str) -> None:
    assert play(PROMOTION, text).game.board.piece_at("e8") == "N"


def test_check_mate_and_stalemate_are_seen_after_the_promotion() -> None:
    queen = complete_promotion(Game.from_fen("7k/4P3/8/8/8/8/8/4K3 w - - 0 1"), "e7", "e8", PromotionPiece.QUEEN)
    assert names(queen) == ["MoveExecuted", "CheckDetected"]
    knight = complete_promotion(Game.from_fen("7k/P7/8/8/8/8/1p6/4K3 w - - 0 1"), "a7", "a8", PromotionPiece.KNIGHT)
    assert names(knight) == ["MoveExecuted"]
    mate = complete_promotion(Game.from_fen("7k/4P1pp/8/8/8/8/8/4K3 w - - 0 1"), "e7", "e8", PromotionPiece.ROOK)
    assert names(mate) == ["MoveExecuted", "Checkmate"]
    stale = complete_promotion(Game.from_fen("8/5P1k/8/6K1/8/8/8/8 w - - 0 1"), "f7", "f8", PromotionPiece.QUEEN)
    assert names(stale) == ["MoveExecuted", "Stalemate"]


def test_a_promotion_that_is_not_legal_is_refused() -> None:
    blocked = Game.from_fen("4r2k/4P3/8/8/8/8/8/4K3 w - - 0 1")
    check_refusal(blocked, "e7e8", IllegalMove("e7e8"))
    check_refusal(blocked, "e7d8", IllegalMove("e7d8"))
    queen = complete_promotion(blocked, "e7", "e8", PromotionPiece.QUEEN)
    assert queen == (InvalidMove(blocked, IllegalMove("e7e8q")),)
    start = Game.from_fen()
    queen = complete_promotion(start, "e2", "e4", PromotionPiece.QUEEN)
    assert queen == (InvalidMove(start, IllegalMove("e2e4q")),)


# Claims (FIDE 9.2, 9.3).


def ending(clock: int) -> Game:
    return Game.from_fen(f"4k2r/8/8/8/8/8/P7/4K3 w - - {clock} 120")


@pytest.mark.parametrize("clock", [100, 101, 149])
def test_a_draw_can_be_claimed_from_a_hundred_half_moves_on(clock: int) -> None:
    game = ending(clock)
    assert process_move(game, "draw") == (DrawClaimed(game, Claim.FIFTY_MOVES),)


@pytest.mark.parametrize("clock", [0, 49, 50, 99])
def test_below_a_hundred_half_moves_a_draw_is_refused(clock: int) -> None:
    check_refusal(ending(clock), "draw", DrawRefused("draw"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("draw Kd2", Claim.FIFTY_MOVES),
        ("draw  e1d2", Claim.FIFTY_MOVES),
        ("DRAW Kd2", Claim.FIFTY_MOVES),
        ("Draw kd2", Claim.FIFTY_MOVES),
        ("draw a2a3", DrawRefused("draw a2a3")),
        ("draw Ke3", IllegalMove("Ke3")),
        ("draw e3e4", NoPiece("e3")),
        ("draw e8e7", WrongColor("e8")),
        ("draw nonsense", InvalidFormat("nonsense")),
    ],
)
def test_a_claim_with_an_intended_move(text: str, expected: Claim | Reason) -> None:
    game = ending(99)
    claimed = DrawClaimed(game, expected) if isinstance(expected, Claim) else InvalidMove(game, expected)
    assert process_move(game, text) == (claimed,)


def test_a_claim_that_only_its_move_makes_wrong_is_told_as_such() -> None:
    check_refusal(ending(120), "draw a3", DrawRefused("draw a3", stands_without_move=True))
    promotion = Game.from_fen(PROMOTION.replace(" 7 ", " 100 "))
    check_refusal(promotion, "draw e8", DrawRefused("draw e8", stands_without_move=True))


def test_an_intended_promotion_opens_no_claim() -> None:
    check_refusal(Game.from_fen(PROMOTION), "draw e7e8", DrawRefused("draw e7e8"))


def test_a_threefold_repetition_can_be_claimed_now_or_with_the_intended_move() -> None:
    game = Game.from_fen()
    for text in ("Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1"):
        game = game.after(text)
    check_refusal(game, "draw", DrawRefused("draw"))
    assert process_move(game, "draw Ng8") == (DrawClaimed(game, Claim.THREEFOLD),)
    repeated = game.after("Ng8")
    assert process_move(repeated, "draw") == (DrawClaimed(repeated, Claim.THREEFOLD),)
