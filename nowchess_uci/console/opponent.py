"""The engine as a partner at the console: a position in, a move out."""

from nowchess_uci.engine.engine import Engine
from nowchess_uci.rules.position import Position
from nowchess_uci.search.limits import Limits


class EngineOpponent:
    """Thinks `movetime_ms` for each move, or plays as strong as `elo` says."""

    def __init__(self, movetime_ms: int, elo: int | None) -> None:
        self.engine = Engine(elo=elo)
        self.engine.configure(move_overhead_ms=0)
        self.limits = Limits(movetime_ms=movetime_ms)

    def __call__(self, position: Position) -> str:
        return self.engine.play(position, self.limits)
