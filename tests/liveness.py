"""How the tests of faults make sure that an engine has survived."""

import time

from shared.engine_process import EngineProcess


def assert_alive(engine: EngineProcess) -> None:
    """It answers within a second, finds a mate, and has complained of nothing on stderr."""
    start = time.monotonic()
    engine.send("isready")
    engine.read_until("readyok", 1.0)
    assert time.monotonic() - start < 1.0
    engine.send("setoption name UCI_Chess960 value false", "setoption name UCI_LimitStrength value false")
    engine.send("stop", "position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "go depth 5", "wait", "draw")
    answers = [line for line in engine.read_until("info string Draw cannot be claimed") if line.startswith("bestmove")]
    assert answers[-1] == "bestmove a1a8"
