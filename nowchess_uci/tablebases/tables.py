"""The tables that are there, opened when first needed, for any number of threads.

Files are not mapped into memory: if a mapped file becomes shorter (an update, a full disk, a share that goes away), the
next access kills the process, and the only remedy is a signal handler that belongs to the whole process. Instead a file
of up to a megabyte is read once, and of a larger one the parts that a probe needs are read when it needs them, by a
call that threads can make at the same time. What cannot be read, or contradicts itself, is reported once and not used
any more. The price is a few system calls a probe for large files, whose bytes the system keeps in memory anyway: a
result took 2.3 instead of 0.7 microseconds where it was measured.

To open a table takes the GIL and a lock, once for each table; after that a look at its state is enough.
"""
# mypy: disable-error-code="attr-defined"

import _thread
import os
import stat
from collections.abc import Callable

import cython
from cython.cimports.libc.stdlib import calloc, free, malloc
from cython.cimports.libc.string import memcpy
from cython.cimports.nowchess_uci.rules.bits import U64
from cython.cimports.nowchess_uci.rules.constants import BLACK, WHITE
from cython.cimports.nowchess_uci.rules.position import Position
from cython.cimports.nowchess_uci.tablebases.access import close_file, load_state, store_state, u16
from cython.cimports.nowchess_uci.tablebases.layout import (
    BLACK_TO_MOVE,
    LOSSES_IN_PLIES,
    MAPPED,
    WIDE_MAP,
    WINS_IN_PLIES,
    Part,
    free_layout,
    read_layout,
)
from cython.cimports.nowchess_uci.tablebases.numbering import MOST_MEN, leading_file, number_of, place_pieces
from cython.cimports.nowchess_uci.tablebases.pairs import DAMAGED, value_at
from cython.cimports.nowchess_uci.tablebases.tables import (
    MOST_VALUE,
    NO_TABLE,
    OTHER_SIDE,
    READY,
    REFUSED,
    SLOT_BITS,
    UNKNOWN,
    UNOPENED,
    Entry,
    Slot,
    material_of,
)

from nowchess_uci.tablebases.folders import Problem, allow_files, find_tables
from nowchess_uci.tablebases.layout import TableError

HEAD_BYTES = 1 << 20  # no header is longer
WHOLE_BYTES = 1 << 20  # files up to this size are read whole


class Tables:
    """The tables of some folders. `on_problem` hears of each file that is not used, by `tell_problems`."""

    def __init__(
        self,
        folders: list[str],
        on_problem: Callable[[Problem], None] = lambda _: None,
        whole_bytes: int = WHOLE_BYTES,
    ) -> None:
        """Raises OSError if a folder cannot be read. What is wrong with single files is only reported."""
        self.on_problem = on_problem
        self.whole_bytes = whole_bytes
        self.problems: list[Problem] = []
        self.lock = _thread.allocate_lock()
        found = find_tables(folders, self.problems.append)
        allow_files(len(found))
        self.paths = [table.path for table in found]
        self.wdl_count = self.dtz_count = self.largest = 0
        self.entries = cython.cast(cython.pointer[Entry], calloc(len(found) + 1, cython.sizeof(Entry)))
        self.slots = cython.cast(cython.pointer[Slot], calloc(1 << SLOT_BITS, cython.sizeof(Slot)))
        if self.entries == cython.NULL or self.slots == cython.NULL:
            raise MemoryError("no memory for the tables")
        number: cython.int
        for number, table in enumerate(found):
            entry: cython.pointer[Entry] = cython.address(self.entries[number])
            entry.state = UNOPENED
            entry.first = table.first
            entry.second = table.second
            entry.is_dtz = table.is_dtz
            entry.source.descriptor = -1
            for white, black in ((table.first, table.second), (table.second, table.first)):
                slot: cython.pointer[Slot] = self.slot_of(white, black)
                if slot.key == 0:
                    slot.key = white | black << 15
                    slot.wdl = slot.dtz = NO_TABLE
                if table.is_dtz:
                    slot.dtz = number
                else:
                    slot.wdl = number
            if table.is_dtz:
                self.dtz_count += 1
            else:
                self.wdl_count += 1
                self.largest = max(self.largest, len(os.path.basename(table.path)) - len("v.rtbw"))
        self.tell_problems()

    def __dealloc__(self) -> None:
        number: cython.int
        if self.entries != cython.NULL and self.paths is not None:
            for number in range(len(self.paths)):
                free_layout(self.entries[number].layout)
                free(self.entries[number].source.memory)
                if self.entries[number].source.descriptor >= 0:
                    close_file(self.entries[number].source.descriptor)
        free(self.entries)
        free(self.slots)

    # Looking up, from any thread.

    def wdl_value(self, position: Position) -> cython.int:
        """What the WDL table says, from -2 to 2 for the side to move, or UNKNOWN.

        It takes no account of captures: where one is at least as good as the rest, the table may say anything less.
        """
        white: cython.int = material_of(position, WHITE)
        black: cython.int = material_of(position, BLACK)
        if white == 0 and black == 0:
            return 0  # two kings
        slot: cython.pointer[Slot] = self.slot_of(white, black)
        if slot.key == 0 or slot.wdl == NO_TABLE:
            return UNKNOWN
        part = cython.declare(cython.pointer[Part])
        value: cython.int = self.value_in(slot.wdl, position, white, cython.address(part))
        if value == UNKNOWN:
            return UNKNOWN
        value &= 0xFF
        if value > MOST_VALUE:
            self.refuse(slot.wdl, DAMAGED)
            return UNKNOWN
        return value - 2

    def dtz_value(self, position: Position, wdl: cython.int) -> cython.int:
        """How many plies the DTZ table says, less one, until the side that wins captures or moves a pawn.

        `wdl` is the true value, which must not be a draw. OTHER_SIDE if the table lacks the side to move, or UNKNOWN.
        """
        white: cython.int = material_of(position, WHITE)
        slot: cython.pointer[Slot] = self.slot_of(white, material_of(position, BLACK))
        if slot.key == 0 or slot.dtz == NO_TABLE:
            return UNKNOWN
        part = cython.declare(cython.pointer[Part])
        value: cython.int = self.value_in(slot.dtz, position, white, cython.address(part))
        if value in (UNKNOWN, OTHER_SIDE):
            return value
        kind: cython.int = (0 if wdl > 0 else 1) + (0 if abs(wdl) == 2 else 2)
        if part.flags & MAPPED:
            if value >= part.map_lengths[kind]:
                self.refuse(slot.dtz, DAMAGED)
                return UNKNOWN
            value = u16(part.maps[kind] + 2 * value) if part.flags & WIDE_MAP else part.maps[kind][value]
        in_plies: cython.int = WINS_IN_PLIES if wdl > 0 else LOSSES_IN_PLIES
        if abs(wdl) != 2 or not part.flags & in_plies:
            value *= 2
        return min(value, OTHER_SIDE // 2)

    def value_in(
        self,
        number: cython.int,
        position: Position,
        white: cython.int,
        found: cython.pointer[cython.pointer[Part]],
    ) -> cython.int:
        """The value that a table has for a position, and the part that it is from; UNKNOWN or OTHER_SIDE if none."""
        if not self.is_usable(number):
            return UNKNOWN
        entry: cython.pointer[Entry] = cython.address(self.entries[number])
        swapped: cython.bint = white != entry.layout.white
        if entry.layout.is_symmetric:
            swapped = position.side == BLACK
        side: cython.int = position.side ^ swapped
        first: cython.pointer[Part] = cython.address(entry.layout.parts[0][0])
        file: cython.int = 0
        if entry.layout.has_pawns:
            file = leading_file(cython.address(first.numbering), position, swapped)
        part: cython.pointer[Part] = cython.address(entry.layout.parts[file][0 if entry.is_dtz else side])
        found[0] = part
        has_both_sides: cython.bint = entry.layout.is_symmetric and not entry.layout.has_pawns
        if entry.is_dtz and not has_both_sides and part.flags & BLACK_TO_MOVE != side:
            return OTHER_SIDE
        squares = cython.declare(cython.int[MOST_MEN])
        place_pieces(cython.address(part.numbering), position, swapped, squares)
        place: U64 = number_of(cython.address(part.numbering), squares)
        value: cython.int = value_at(cython.address(part.pairs), cython.address(entry.source), place)
        if value < 0:
            self.refuse(number, value)
            return UNKNOWN
        return value

    def slot_of(self, white: cython.int, black: cython.int) -> cython.pointer[Slot]:
        """The slot of a material, or the empty one where it would be."""
        key: cython.uint = white | black << 15
        place: cython.uint = key * cython.cast(cython.uint, 0x9E3779B1) >> (32 - SLOT_BITS)
        while self.slots[place].key != key and self.slots[place].key != 0:
            place = (place + 1) & ((1 << SLOT_BITS) - 1)
        return cython.address(self.slots[place])

    # Opening and giving up.

    def is_usable(self, number: cython.int) -> cython.bint:
        """True if a table can be looked into; opens it the first time."""
        state: cython.int = load_state(cython.address(self.entries[number].state))
        if state == UNOPENED:
            with cython.gil:
                self._open(number)
            state = load_state(cython.address(self.entries[number].state))
        return state == READY

    def refuse(self, number: cython.int, value: cython.int) -> cython.void:
        """Do not use a table any more: it is DAMAGED or UNREADABLE."""
        with cython.gil:
            reason = "its data is damaged" if value == DAMAGED else "it cannot be read any more"
            self._give_up(number, reason)

    def _open(self, number: cython.int) -> None:
        """Open a table, unless another thread has done it meanwhile."""
        try:
            with self.lock:
                if load_state(cython.address(self.entries[number].state)) != UNOPENED:
                    return
                reason = self._load(number)
                if not reason:
                    store_state(cython.address(self.entries[number].state), READY)
                    return
            self._give_up(number, reason)
        except KeyboardInterrupt:
            _thread.interrupt_main()  # for whoever waits for it; the table is opened another time

    def _load(self, number: cython.int) -> str:
        """Read the head of a file, or all of it if it is small; returns why that cannot be, or nothing."""
        entry: cython.pointer[Entry] = cython.address(self.entries[number])
        descriptor: cython.int = -1
        try:
            # Not waiting for the other end of what turns out to be a pipe.
            flags = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
            descriptor = os.open(self.paths[number], flags)
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise TableError("it is not a file")
            size: U64 = status.st_size
            head = read_head(descriptor, min(size, HEAD_BYTES))
            entry.layout = read_layout(head, size, entry.first, entry.second, entry.is_dtz)
            if size <= self.whole_bytes and size <= HEAD_BYTES:
                memory: cython.p_uchar = cython.cast(cython.p_uchar, malloc(size))
                if memory == cython.NULL:
                    raise MemoryError("no memory for a table")
                data: cython.p_char = head
                memcpy(memory, data, size)
                entry.source.memory = memory
            else:
                entry.source.descriptor = descriptor
                descriptor = -1
            entry.source.size = size
        except OSError as error:
            return error.strerror or str(error)
        except (TableError, MemoryError, ValueError) as error:
            return str(error)
        finally:
            if descriptor >= 0:
                close_file(descriptor)
        return ""

    def _give_up(self, number: cython.int, reason: str) -> None:
        """Report a table once; it is not used from now on."""
        with self.lock:
            state: cython.int = load_state(cython.address(self.entries[number].state))
            store_state(cython.address(self.entries[number].state), REFUSED)
        if state != REFUSED:
            self.problems.append(Problem(self.paths[number], reason))

    def tell_problems(self) -> cython.void:
        """Hand each problem to `on_problem`, once, on this thread.

        Not where a problem is met: a search's helpers may still meet one when it has given its answer, and then the
        engine has to be silent. It waits for the next search. What the listener raises is shown on stderr, and no
        search ends for it.
        """
        try:
            while self.told < len(self.problems):
                self.told += 1
                self.on_problem(self.problems[self.told - 1])
        except KeyboardInterrupt:
            _thread.interrupt_main()  # as in `_open`


def read_head(descriptor: int, count: int) -> bytes:
    """The first bytes of a file; raises TableError if there are fewer."""
    parts = []
    while count > 0:
        part = os.read(descriptor, count)
        if not part:
            raise TableError("the file has become shorter")
        parts.append(part)
        count -= len(part)
    return b"".join(parts)
