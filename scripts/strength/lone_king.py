"""Mates a lone king from random positions, the engine itself defending, and counts how often it succeeds in time.

A game that is not over by mate when the 50-move rule or a threefold repetition can be claimed is a failure; its
position is printed.
Example: `.venv/bin/python scripts/strength/lone_king.py --pieces KBN --games 50 --movetime 100`.
"""

import argparse
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from shared.command_line import ProgressLine, run, whole_number

from nowchess_uci import Board, Engine, FenError, Limits, Status


def starts(pieces: str, seed: int) -> Iterator[str]:
    """Random positions with White to move and these pieces against a king; two bishops on squares of both colours."""
    source = random.Random(seed)
    while True:
        squares = source.sample(range(64), len(pieces) + 1)
        board = ["1"] * 64
        for square, piece in zip(squares, f"{pieces}k", strict=True):
            board[square] = piece
        rows = ("".join(board[8 * row : 8 * row + 8]) for row in range(8))
        fen = "/".join(re.sub("1+", lambda gap: str(len(gap.group())), row) for row in rows) + " w - - 0 1"
        colors = [(square // 8 + square) % 2 for square, piece in zip(squares, pieces, strict=False) if piece == "B"]
        if len(colors) == 2 and colors[0] == colors[1]:
            continue
        try:
            position = Board(fen)
        except FenError:
            continue  # the king of the side that does not move is in check, or the kings touch
        if position.legal_moves():
            yield fen


def play_out(fen: str, limits: Limits, eval_file: str = "") -> tuple[list[str], Status]:
    """The moves of a game of the engine against itself, each side with a table of its own, and how it ended."""
    board = Board(fen)
    engines = (Engine(), Engine())
    for engine in engines:
        engine.configure(move_overhead_ms=0, eval_file=eval_file)
    moves: list[str] = []
    while not board.status().is_over and not board.can_claim_fifty_moves() and not board.can_claim_threefold():
        moves.append(engines[len(moves) % 2].play(board, limits))
        board.play(moves[-1])
    for engine in engines:
        engine.close()
    return moves, board.status()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--pieces",
        nargs="+",
        default=["KQ", "KR", "KBB", "KBN"],
        choices=["KQ", "KR", "KBB", "KBN"],
        help="the mating side's pieces (default: all four)",
    )
    parser.add_argument(
        "--games", type=whole_number(1), default=50, help="positions for each set of pieces (default: 50)"
    )
    parser.add_argument("--movetime", type=whole_number(1), default=100, help="milliseconds per move (default: 100)")
    parser.add_argument("--nodes", type=whole_number(1), help="nodes per move, instead of time")
    parser.add_argument("--seed", type=int, default=1, help="seed of the random positions (default: 1)")
    parser.add_argument("--eval-file", default="", metavar="FILE", help="network (default: the engine's own)")
    arguments = parser.parse_args()
    limits = Limits(movetime_ms=arguments.movetime if arguments.nodes is None else None, nodes=arguments.nodes)
    failures = 0
    line = ProgressLine()
    for pieces in arguments.pieces:
        lengths: list[int] = []
        source = starts(pieces, arguments.seed)
        for number in range(1, arguments.games + 1):
            fen = next(source)
            moves, ending = play_out(fen, limits, arguments.eval_file)
            if ending == Status.CHECKMATE:
                lengths.append((len(moves) + 1) // 2)
            else:
                line.clear()
                print(f"{pieces}: no mate from {fen} ({ending}, {len(moves)} half-moves)", flush=True)
            line.show(f"{pieces}: {number} of {arguments.games}")
        line.clear()
        failures += arguments.games - len(lengths)
        print(
            f"{pieces}: {len(lengths)} of {arguments.games} mated, longest {max(lengths, default=0)} moves", flush=True
        )
    return 1 if failures else 0


if __name__ == "__main__":
    run(main, ValueError)
