"""The random numbers behind a position's hash key (Zobrist hashing).

Drawn at import from a fixed seed, so a position has the same key on every machine and in every version.
"""

import cython
from cython.cimports.nowchess_uci.rules.bits import U64, next_random
from cython.cimports.nowchess_uci.rules.zobrist import keys


def fill_keys() -> cython.void:
    """One draw for each table entry."""
    state: U64 = 0x4E6F774368657373  # "NowChess"
    entries: cython.pointer[U64] = cython.cast(cython.pointer[U64], cython.address(keys))
    index: cython.size_t
    for index in range(cython.sizeof(keys) // cython.sizeof(U64)):
        entries[index] = next_random(cython.address(state))
    keys.castling[0] = 0
    keys.en_passant[64] = 0


fill_keys()
