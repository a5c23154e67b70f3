"""Makes balanced openings for matches: random moves, kept if the engine finds neither side better.

With --men it makes endings instead: some men at random, half of them pawns. Writes one FEN per line, as fastchess and
cutechess-cli read it (format=epd).
Example: `.venv/bin/python scripts/strength/openings.py --count 500 --out build/openings.epd`.
"""

import argparse
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from shared.command_line import ProgressLine, run, whole_number
from shared.placements import random_board

from nowchess_uci import Board, Engine, Limits


def random_opening(source: random.Random, plies: int) -> str:
    """A position after random moves, every second time one more, that still has a game in it."""
    while True:
        board = Board()
        for _ in range(plies + source.randrange(2)):
            moves = board.legal_moves()
            if not moves:
                break
            board.play(source.choice(moves))
        else:
            if board.legal_moves():
                return board.fen()


def random_ending(source: random.Random, men: int) -> str:
    """A position with so many men, shared fairly."""
    pieces = "Kk"
    for number in range(men - 2):
        letter = source.choice("PPPPQRRBN")
        pieces += letter if number % 2 else letter.lower()
    return random_board(pieces, source).fen()


def is_balanced(engine: Engine, fen: str, nodes: int, most: int) -> bool:
    """True if a search finds neither side better by more than so many centipawns."""
    engine.forget()
    score = engine.analyse(fen, Limits(nodes=nodes)).best.score
    return score.cp is not None and abs(score.cp) <= most


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=whole_number(1), default=500, help="openings to make (default: 500)")
    parser.add_argument("--plies", type=whole_number(0), default=8, help="random half-moves (default: 8)")
    parser.add_argument("--men", type=whole_number(3, 32), help="endings with so many men instead")
    parser.add_argument(
        "--nodes",
        type=whole_number(1),
        default=30000,
        help="nodes of the search that judges an opening (default: 30000)",
    )
    parser.add_argument(
        "--balance", type=whole_number(0), default=70, help="largest score kept, in centipawns (default: 70)"
    )
    parser.add_argument("--seed", type=int, default=1, help="seed of the random openings (default: 1)")
    parser.add_argument("--out", required=True, help="file to write")
    arguments = parser.parse_args()
    source = random.Random(arguments.seed)
    engine = Engine()
    kept: list[str] = []
    line = ProgressLine()
    while len(kept) < arguments.count:
        fen = random_ending(source, arguments.men) if arguments.men else random_opening(source, arguments.plies)
        if is_balanced(engine, fen, arguments.nodes, arguments.balance):
            kept.append(fen)
            line.show(f"{len(kept)} of {arguments.count}")
    line.clear()
    with open(arguments.out, "w", encoding="ascii") as file:
        file.writelines(f"{fen}\n" for fen in kept)
    print(f"{len(kept)} openings in {arguments.out}")
    return 0


if __name__ == "__main__":
    run(main)
