"""Measures how strong the levels of limited strength are, on the scale of Stockfish's UCI_Elo.

The levels play each other and Stockfish, from random openings with colours exchanged, and a rating is fitted to all
results at once. Everything is limited by nodes or depth, never by time, so the figures do not depend on the machine:
Stockfish chooses its limited move at a depth that its UCI_Elo decides, and is asked to search just so deep.
Example: `.venv/bin/python scripts/strength/calibrate.py --levels 3 5 7 --anchors 5:1350 7:1500 --games 200`.
"""

import argparse
import math
import os
import random
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from shared.command_line import ProgressLine, run, whole_number
from shared.engine_process import EngineError, EngineProcess
from strength.openings import random_opening

from nowchess_uci.engine.strength import at_level
from nowchess_uci.rules.draws import Status, can_claim_fifty_moves, can_claim_threefold, status
from nowchess_uci.rules.fen import parse_fen, render_fen
from nowchess_uci.rules.movegen import play
from nowchess_uci.rules.notation import parse_move
from nowchess_uci.rules.position import Position
from nowchess_uci.search.pool import Pool
from nowchess_uci.search.task import Task
from nowchess_uci.search.thinking import Thinking

LONGEST_GAME = 400
GAMES_OF_A_UNIT = 10


class Pairing(NamedTuple):
    """A level, and its opponent: another level, or Stockfish with a UCI_Elo."""

    level: float
    opponent: float
    is_stockfish: bool


class Unit(NamedTuple):
    """Some games of a pairing, two from each opening."""

    pairing: Pairing
    games: int
    seed: int
    stockfish: str


class Result(NamedTuple):
    """What a pairing has come to, from the level's point of view."""

    pairing: Pairing
    games: int
    points: float


Player = Callable[[Position], int]


def level_player(level: float, source: random.Random) -> Player:
    """Our engine at a level, with a memory of its own."""
    pool = Pool(4)

    def think(position: Position) -> int:
        return Thinking(pool, position.copy(), at_level(Task(), level, source)).run().move

    return think


def stockfish_depth(elo: float) -> int:
    """How deep Stockfish 15 searches before it chooses its limited move."""
    return 1 + int(min(max((elo - 1346.6) / 143.4, 0) ** (1 / 0.806), 20))


def stockfish_player(process: EngineProcess, elo: float) -> Player:
    """Stockfish at a UCI_Elo."""
    process.send("setoption name UCI_LimitStrength value true", f"setoption name UCI_Elo value {elo:.0f}")

    def think(position: Position) -> int:
        process.send(f"position fen {render_fen(position)}", f"go depth {stockfish_depth(elo)}")
        return parse_move(position, process.best_move(60.0))

    return think


def play_game(fen: str, white: Player, black: Player) -> float:
    """White's points."""
    position = parse_fen(fen)
    players = (white, black)
    for _ in range(LONGEST_GAME):
        state = status(position)
        if state is Status.CHECKMATE:
            return float(position.side)  # the side to move is mated: 0 if it is White
        if state.is_over or can_claim_fifty_moves(position) or can_claim_threefold(position):
            return 0.5
        play(position, players[position.side](position))
    return 0.5


def play_unit(unit: Unit) -> Result:
    """Play some games; a new process of Stockfish for them, if it takes part."""
    pairing, source, points = unit.pairing, random.Random(unit.seed), 0.0
    process = EngineProcess([unit.stockfish]) if pairing.is_stockfish else None
    try:
        for _ in range(unit.games // 2):
            fen = random_opening(source, 8)
            for is_white in (True, False):
                own = level_player(pairing.level, source)
                other = (
                    stockfish_player(process, pairing.opponent)
                    if process is not None
                    else level_player(pairing.opponent, source)
                )
                white = play_game(fen, own, other) if is_white else play_game(fen, other, own)
                points += white if is_white else 1 - white
    finally:
        if process is not None:
            process.close()
    return Result(pairing, 2 * (unit.games // 2), points)


def parse_anchor(text: str) -> Pairing:
    """`LEVEL:ELO`: a level that plays Stockfish at a UCI_Elo."""
    level, elo = text.split(":")
    return Pairing(float(level), int(elo), True)


def pairings(levels: list[float], anchors: list[Pairing]) -> Iterator[Pairing]:
    """Each level against the next two above it, then the games with Stockfish."""
    for index, level in enumerate(levels):
        yield from (Pairing(level, above, False) for above in levels[index + 1 : index + 3])
    yield from anchors


def expected(difference: float) -> float:
    return float(1 / (1 + 10 ** (-difference / 400)))


def fit(levels: list[float], results: list[Result]) -> dict[float, float]:
    """The ratings under which the results are most likely, Stockfish's fixed."""
    ratings = dict.fromkeys(levels, 1500.0)
    for _ in range(3000):
        for level in levels:
            slope = steepness = 1e-9
            for result in results:
                pairing = result.pairing
                if level not in (pairing.level, None if pairing.is_stockfish else pairing.opponent):
                    continue
                other = pairing.opponent if pairing.is_stockfish else ratings[pairing.opponent]
                chance = expected(ratings[pairing.level] - other)
                # Half a point for each side keeps a score of 0 or 100 % from running away.
                surplus = result.points + 0.5 - (result.games + 1) * chance
                slope += surplus if level == pairing.level else -surplus
                steepness += (result.games + 1) * chance * (1 - chance)
            ratings[level] += max(min(slope / steepness / math.log(10) * 400, 50), -50)
    return ratings


def error_of(level: float, ratings: dict[float, float], results: list[Result]) -> float:
    """About the 95 % error of a rating, its opponents' taken as known."""
    steepness = 1e-9
    for pairing, games, _ in results:
        if level in (pairing.level, None if pairing.is_stockfish else pairing.opponent):
            other = pairing.opponent if pairing.is_stockfish else ratings[pairing.opponent]
            chance = expected(ratings[pairing.level] - other)
            steepness += games * chance * (1 - chance)
    return float(1.96 * 400 / math.log(10) / math.sqrt(steepness))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--levels", type=float, nargs="+", required=True, help="levels of engine/strength.py")
    parser.add_argument(
        "--anchors",
        type=parse_anchor,
        nargs="+",
        required=True,
        metavar="LEVEL:ELO",
        help="levels that play Stockfish too, and its UCI_Elo: 1350 and more",
    )
    parser.add_argument("--games", type=whole_number(2), default=100, help="games of each pairing (default: 100)")
    parser.add_argument("--stockfish", default="stockfish", help="Stockfish 15 (default: stockfish)")
    parser.add_argument("--seed", type=int, default=1, help="which openings and choices (default: 1)")
    parser.add_argument("--workers", type=whole_number(1), default=os.cpu_count() or 1, help="games at once")
    arguments = parser.parse_args()
    levels = sorted({*arguments.levels, *(anchor.level for anchor in arguments.anchors)})
    units = [
        Unit(pairing, GAMES_OF_A_UNIT, arguments.seed * 100_000 + number, arguments.stockfish)
        for pairing in pairings(levels, arguments.anchors)
        for number in range(math.ceil(arguments.games / GAMES_OF_A_UNIT))
    ]
    totals: dict[Pairing, Result] = {}
    line = ProgressLine()
    with ProcessPoolExecutor(arguments.workers) as workers:
        for done, result in enumerate(workers.map(play_unit, units), 1):
            before = totals.get(result.pairing, Result(result.pairing, 0, 0.0))
            totals[result.pairing] = Result(result.pairing, before.games + result.games, before.points + result.points)
            line.show(f"{done} of {len(units)} units of {GAMES_OF_A_UNIT} games")
    line.clear()
    results = list(totals.values())
    for pairing, games, points in results:
        name = f"Stockfish {pairing.opponent}" if pairing.is_stockfish else f"level {pairing.opponent:g}"
        print(f"level {pairing.level:g} against {name}: {games} games, {100 * points / games:.1f} %")
    ratings = fit(levels, results)
    for level in levels:
        print(f"level {level:g}: {ratings[level]:.0f} +-{error_of(level, ratings, results):.0f}")
    return 0


if __name__ == "__main__":
    run(main, EngineError)
