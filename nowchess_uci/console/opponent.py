"""The engine as a partner at the console: a position in, a move out."""

import random

from nowchess_uci.rules.move import render_move
from nowchess_uci.rules.position import Position
from nowchess_uci.search.limits import Limits
from nowchess_uci.search.pool import Pool
from nowchess_uci.session import strength

HASH_MIB = 16


class EngineOpponent:
    """Thinks `movetime_ms` for each move, or plays as strong as `elo` says."""

    def __init__(self, movetime_ms: int, elo: int | None) -> None:
        self.limits = Limits(movetime_ms=movetime_ms, overhead_ms=0)
        if elo is not None:
            self.limits = strength.limited(self.limits, elo, random.Random())
        self.pool = Pool(HASH_MIB)

    def __call__(self, position: Position) -> str:
        self.pool.prepare(self.limits)
        return render_move(self.pool.think(position, lambda _: None).move, position.chess960)
