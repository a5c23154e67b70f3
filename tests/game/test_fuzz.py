"""Random input into the game and into the PGN reader: nothing escapes, nothing breaks.

The tokens are chosen so that real things happen: legal moves, half-broken ones, every command, and noise.
"""

import io
import random

import pytest

from nowchess_uci.game import events
from nowchess_uci.game.engine import GameEngine
from nowchess_uci.game.events import GameEvent
from nowchess_uci.game.history import PromotionPiece
from nowchess_uci.game.pgn_game import RESULTS
from nowchess_uci.game.pgn_reader import read_games
from nowchess_uci.game.pgn_writer import render_pgn
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
        position = engine.game.position
        moves = movegen.legal_moves(position)
        move = source.choice(moves)
        text = engine.game.san(move) if source.random() < 0.3 else render_move(move)
        return text[:4] if source.random() < 0.1 else text
    if kind < 0.85:
        return source.choice(COMMANDS)
    if kind < 0.95:
        return source.choice(NOISE)
    return "".join(chr(source.randrange(32, 127)) for _ in range(source.randrange(8)))


def check_state(engine: GameEngine, start: str) -> None:
    """What must hold after every input."""
    game = engine.game
    side, clock = game.fen().split()[1], game.fen().split()[4]
    assert engine.history.half_move_clock == int(clock)
    assert engine.turn == ("white" if side == "w" else "black")
    assert len(game.moves()) == len(engine.history.moves)
    assert engine.can_undo == bool(engine.history.moves)
    turns = len(engine.history.moves) + (game.start_fen.split()[1] == "b")
    assert engine.turn == ("black" if turns % 2 else "white")
    assert game.start_fen in (start, START_FEN)
    assert not game.status().is_over


def check_change(before: tuple[str, int, bool], engine: GameEngine, seen: list[GameEvent]) -> None:
    """What the events said must be what has changed."""
    fen, length, is_pending = before
    first = seen[0]
    if isinstance(first, events.InvalidMove | events.QuitRequested | events.PromotionRequired):
        assert len(seen) == 1
        assert engine.fen() == fen
        assert len(engine.history.moves) == length
    elif isinstance(first, events.BoardReset):
        assert len(engine.history.moves) == (length if is_pending else length - 1)
    elif isinstance(first, events.MoveExecuted):
        assert len(first.game.history.moves) == length + 1
        is_over = isinstance(seen[-1], events.Checkmate | events.Stalemate | events.AutomaticDraw)
        assert len(engine.history.moves) == (0 if is_over else length + 1)
        available = any(isinstance(event, events.FiftyMoveRuleAvailable) for event in seen)
        assert available == (not is_over and engine.history.half_move_clock >= 100)
    else:
        assert isinstance(first, events.DrawClaimed)
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
        events.MoveExecuted,
        events.CheckDetected,
        events.InvalidMove,
        events.BoardReset,
        events.PromotionRequired,
        events.FiftyMoveRuleAvailable,
        events.DrawClaimed,
        events.Checkmate,
        events.Stalemate,
        events.AutomaticDraw,
        events.QuitRequested,
    }


def test_long_random_games() -> None:
    source = random.Random(21)
    for _ in range(20):
        engine = GameEngine()
        for _ in range(400):
            engine.process_user_input(
                source.choice([render_move(move) for move in movegen.legal_moves(engine.game.position)])
            )
            if engine.pending_promotion:
                engine.complete_promotion(source.choice(list(PromotionPiece)))
            check_state(engine, START_FEN)
        check_undo_and_redo(engine)


PGN_TOKENS = (
    *(
        "1.",
        "1...",
        "e4",
        "e5",
        "Nf3",
        "Nc6",
        "d4",
        "exd5",
        "O-O",
        "0-0",
        "e8=Q",
        "--",
        "Zz",
        "$1",
        "$999999",
        "!",
        "?!",
    ),
    *("{", "}", "{c}", ";", "(", ")", "(", ")", "<", ">", "%", "[", "]", "*", "1-0", "0-1", "1/2-1/2", "1/2", "e.p."),
    *(
        "\n",
        "\n",
        "\n\n",
        "\r\n",
        '\n[Event "x"]\n',
        '\n[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n',
        '\n[Variant "Chess960"]\n',
    ),
    *(
        '\n[FEN "4k3/P7/8/8/8/8/7p/4K3 w - - 0 1"]\n',
        '\n[SetUp "1"]\n',
        '\n[A "b\n',
        "\n%x\n",
        "\0",
        "é",
        "\ufeff",
        '"',
    ),
)


@pytest.mark.exhaustive
@pytest.mark.parametrize("keep_variations", [True, False])
def test_random_tokens_into_the_pgn_reader(keep_variations: bool) -> None:
    source = random.Random(22)
    games = errors = 0
    for _ in range(SEQUENCES):
        text = source.choice(("", " ")).join(source.choices(PGN_TOKENS, k=source.randrange(1, 30)))
        raw = text.encode(source.choice(("utf-8", "latin-1")), "replace")
        lines = raw.count(b"\n") + 1
        for game in read_games(io.BytesIO(raw), keep_variations=keep_variations):
            games += 1
            errors += len(game.errors)
            assert game.result in RESULTS
            assert all(1 <= error.line <= lines and error.column >= 1 for error in game.errors)
            if game.tags.get("FEN", "").startswith("8/"):
                assert game.errors
                continue
            game.end()  # every move is legal
            pgn = render_pgn(game)
            (again,) = read_games(io.StringIO(pgn))
            assert again.errors == []
            assert render_pgn(again) == pgn
    assert games > SEQUENCES / 2
    assert errors > SEQUENCES / 2
