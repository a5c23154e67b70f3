"""Plays the engine against itself and writes positions with the games' results, to fit the evaluation on.

Each game starts with random moves, so that games differ; a position is written if it is quiet: not in check, the best
move no capture or promotion, no mate in sight. A line is `FEN;result for White;score for White`.
Example: `.venv/bin/python scripts/datagen.py --games 4000 --seed 1 --out build/data.txt`.
"""

import argparse
import multiprocessing
import os
import random
import sys
import time

from nowchess_uci.rules.draws import can_claim_fifty_moves, can_claim_threefold, status
from nowchess_uci.rules.fen import START_FEN, parse_fen, render_fen
from nowchess_uci.rules.move import is_promotion
from nowchess_uci.rules.movegen import legal_moves, play
from nowchess_uci.search.limits import Limits
from nowchess_uci.search.pool import Pool
from nowchess_uci.search.reports import Progress, Report

TACTICAL = 1
DECIDED = 1500  # centipawns; a game this far gone for several moves is over
DECIDED_PLIES = 6


def random_opening(source: random.Random, plies: int) -> str:
    """A position after random moves that still has a game in it."""
    while True:
        position = parse_fen(START_FEN)
        for _ in range(plies + source.randrange(2)):
            moves = legal_moves(position)
            if not moves:
                break
            play(position, source.choice(moves))
        else:
            if legal_moves(position):
                return str(render_fen(position))


def play_game(task: tuple[str, int, int]) -> list[str]:
    """The lines of one game; an opening that is lost from the start gives none."""
    seed, nodes, plies = task
    source = random.Random(seed)
    position = parse_fen(random_opening(source, plies))
    pool = Pool(8, 1)
    kept: list[tuple[str, int]] = []
    result = ""
    decided = 0
    while not result:
        scores: list[int] = []

        def note(report: Report, scores: list[int] = scores) -> None:
            if isinstance(report, Progress):
                scores.append(report.score)

        pool.prepare(Limits(nodes=nodes))
        best = pool.think(position, note).move
        score = scores[-1] if position.side == 0 else -scores[-1]
        if not kept and abs(score) > 400:
            return []
        quiet = not position.in_check and best not in legal_moves(position, TACTICAL) and not is_promotion(best)
        if quiet and abs(score) < DECIDED:
            kept.append((render_fen(position), score))
        decided = decided + 1 if abs(score) >= DECIDED else 0
        if decided >= DECIDED_PLIES:
            result = "1" if score > 0 else "0"
            break
        play(position, best)
        end = status(position)
        if end.is_over or can_claim_fifty_moves(position) or can_claim_threefold(position):
            mated = end.is_over and not end.is_draw
            result = ("0" if position.side == 0 else "1") if mated else "0.5"
    return [f"{fen};{result};{score}" for fen, score in kept]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=4000, help="games to play (default: 4000)")
    parser.add_argument("--nodes", type=int, default=5000, help="nodes for each move (default: 5000)")
    parser.add_argument("--plies", type=int, default=8, help="random half-moves at the start (default: 8)")
    parser.add_argument("--seed", type=int, default=1, help="which games (default: 1)")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="default: all cores")
    parser.add_argument("--out", required=True, help="file to write; it is written anew")
    arguments = parser.parse_args()
    start = time.monotonic()
    tasks = [(f"{arguments.seed} {game}", arguments.nodes, arguments.plies) for game in range(arguments.games)]
    written = 0
    with open(arguments.out, "w", encoding="ascii") as out, multiprocessing.Pool(arguments.processes) as pool:
        for done, lines in enumerate(pool.imap(play_game, tasks), 1):
            written += len(lines)
            out.writelines(f"{line}\n" for line in lines)
            if sys.stderr.isatty() or done % 500 == 0:
                rate = done / (time.monotonic() - start)
                left = (arguments.games - done) / rate
                text = f"{done} of {arguments.games} games, {written} positions, {rate:.1f} games/s, {left:.0f} s left"
                print(f"\r{text} ", end="" if sys.stderr.isatty() else "\n", file=sys.stderr, flush=True)
    print(f"{arguments.games} games, {written} positions, {time.monotonic() - start:.0f} s, seed {arguments.seed}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
