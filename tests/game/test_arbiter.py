"""The stateful shell: events in order, undo and redo, claims, pending promotions, observers that fail."""

import logging

import pytest

from nowchess_uci import FenError, Status
from nowchess_uci.game import outcomes
from nowchess_uci.game.arbiter import GameEngine
from nowchess_uci.game.history import GameHistory, HistoryMove, PromotionPiece
from nowchess_uci.game.outcomes import (
    AmbiguousMove,
    Claim,
    DrawRefused,
    GameEvent,
    IllegalMove,
    InvalidFormat,
    InvalidPiece,
    Missing,
    NoPiece,
    Reason,
    WrongColor,
)
from nowchess_uci.rules.fen import START_FEN

PROMOTION = "3b3k/4P3/8/8/8/8/P7/4K3 w - - 7 60"
BACK_AND_FORTH = ("Nf3", "Nf6", "Ng1", "Ng8")


def watched(fen: str = START_FEN, *inputs: str) -> tuple[GameEngine, list[GameEvent]]:
    """An engine that has taken some inputs, and the events since then."""
    engine = GameEngine(fen)
    seen: list[GameEvent] = []
    for text in inputs:
        engine.process_user_input(text)
    engine.subscribe(seen.append)
    return engine, seen


def ending(clock: int) -> str:
    return f"4k2r/8/8/8/8/8/P7/R3K3 w - - {clock} 120"


def names(seen: list[GameEvent]) -> list[str]:
    return [type(event).__name__ for event in seen]


# Moves and messages.


def test_a_move_is_told_with_its_text_and_the_game_after_it() -> None:
    engine, seen = watched()
    engine.process_user_input("e2e4")
    event = seen[0]
    assert isinstance(event, outcomes.MoveExecuted)
    assert (event.move, event.san, event.captured) == (HistoryMove("e2", "e4"), "e4", None)
    assert event.game is engine.game
    assert engine.turn == "black"
    assert engine.history == GameHistory((HistoryMove("e2", "e4"),), 0)
    assert names(seen) == ["MoveExecuted"]


def test_coordinates_and_san_are_both_understood() -> None:
    engine, seen = watched()
    for text in ("e2e4", "d5", "exd5", "d8d5"):
        engine.process_user_input(f" {text}\n")
    assert [event.captured for event in seen if isinstance(event, outcomes.MoveExecuted)] == [None, None, "p", "P"]
    assert engine.fen() == "rnb1kbnr/ppp1pppp/8/3q4/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3"


def test_check_is_told_after_the_move() -> None:
    engine, seen = watched("7k/8/8/8/8/2K5/8/R7 w - - 7 9")
    engine.process_user_input("a1a8")
    assert names(seen) == ["MoveExecuted", "CheckDetected"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("xyz", InvalidFormat("xyz")),
        ("e3e4", NoPiece("e3")),
        ("e7e5", WrongColor("e7")),
        ("e2e5", IllegalMove("e2e5")),
        ("draw", DrawRefused("draw")),
        ("draw e4", DrawRefused("draw e4")),
        ("draw e5", IllegalMove("e5")),
        ("undo", Missing.UNDO),
        ("redo", Missing.REDO),
        ("\x1b[2J", InvalidFormat("\x1b[2J")),
    ],
)
def test_an_input_that_changes_nothing_gets_a_reason(text: str, reason: Reason) -> None:
    engine, seen = watched()
    engine.process_user_input(text)
    assert seen == [outcomes.InvalidMove(engine.game, reason)]
    assert engine.fen() == START_FEN


def test_an_ambiguous_move_is_told_as_such() -> None:
    engine, seen = watched("4k3/8/8/8/8/8/4K3/R6R w - - 0 1")
    engine.process_user_input("Rd1")
    assert seen == [outcomes.InvalidMove(engine.game, AmbiguousMove("Rd1", ("Rad1", "Rhd1")))]


@pytest.mark.parametrize("text", ["quit", "q"])
def test_quit_is_told_and_changes_nothing(text: str) -> None:
    engine, seen = watched(START_FEN, "e4")
    engine.process_user_input(text)
    assert seen == [outcomes.QuitRequested(engine.game)]
    assert len(engine.history.moves) == 1


# Ends.


@pytest.mark.parametrize(
    ("fen", "move", "ending"),
    [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "Ra8", "Checkmate"),
        ("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "Qf7", "Stalemate"),
        ("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "Kxe2", "AutomaticDraw"),
        ("4k2r/8/8/8/8/8/8/4K3 w - - 149 200", "Kd2", "AutomaticDraw"),
    ],
)
def test_the_end_of_a_game_is_told_after_its_move_and_the_next_game_stands_ready(
    fen: str, move: str, ending: str
) -> None:
    engine, seen = watched(fen)
    engine.process_user_input(move)
    assert names(seen) == ["MoveExecuted", ending]
    assert len(seen[1].game.history.moves) == 1
    assert engine.fen() == START_FEN
    assert engine.history == GameHistory()
    assert not engine.can_undo
    assert not engine.can_redo


def test_checkmate_names_the_winner_and_an_automatic_draw_its_reason() -> None:
    engine, seen = watched(START_FEN, "f3", "e5", "g4")
    engine.process_user_input("Qh4")
    assert isinstance(seen[1], outcomes.Checkmate)
    assert seen[1].winner == "black"
    engine, seen = watched("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1")
    engine.process_user_input("Kxe2")
    assert isinstance(seen[1], outcomes.AutomaticDraw)
    assert seen[1].reason is Status.DEAD_POSITION


# Claims.


def test_a_draw_is_refused_below_a_hundred_half_moves() -> None:
    engine, seen = watched(ending(99))
    engine.process_user_input("draw")
    assert names(seen) == ["InvalidMove"]
    assert engine.history.half_move_clock == 99


@pytest.mark.parametrize("clock", [100, 120])
def test_a_draw_claimed_from_a_hundred_half_moves_on_ends_the_game(clock: int) -> None:
    engine, seen = watched(ending(clock))
    before = engine.game
    engine.process_user_input("draw")
    assert seen == [outcomes.DrawClaimed(before, Claim.FIFTY_MOVES)]


def test_after_a_claim_everything_is_as_at_the_start() -> None:
    engine, _ = watched(ending(99), "Kd2", "Kd8", "undo")
    assert engine.can_redo
    engine.process_user_input("draw")
    assert engine.fen() == START_FEN
    assert engine.history == GameHistory()
    assert engine.turn == "white"
    assert not engine.can_undo
    assert not engine.can_redo


def test_the_claim_becomes_available_with_the_move_that_makes_the_clock_100() -> None:
    engine, seen = watched(ending(99))
    engine.process_user_input("Kd2")
    assert names(seen) == ["MoveExecuted", "FiftyMoveRuleAvailable"]
    assert seen[1].game is engine.game


def test_the_claim_is_also_told_after_a_check() -> None:
    engine, seen = watched(ending(99))
    engine.process_user_input("Ra1b1")
    engine.process_user_input("Kd8")
    engine.process_user_input("Rb8")
    assert names(seen)[-3:] == ["MoveExecuted", "CheckDetected", "FiftyMoveRuleAvailable"]


@pytest.mark.parametrize(("clock", "move"), [(5, "Kd2"), (98, "Kd2"), (120, "a3")])
def test_the_claim_is_not_told_when_the_clock_is_below_100_after_the_move(clock: int, move: str) -> None:
    engine, seen = watched(ending(clock))
    engine.process_user_input(move)
    assert names(seen) == ["MoveExecuted"]


def test_a_claim_with_an_intended_move() -> None:
    engine, seen = watched(ending(99))
    before = engine.game
    engine.process_user_input("draw a3")
    assert names(seen) == ["InvalidMove"]
    engine.process_user_input("draw Kd2")
    assert seen[1] == outcomes.DrawClaimed(before, Claim.FIFTY_MOVES)


def test_a_threefold_repetition_is_told_and_can_be_claimed() -> None:
    engine, seen = watched(START_FEN, *BACK_AND_FORTH, *BACK_AND_FORTH[:3])
    engine.process_user_input("Ng8")
    assert names(seen) == ["MoveExecuted", "ThreefoldAvailable"]
    ended = engine.game
    engine.process_user_input("draw")
    assert seen[2] == outcomes.DrawClaimed(ended, Claim.THREEFOLD)
    assert engine.history == GameHistory()


def test_the_side_to_move_can_resign_and_the_other_one_wins() -> None:
    engine, seen = watched(START_FEN, "e4", "e5", "undo")
    before = engine.game
    engine.resign()
    assert seen == [outcomes.Resigned(before, "white")]
    assert (engine.fen(), engine.can_undo, engine.can_redo) == (START_FEN, False, False)


def test_a_draw_can_be_agreed() -> None:
    engine, seen = watched(START_FEN, "e4")
    before = engine.game
    engine.agree_draw()
    assert seen == [outcomes.DrawAgreed(before)]
    assert engine.fen() == START_FEN


def test_a_game_that_has_ended_can_be_resumed_and_its_last_move_taken_back() -> None:
    engine, seen = watched(START_FEN, "f3", "e5", "g4", "Qh4")
    engine.process_user_input("f3")
    ended = GameEngine()
    for text in ("f3", "e5", "g4"):
        ended.process_user_input(text)
    mated = ended.game.after("Qh4")
    seen.clear()
    engine.resume(mated)
    engine.undo()
    assert seen == [outcomes.BoardReset(mated), outcomes.BoardReset(engine.game)]
    assert engine.fen() == ended.fen()
    engine.redo()
    assert names(seen)[-2:] == ["MoveExecuted", "Checkmate"]


# Undo and redo.


def test_undo_and_redo_walk_through_the_game() -> None:
    engine, seen = watched(START_FEN, "e4", "e5")
    after = engine.fen()
    engine.process_user_input("undo")
    engine.process_user_input("undo")
    assert engine.fen() == START_FEN
    assert not engine.can_undo
    engine.process_user_input("redo")
    engine.process_user_input("redo")
    assert engine.fen() == after
    assert not engine.can_redo
    assert names(seen) == ["BoardReset", "BoardReset", "MoveExecuted", "MoveExecuted"]
    assert seen[0].game.board.fen() == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"


def test_undo_brings_the_clock_back_and_redo_tells_the_claim_again() -> None:
    engine, seen = watched(ending(99), "Kd2")
    engine.process_user_input("undo")
    assert engine.history.half_move_clock == 99
    engine.process_user_input("redo")
    assert engine.history.half_move_clock == 100
    assert names(seen) == ["BoardReset", "MoveExecuted", "FiftyMoveRuleAvailable"]


def test_another_move_ends_what_could_be_redone() -> None:
    engine, seen = watched(START_FEN, "e4", "undo", "d4")
    engine.process_user_input("redo")
    assert names(seen) == ["InvalidMove"]


def test_a_wrong_input_does_not_end_what_could_be_redone() -> None:
    engine, _ = watched(START_FEN, "e4", "undo", "xyz")
    assert engine.can_redo


def test_a_reset_begins_anew_or_changes_nothing() -> None:
    engine, seen = watched(START_FEN, "e4", "e5", "undo")
    with pytest.raises(FenError):
        engine.reset("nonsense")
    assert engine.can_redo
    engine.reset(PROMOTION)
    assert seen == [outcomes.BoardReset(engine.game)]
    assert engine.fen() == PROMOTION
    assert not engine.can_undo
    assert not engine.can_redo


def test_chess960_games_can_be_played() -> None:
    engine = GameEngine("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", chess960=True)
    engine.process_user_input("f1g1")
    assert engine.fen() == "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"


# Promotion.


def test_a_promotion_waits_for_its_piece_and_moves_nothing() -> None:
    engine, seen = watched(PROMOTION)
    engine.process_user_input("e7d8")
    assert seen == [outcomes.PromotionRequired(engine.game, "e7", "d8", "b")]
    assert engine.fen() == PROMOTION
    assert engine.pending_promotion is not None
    engine.complete_promotion(PromotionPiece.KNIGHT)
    assert names(seen) == ["PromotionRequired", "MoveExecuted"]
    assert isinstance(seen[1], outcomes.MoveExecuted)
    assert (seen[1].san, seen[1].captured) == ("exd8=N", "b")
    assert engine.pending_promotion is None


@pytest.mark.parametrize(("text", "piece"), [("q", "Q"), ("R", "R"), ("b", "B"), ("n", "N")])
def test_while_a_promotion_waits_the_letters_name_the_piece(text: str, piece: str) -> None:
    engine, _ = watched(PROMOTION, "e8", text)
    assert engine.game.board.piece_at("e8") == piece


def test_a_wrong_piece_is_refused_and_the_promotion_still_waits() -> None:
    engine, seen = watched(PROMOTION, "e8")
    answers = ("k", "e1e2", "", "draw", "redo")
    for text in answers:
        engine.process_user_input(text)
    assert seen == [outcomes.InvalidMove(engine.game, InvalidPiece(text)) for text in answers]
    assert engine.pending_promotion is not None
    assert engine.fen() == PROMOTION


def test_undo_drops_a_waiting_promotion_only() -> None:
    engine, seen = watched("3b3k/4P3/8/8/8/8/P7/4K3 b - - 7 60", "Kg7", "e8")
    engine.process_user_input("undo")
    assert names(seen) == ["BoardReset"]
    assert engine.pending_promotion is None
    assert len(engine.history.moves) == 1


def test_quit_works_while_a_promotion_waits() -> None:
    engine, seen = watched(PROMOTION, "e8")
    engine.process_user_input("quit")
    assert names(seen) == ["QuitRequested"]


def test_a_piece_without_a_waiting_promotion_is_refused() -> None:
    engine, seen = watched()
    engine.complete_promotion(PromotionPiece.QUEEN)
    assert seen == [outcomes.InvalidMove(engine.game, Missing.PROMOTION)]


def test_a_promotion_can_be_redone_with_its_piece() -> None:
    engine, _ = watched(PROMOTION, "e8=N", "undo", "redo")
    assert engine.game.board.piece_at("e8") == "N"


# Observers.


def test_a_failing_observer_neither_stops_the_others_nor_harms_the_game(caplog: pytest.LogCaptureFixture) -> None:
    def fail(event: GameEvent) -> None:
        raise RuntimeError("on purpose")

    engine = GameEngine()
    seen: list[GameEvent] = []
    engine.subscribe(fail)
    engine.subscribe(seen.append)
    with caplog.at_level(logging.ERROR):
        engine.process_user_input("e4")
        engine.process_user_input("e5")
    assert names(seen) == ["MoveExecuted", "MoveExecuted"]
    assert len(engine.history.moves) == 2
    assert [record.message for record in caplog.records] == ["an observer failed on MoveExecuted"] * 2


def test_an_observer_that_has_left_hears_nothing_more() -> None:
    engine, seen = watched()
    append = engine._observers[0]
    engine.unsubscribe(append)
    engine.unsubscribe(append)
    engine.process_user_input("e4")
    assert seen == []


def test_an_observer_may_give_input_and_all_hear_the_same_order() -> None:
    engine = GameEngine()
    heard: list[str] = []

    def answer(event: GameEvent) -> None:
        if isinstance(event, outcomes.MoveExecuted) and event.game.board.turn == "black":
            engine.process_user_input("e5")

    engine.subscribe(answer)
    engine.subscribe(lambda event: heard.append(event.san if isinstance(event, outcomes.MoveExecuted) else "?"))
    engine.process_user_input("e4")
    assert heard == ["e4", "e5"]
    assert engine.turn == "white"


def test_an_interrupt_in_an_observer_comes_through_and_the_engine_goes_on() -> None:
    engine = GameEngine()
    seen: list[GameEvent] = []

    def interrupt(event: GameEvent) -> None:
        engine.unsubscribe(interrupt)
        raise KeyboardInterrupt

    engine.subscribe(interrupt)
    engine.subscribe(seen.append)
    with pytest.raises(KeyboardInterrupt):
        engine.process_user_input("e4")
    engine.process_user_input("e5")
    assert names(seen) == ["MoveExecuted"]
    assert len(engine.history.moves) == 2
