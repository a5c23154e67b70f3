"""The random numbers behind a position's hash key (Zobrist hashing).

Drawn at import from a fixed seed, so a position has the same key on every machine and in every version.
"""

import cython
from cython.cimports.nowchess_uci.rules.bits import U64
from cython.cimports.nowchess_uci.rules.zobrist import keys


def fill_keys() -> cython.void:
    """SplitMix64 (Steele, Lea, Flood 2014), one draw for each table entry."""
    state: U64 = 0x4E6F774368657373  # "NowChess"
    entries: cython.pointer[U64] = cython.cast(cython.pointer[U64], cython.address(keys))
    index: cython.size_t
    for index in range(cython.sizeof(keys) // cython.sizeof(U64)):
        state += cython.cast(U64, 0x9E3779B97F4A7C15)
        mixed: U64 = (state ^ (state >> 30)) * cython.cast(U64, 0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> 27)) * cython.cast(U64, 0x94D049BB133111EB)
        entries[index] = mixed ^ (mixed >> 31)
    keys.castling[0] = 0
    keys.en_passant[64] = 0


fill_keys()
