"""The transposition table: what the search found out about positions, shared by all threads without a lock.

Its contents are hints: a move from it is tested for legality before use, since two positions may share a key.
"""
# mypy: disable-error-code="attr-defined"

import mmap
import sys
import time
from functools import partial

import cython
from cython.cimports.libc.string import memset
from cython.cimports.nowchess_uci.rules.bits import U64
from cython.cimports.nowchess_uci.rules.move import NO_MOVE, Move
from cython.cimports.nowchess_uci.search.scores import TRUSTED_CLOCK, is_decisive, is_loss, is_win, plies_to_end
from cython.cimports.nowchess_uci.search.shared import load_u64, store_u64
from cython.cimports.nowchess_uci.search.table import CLUSTER_BYTES, EXACT, GENERATIONS, Entry, Hit

from nowchess_uci.threads import start_threads, wait_for

MIB = 1 << 20
# Memory of our own: the system gives it in huge pages and takes it back at once, other than shared memory.
PRIVATE = {} if sys.platform == "win32" else {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS}
TOUCH_SECONDS = 0.4  # `isready` waits for it
TOUCH_MIB = 16
LARGE_MIB = 1024  # from here on the system empties a table faster than we do


class Table:
    """A table of a given size; a new one is empty."""

    def __init__(self, size_mib: int) -> None:
        self.resize(size_mib)

    def resize(self, size_mib: int) -> None:
        """Take another size, empty; raises MemoryError, everything unchanged, if the system does not give it."""
        try:
            memory = mmap.mmap(-1, size_mib * MIB, **PRIVATE)
        except (OSError, ValueError, OverflowError) as error:
            raise MemoryError(f"not enough memory for a table of {size_mib} MiB") from error
        if hasattr(mmap, "MADV_HUGEPAGE"):
            memory.madvise(mmap.MADV_HUGEPAGE)  # fewer page-table look-ups; a hint that may be ignored
        view: cython.uchar[:] = memoryview(memory)
        self.entries = cython.cast(cython.pointer[Entry], cython.address(view[0]))
        self.memory = memory
        self.clusters = size_mib * MIB // CLUSTER_BYTES
        self.size_mib = size_mib
        self.generation = 0
        self.is_empty = True
        self.touch()

    def touch(self) -> None:
        """Write to the pages of a table that is empty: the system gives them only then, better now than in a search.

        A table too large for the time allowed gets the rest of them in the search.
        """
        end = time.monotonic() + TOUCH_SECONDS
        parts = self.size_mib // TOUCH_MIB + 1
        for part in range(parts):
            self._clear_part(part, parts)
            if time.monotonic() > end:
                return

    def clear(self, threads: int = 1) -> None:
        """Forget everything, with several threads at work."""
        if self.is_empty:
            return
        if self.size_mib >= LARGE_MIB and sys.platform == "linux":
            self.memory.madvise(mmap.MADV_DONTNEED)  # gives the pages back; the next ones are empty
            self.touch()
        else:
            helpers = start_threads([partial(self._clear_part, part, threads) for part in range(1, threads)])
            # What the system gave no thread for is left for this one.
            for part in (0, *range(len(helpers) + 1, threads)):
                self._clear_part(part, threads)
            wait_for(helpers)
        self.generation = 0
        self.is_empty = True

    def _clear_part(self, part: cython.int, parts: cython.int) -> None:
        with cython.nogil:
            self.clear_part(part, parts)

    def clear_part(self, part: cython.int, parts: cython.int) -> cython.void:
        """Clear one of `parts` equal parts."""
        first: U64 = self.clusters * part // parts
        last: U64 = self.clusters * (part + 1) // parts
        memset(self.entries + 4 * first, 0, (last - first) * CLUSTER_BYTES)

    def new_search(self) -> cython.void:
        """Older entries are replaced first from now on."""
        self.generation = (self.generation + 1) % GENERATIONS
        self.is_empty = False

    def probe(self, key: U64, ply: cython.int, clock: cython.int, hit: cython.pointer[Hit]) -> cython.void:
        """Look a key up; scores of mates and tablebase wins come back counted from the root.

        A score knows no half-move clock: near the 50-move draw, or if what decides would come too late, it bounds
        nothing.
        """
        entry: cython.pointer[Entry] = self.cluster_of(key)
        index: cython.int
        for index in range(4):
            data: U64 = load_u64(cython.address(entry[index].data))
            if load_u64(cython.address(entry[index].check)) ^ data == key and data:
                hit.found = True
                unpack(data, hit)
                if clock >= TRUSTED_CLOCK or (is_decisive(hit.score) and plies_to_end(hit.score) + clock > 100):
                    hit.bound = 0
                if is_win(hit.score):
                    hit.score -= ply
                elif is_loss(hit.score):
                    hit.score += ply
                return
        hit.found = False
        hit.move = NO_MOVE
        hit.bound = 0
        hit.was_pv = False

    def store(
        self,
        key: U64,
        ply: cython.int,
        move: Move,
        score: cython.int,
        static_score: cython.int,
        depth: cython.int,
        bound: cython.int,
        was_pv: cython.bint,
    ) -> cython.void:
        """Remember a result; scores of mates and tablebase wins are kept counted from the position itself."""
        if is_win(score):
            score += ply
        elif is_loss(score):
            score -= ply
        entry: cython.pointer[Entry] = self.cluster_of(key)
        victim: cython.pointer[Entry] = entry
        victim_worth: cython.int = 1 << 20
        index: cython.int
        for index in range(4):
            data: U64 = load_u64(cython.address(entry[index].data))
            if load_u64(cython.address(entry[index].check)) ^ data == key:
                if move == NO_MOVE:
                    move = data & 0xFFFF  # a known best move is better than none
                if bound != EXACT and depth + 4 < depth_of(data) and age_of(data, self.generation) == 0:
                    return  # what is there is worth more
                victim = cython.address(entry[index])
                break
            worth: cython.int = depth_of(data) - 8 * age_of(data, self.generation)
            if not data:
                worth = -(1 << 20)
            if worth < victim_worth:
                victim_worth = worth
                victim = cython.address(entry[index])
        packed: U64 = pack(move, score, static_score, depth, bound, was_pv, self.generation)
        store_u64(cython.address(victim.data), packed)
        store_u64(cython.address(victim.check), key ^ packed)

    def fullness(self) -> cython.int:
        """Entries of the current search in the first thousand, as UCI's hashfull wants it."""
        used: cython.int = 0
        index: cython.int
        for index in range(1000):
            data: U64 = load_u64(cython.address(self.entries[index].data))
            used += data != 0 and age_of(data, self.generation) == 0
        return used

    # For tools and tests.

    def keep(self, key: U64, ply: cython.int, entry: Hit) -> None:
        """`store` for Python callers."""
        self.is_empty = False
        self.store(key, ply, entry.move, entry.score, entry.static_score, entry.depth, entry.bound, entry.was_pv)

    def look_up(self, key: U64, ply: cython.int = 0, clock: cython.int = 0) -> dict[str, int]:
        """`probe` for Python callers; only `found`, `move` and `bound` mean anything if nothing is found."""
        hit = cython.declare(Hit)
        memset(cython.address(hit), 0, cython.sizeof(Hit))
        self.probe(key, ply, clock, cython.address(hit))
        return hit

    def begin_search(self) -> None:
        """`new_search` for Python callers."""
        self.new_search()


# The 64 bits of `data`: move 16, score 16, static score 16, depth 8, bound 2, was_pv 1, generation 5.


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def pack(
    move: Move,
    score: cython.int,
    static_score: cython.int,
    depth: cython.int,
    bound: cython.int,
    was_pv: cython.bint,
    generation: cython.int,
) -> U64:
    return (
        cython.cast(U64, move)
        | cython.cast(U64, score & 0xFFFF) << 16
        | cython.cast(U64, static_score & 0xFFFF) << 32
        | cython.cast(U64, depth & 0xFF) << 48
        | cython.cast(U64, bound) << 56
        | cython.cast(U64, was_pv) << 58
        | cython.cast(U64, generation) << 59
    )


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def unpack(data: U64, hit: cython.pointer[Hit]) -> cython.void:
    hit.move = data & 0xFFFF
    hit.score = cython.cast(cython.short, data >> 16 & 0xFFFF)
    hit.static_score = cython.cast(cython.short, data >> 32 & 0xFFFF)
    hit.depth = depth_of(data)
    hit.bound = data >> 56 & 3
    hit.was_pv = data >> 58 & 1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def depth_of(data: U64) -> cython.int:
    return cython.cast(cython.int, data >> 48 & 0xFF)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def age_of(data: U64, generation: cython.int) -> cython.int:
    """How many searches ago an entry was written."""
    return (generation - cython.cast(cython.int, data >> 59)) & (GENERATIONS - 1)
