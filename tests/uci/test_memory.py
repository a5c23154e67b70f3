"""The engine does not grow: what a thousand searches and ten thousand positions leave behind in memory."""

import random
from pathlib import Path

import pytest
from oracle import chess
from shared.engine_process import EngineProcess

WARM_UP = 300
LIMIT_KB = 1024


def resident_kb(engine: EngineProcess) -> int:
    """Memory of the process that is really there."""
    try:
        text = Path(f"/proc/{engine.process.pid}/status").read_text()
    except OSError:
        pytest.skip("this system has no /proc")
    return next(int(line.split()[1]) for line in text.splitlines() if line.startswith("VmRSS:"))


def random_position(source: random.Random) -> str:
    """A `position` line of a random game."""
    board = chess.Board()
    for _ in range(source.randrange(120)):
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(source.choice(moves))
    return "position startpos moves " + " ".join(move.uci() for move in board.move_stack)


@pytest.mark.exhaustive
@pytest.mark.parametrize("threads", [1, 2])
def test_a_thousand_searches_leave_nothing_behind(threads: int) -> None:
    source = random.Random(1)
    positions = [random_position(source) for _ in range(50)]
    with EngineProcess() as engine:
        engine.send("setoption name Hash value 4", f"setoption name Threads value {threads}")
        for number in range(WARM_UP + 1000):
            if number == WARM_UP:
                before = resident_kb(engine)
            engine.send(source.choice(positions), "go nodes 500")
            engine.read_until("bestmove")
        assert resident_kb(engine) - before < LIMIT_KB


@pytest.mark.exhaustive
def test_ten_thousand_positions_leave_nothing_behind() -> None:
    source = random.Random(2)
    positions = [random_position(source) for _ in range(200)]
    with EngineProcess() as engine:
        for number in range(WARM_UP + 10_000):
            if number == WARM_UP:
                engine.settled()
                before = resident_kb(engine)
            engine.send(positions[number % len(positions)])
        engine.settled()
        assert resident_kb(engine) - before < LIMIT_KB
