"""Finds the multiplication factors ("magics") that rules/attacks.py embeds.

A factor is good for a square when multiplying every blocker set by it and keeping the top bits gives a table
index that never mixes two different attack sets. The search is random with a fixed seed, so a run repeats itself;
it takes a few minutes and prints two Python tuples. Example: `python3 scripts/maintenance/find_magics.py --seed 7`.
"""

import argparse
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from shared.command_line import ProgressLine, run

ROOK_STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))
BISHOP_STEPS = ((1, 1), (1, -1), (-1, 1), (-1, -1))
ALL_64_BITS = (1 << 64) - 1


def ray_squares(square: int, steps: tuple[tuple[int, int], ...], blockers: int, stop_before_edge: bool) -> int:
    """Squares a slider on `square` sees, up to and including the first blocker of each ray."""
    seen = 0
    for file_step, rank_step in steps:
        file, rank = square % 8 + file_step, square // 8 + rank_step
        while 0 <= file < 8 and 0 <= rank < 8:
            last = not (0 <= file + file_step < 8 and 0 <= rank + rank_step < 8)
            if last and stop_before_edge:
                break
            seen |= 1 << (rank * 8 + file)
            if blockers >> (rank * 8 + file) & 1:
                break
            file, rank = file + file_step, rank + rank_step
    return seen


def find_factor(square: int, steps: tuple[tuple[int, int], ...], source: random.Random) -> int:
    """A factor for one square and slider, with a table of exactly 2**(relevant squares) entries."""
    mask = ray_squares(square, steps, 0, stop_before_edge=True)
    shift = 64 - mask.bit_count()
    cases = []
    blockers = 0
    while True:
        cases.append((blockers, ray_squares(square, steps, blockers, stop_before_edge=False)))
        blockers = (blockers - mask) & mask
        if not blockers:
            break
    while True:
        factor = source.getrandbits(64) & source.getrandbits(64) & source.getrandbits(64)
        if (mask * factor >> 56 & 0xFF).bit_count() < 6:
            continue
        table: dict[int, int] = {}
        for blockers, attacks in cases:
            if table.setdefault((blockers * factor & ALL_64_BITS) >> shift, attacks) != attacks:
                break
        else:
            return factor


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=2026, help="seed of the random search (default: 2026)")
    source = random.Random(parser.parse_args().seed)
    line = ProgressLine()
    for name, steps in (("BISHOP_FACTORS", BISHOP_STEPS), ("ROOK_FACTORS", ROOK_STEPS)):
        factors = []
        for square in range(64):
            factors.append(find_factor(square, steps, source))
            line.show(f"{name}: {square + 1} of 64 squares")
        line.clear()
        print(f"{name} = (")
        for row in range(0, 64, 4):
            print("    " + " ".join(f"0x{factor:016X}," for factor in factors[row : row + 4]))
        print(")")
    return 0


if __name__ == "__main__":
    run(main)
