"""Random input into the game: nothing escapes, nothing breaks.

The tokens are chosen so that real things happen: legal moves, half-broken ones, every command, and noise.
"""

import random

import pytest

from nowchess_uci.game import outcomes
from nowchess_uci.game.arbiter import GameEngine
from nowchess_uci.game.history import PromotionPiece
from nowchess_uci.game.outcomes import GameEvent
from nowchess_uci.rules import movegen
from nowchess_uci.rules.fen import START_FEN
from nowchess_uci.rules.move import render_move

SEQUENCES = 10_000
STARTS = (
    START_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "n3k3/1P4P1/8/8/8/8/1p4p1/4K2N w - - 97 70",
    "4k2r/8/8/8/8/8/P7/R3K3 b - - 98 120",
    "4k2r/8/8/8/8/8/8/4K3 w - - 148 200",
    "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1",
)
COMMANDS = ("draw", "undo", "redo", "quit", "q", "r", "b", "n", "undo", "redo", "draw e4", "draw Ke2", "draw ")
NOISE = ("", " ", "e9", "Ke9", "e2e4", "O-O", "0-0-0", "e7e8", "e8=Q", "xyz", "\0", "é", "🨀", "x" * 300, "--", "1", "+")


def random_input(source: random.Random, engine: GameEngine) -> str:
    """A token, most often one that is legal here."""
    kind = source.random()
    if kind < 0.5:
        position = engine.game.board.position
        moves = movegen.legal_moves(position)
        move = source.choice(moves)
        text = engine.game.board.san(move) if source.random() < 0.3 else render_move(move)
        return text[:4] if source.random() < 0.1 else text
    if kind < 0.85:
        return source.choice(COMMANDS)
    if kind < 0.95:
        return source.choice(NOISE)
    return "".join(chr(source.randrange(32, 127)) for _ in range(source.randrange(8)))


def check_state(engine: GameEngine, start: str) -> None:
    """What must hold after every input."""
    game = engine.game
    side, clock = game.board.fen().split()[1], game.board.fen().split()[4]
    assert engine.history.half_move_clock == int(clock)
    assert engine.turn == ("white" if side == "w" else "black")
    assert len(game.moves()) == len(engine.history.moves)
    assert engine.can_undo == bool(engine.history.moves)
    turns = len(engine.history.moves) + (game.start_fen.split()[1] == "b")
    assert engine.turn == ("black" if turns % 2 else "white")
    assert game.start_fen in (start, START_FEN)
    assert not game.board.status().is_over


def check_change(before: tuple[str, int, bool], engine: GameEngine, seen: list[GameEvent]) -> None:
    """What the events said must be what has changed."""
    fen, length, is_pending = before
    first = seen[0]
    if isinstance(first, outcomes.InvalidMove | outcomes.QuitRequested | outcomes.PromotionRequired):
        assert len(seen) == 1
        assert engine.fen() == fen
        assert len(engine.history.moves) == length
    elif isinstance(first, outcomes.BoardReset):
        assert len(engine.history.moves) == (length if is_pending else length - 1)
    elif isinstance(first, outcomes.MoveExecuted):
        assert len(first.game.history.moves) == length + 1
        is_over = isinstance(seen[-1], outcomes.Checkmate | outcomes.Stalemate | outcomes.AutomaticDraw)
        assert len(engine.history.moves) == (0 if is_over else length + 1)
        available = any(isinstance(event, outcomes.FiftyMoveRuleAvailable) for event in seen)
        assert available == (not is_over and engine.history.half_move_clock >= 100)
    else:
        assert isinstance(first, outcomes.DrawClaimed)
        assert (engine.fen(), engine.can_undo, engine.can_redo) == (START_FEN, False, False)


def check_undo_and_redo(engine: GameEngine) -> None:
    """Undo and redo after each other change nothing."""
    if engine.pending_promotion is None and engine.can_undo:
        before = (engine.fen(), engine.history)
        engine.undo()
        assert engine.can_redo
        assert len(engine.history.moves) == len(before[1].moves) - 1
        engine.redo()
        assert (engine.fen(), engine.history) == before


@pytest.mark.exhaustive
def test_random_input_into_the_game() -> None:
    source = random.Random(20)
    kinds: set[type[GameEvent]] = set()
    for _ in range(SEQUENCES):
        start = source.choice(STARTS)
        engine = GameEngine(start)
        seen: list[GameEvent] = []
        engine.subscribe(seen.append)
        for _ in range(source.randrange(1, 12)):
            before = (engine.fen(), len(engine.history.moves), engine.pending_promotion is not None)
            engine.process_user_input(random_input(source, engine))
            kinds.update(type(event) for event in seen)
            check_change(before, engine, seen)
            check_state(engine, start)
            seen.clear()
        check_undo_and_redo(engine)
    assert kinds >= {
        outcomes.MoveExecuted,
        outcomes.CheckDetected,
        outcomes.InvalidMove,
        outcomes.BoardReset,
        outcomes.PromotionRequired,
        outcomes.FiftyMoveRuleAvailable,
        outcomes.DrawClaimed,
        outcomes.Checkmate,
        outcomes.Stalemate,
        outcomes.AutomaticDraw,
        outcomes.QuitRequested,
    }


def test_long_random_games() -> None:
    source = random.Random(21)
    for _ in range(20):
        engine = GameEngine()
        for _ in range(400):
            engine.process_user_input(
                source.choice([render_move(move) for move in movegen.legal_moves(engine.game.board.position)])
            )
            if engine.pending_promotion:
                engine.complete_promotion(source.choice(list(PromotionPiece)))
            check_state(engine, START_FEN)
        check_undo_and_redo(engine)
