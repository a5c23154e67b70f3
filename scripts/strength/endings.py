"""Plays endings with tablebases against the best defence that the tables know, and counts what is not won or held.

Won endings have to end in mate, before the 50-move rule and without a third repetition. Endings to hold are drawn ones,
and lost ones whose half-move clock stands so high that best play draws by the 50-move rule; there the tables attack.
Example: `.venv/bin/python scripts/strength/endings.py --games 200 --movetime 50`.
"""

import argparse
import random
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from shared.command_line import ProgressLine, run, whole_number
from shared.placements import pieces_of, random_board
from shared.syzygy_files import NoTablesError, fetch_tables

from nowchess_uci import Board, Engine, Limits, Status, Tablebases

WON = ("KBNvK", "KQvKR", "KBBvK", "KRvKP", "KPvK")
HELD = ("KBNvK", "KQvKR", "KRvKP", "KRvKN", "KPvK", "KPvKP")
MOST_MOVES = 400


def won_starts(name: str, tables: Tablebases, source: random.Random) -> Iterator[Board]:
    """Positions that the side to move wins."""
    while True:
        board = random_board(pieces_of(name), source)
        if tables.wdl(board) == 2:
            yield board


def held_starts(name: str, tables: Tablebases, source: random.Random) -> Iterator[Board]:
    """Positions that the side to move can hold: draws, or losses that the 50-move rule saves."""
    while True:
        board = random_board(pieces_of(name), source)
        distance = tables.dtz(board)
        if distance == 0:
            yield board
        elif distance is not None and -90 < distance < -20:
            clock = source.randrange(101 + distance, 96)  # the capture, pawn move or mate would come after 100 plies
            yield Board(board.fen().replace(" 0 1", f" {clock} 100"))


def best_by_tables(board: Board, tables: Tablebases, source: random.Random) -> str:
    """The move that wins quickest, or holds out longest, among equals rather one that repeats a position."""

    def worth(move: str) -> tuple[int, int, int, float]:
        board.play(move)
        try:
            if board.status() == Status.CHECKMATE:
                return 2, 0, 0, 0.0
            distance = -(tables.dtz(board) or 0)
            if board.half_move_clock == 0:
                distance = (distance > 0) - (distance < 0)
            result = (distance > 0) - (distance < 0)
            return result, -distance, board.repetitions(), source.random()
        finally:
            board.undo()

    return max(board.legal_moves(), key=worth)


def play_out(board: Board, engine: Engine, tables: Tablebases, limits: Limits, source: random.Random) -> Status | str:
    """The end of a game between the engine, which moves first, and the tables."""
    own_turn = True
    engine.forget()
    for _ in range(2 * MOST_MOVES):
        status = board.status()
        if status.is_over:
            return status
        if board.can_claim_fifty_moves():
            return "50-move rule"
        if board.can_claim_threefold():
            return "threefold repetition"
        board.play(engine.play(board, limits) if own_turn else best_by_tables(board, tables, source))
        own_turn = not own_turn
    return f"no end after {MOST_MOVES} moves"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", help="folder of the tables (default: all of up to four men, fetched once)")
    parser.add_argument("--won", nargs="*", default=WON, help=f"endings to win (default: {' '.join(WON)})")
    parser.add_argument("--held", nargs="*", default=HELD, help=f"endings to hold (default: {' '.join(HELD)})")
    parser.add_argument("--games", type=whole_number(1), default=200, help="games of each won ending (default: 200)")
    parser.add_argument(
        "--held-games", type=whole_number(1), default=200, help="games of all endings to hold together (default: 200)"
    )
    parser.add_argument("--movetime", type=whole_number(1), default=50, help="milliseconds a move (default: 50)")
    parser.add_argument("--nodes", type=whole_number(1), help="nodes a move, instead of time")
    parser.add_argument("--seed", type=int, default=1, help="which positions (default: 1)")
    arguments = parser.parse_args()
    limits = Limits(movetime_ms=arguments.movetime if arguments.nodes is None else None, nodes=arguments.nodes)
    folder = arguments.tables or str(fetch_tables())
    tables = Tablebases(folder)
    failures = 0
    line = ProgressLine()
    with Engine(syzygy_path=folder) as engine:
        engine.configure(move_overhead_ms=0)
        kinds = [("won", name, won_starts, arguments.games) for name in arguments.won]
        share = -(-arguments.held_games // max(len(arguments.held), 1))
        kinds += [("held", name, held_starts, share) for name in arguments.held]
        for kind, name, starts, games in kinds:
            source = random.Random(f"{arguments.seed} {kind} {name}")
            found = starts(name, tables, source)
            good = longest = 0
            for number in range(1, games + 1):
                board = next(found)
                start, side = board.fen(), board.turn
                end = play_out(board, engine, tables, limits, source)
                mated = end == Status.CHECKMATE
                is_good = mated and board.turn != side if kind == "won" else not (mated and board.turn == side)
                moves = board.full_move_number - Board(start).full_move_number
                good += is_good
                longest = max(longest, moves)
                if not is_good:
                    line.clear()
                    print(f"{name} not {kind}: {start} ({end}, {moves} moves)", flush=True)
                line.show(f"{name}: {number} of {games}")
            line.clear()
            failures += games - good
            print(f"{name}: {good} of {games} {kind}, longest {longest} moves", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    run(main, NoTablesError)
