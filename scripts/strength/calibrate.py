"""Measures how strong the levels of limited strength are, on the scale of Stockfish's UCI_Elo.

Each level plays Stockfish at a UCI_Elo near its own, from balanced random openings with colours exchanged. The levels
are limited by nodes, Stockfish by a fixed time for each move. Games of the levels against each other would be cheaper,
but their differences come out two to three times as large.
Example: `.venv/bin/python scripts/strength/calibrate.py 5:1350 7:1500 --games 200`.
"""

import argparse
import math
import os
import random
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from shared.command_line import ProgressLine, run, whole_number
from shared.engine_process import EngineError, EngineProcess
from strength.openings import is_balanced, random_opening

from nowchess_uci.engine.engine import Engine
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
STOCKFISH_MS = 50  # for each move


class Pairing(NamedTuple):
    """A level, and the UCI_Elo of Stockfish against it."""

    level: float
    elo: int


class Unit(NamedTuple):
    """Some games of a pairing, two from each opening."""

    pairing: Pairing
    games: int
    seed: int
    stockfish: str


Player = Callable[[Position], int]


def level_player(level: float, source: random.Random) -> Player:
    """Our engine at a level, with a memory of its own."""
    pool = Pool(4)

    def think(position: Position) -> int:
        return Thinking(pool, position.copy(), at_level(Task(), level, source)).run().move

    return think


def stockfish_player(process: EngineProcess, elo: int) -> Player:
    """Stockfish at a UCI_Elo."""
    process.send("setoption name UCI_LimitStrength value true", f"setoption name UCI_Elo value {elo}")

    def think(position: Position) -> int:
        process.send(f"position fen {render_fen(position)}", f"go movetime {STOCKFISH_MS}")
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


def balanced_opening(source: random.Random) -> str:
    """A position after random moves in which neither side is ahead: otherwise the opening decides the game."""
    with Engine(hash_mib=1) as engine:
        while True:
            fen = random_opening(source, 8)
            if is_balanced(engine, fen, 5_000, 60):
                return fen


def play_unit(unit: Unit) -> float:
    """Play some games; the points of the level."""
    source, points = random.Random(unit.seed), 0.0
    with EngineProcess([unit.stockfish]) as process:
        stockfish = stockfish_player(process, unit.pairing.elo)
        for _ in range(unit.games // 2):
            fen = balanced_opening(source)
            for is_white in (True, False):
                process.send("ucinewgame")
                own = level_player(unit.pairing.level, source)
                points += play_game(fen, own, stockfish) if is_white else 1 - play_game(fen, stockfish, own)
    return points


def parse_pairing(text: str) -> Pairing:
    """`LEVEL:ELO`."""
    level, elo = text.split(":")
    return Pairing(float(level), int(elo))


def render_result(pairing: Pairing, games: int, points: float) -> str:
    """The score, and the rating that it means with its 95 % error."""
    share = min(max(points / games, 0.5 / games), 1 - 0.5 / games)  # 0 and 100 % mean no rating at all
    rating = pairing.elo - 400 * math.log10(1 / share - 1)
    error = 1.96 * 400 / math.log(10) / math.sqrt(games * share * (1 - share))
    return (
        f"level {pairing.level:g} against {pairing.elo}: {games} games, {100 * points / games:.1f} %, "
        f"{rating:.0f} +-{error:.0f}"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "pairings",
        type=parse_pairing,
        nargs="+",
        metavar="LEVEL:ELO",
        help="a level of engine/strength.py, and Stockfish's UCI_Elo: 1350 or more",
    )
    parser.add_argument("--games", type=whole_number(2), default=100, help="games of each pairing (default: 100)")
    parser.add_argument("--stockfish", default="stockfish", help="Stockfish 15 (default: stockfish)")
    parser.add_argument("--seed", type=int, default=1, help="which openings and choices (default: 1)")
    parser.add_argument("--workers", type=whole_number(1), default=os.cpu_count() or 1, help="games at once")
    arguments = parser.parse_args()
    count = math.ceil(arguments.games / GAMES_OF_A_UNIT)
    units = [
        Unit(pairing, GAMES_OF_A_UNIT, 100_000 * arguments.seed + number, arguments.stockfish)
        for pairing in arguments.pairings
        for number in range(count)
    ]
    line = ProgressLine()
    with ProcessPoolExecutor(arguments.workers) as workers:
        played = workers.map(play_unit, units)
        for pairing in arguments.pairings:
            points = 0.0
            for done, more in enumerate(islice(played, count), 1):
                points += more
                line.show(render_result(pairing, done * GAMES_OF_A_UNIT, points))
            line.clear()
            print(render_result(pairing, count * GAMES_OF_A_UNIT, points), flush=True)
    return 0


if __name__ == "__main__":
    run(main, EngineError)
