"""Reading the head of a table's file: what is in it and where, checked so that probing need not.

A file is a magic number, the order of the pieces of each part, how each part is compressed, for DTZ the maps of its
values, then for all parts their index, their block lengths and their blocks. A checksum of 16 bytes ends it; it is not
verified, since that would mean to read the whole file.
"""
# mypy: disable-error-code="attr-defined"

import cython
from cython.cimports.libc.stdlib import calloc, free, malloc
from cython.cimports.libc.string import memcpy, memset
from cython.cimports.nowchess_uci.rules.bits import U64
from cython.cimports.nowchess_uci.rules.constants import BLACK, KING, PAWN, WHITE, file_of, piece_of, type_of
from cython.cimports.nowchess_uci.tablebases.access import u16, u32
from cython.cimports.nowchess_uci.tablebases.layout import MAPPED, WIDE_MAP, Layout, Part
from cython.cimports.nowchess_uci.tablebases.numbering import (
    PAWN_FILES,
    PAWNS,
    THREE_PIECES,
    TWO_KINGS,
    Numbering,
    number_of,
    put_pawn_first,
    set_factors,
)
from cython.cimports.nowchess_uci.tablebases.pairs import (
    LEAST_BLOCK_BITS,
    LONGEST_CODE,
    MOST_BLOCK_BITS,
    MOST_SPAN_BITS,
    MOST_SYMBOLS,
    Pairs,
    measure_symbols,
    note_lengths,
)

WDL_MAGIC = b"\x71\xe8\x23\x5d"
DTZ_MAGIC = b"\xd7\x66\x0c\xa5"
CHECKSUM_BYTES = 16
BLOCK_ALIGNMENT = 64
IS_SPLIT = 1  # both sides to move are stored
HAS_PAWNS = 2
IS_CONSTANT = 0x80


class TableError(Exception):
    """A file that is no table, or a damaged one."""


class Reader:
    """The bytes at the head of a file, one after the other."""

    def byte(self) -> cython.int:
        """One byte."""
        return self.skip(1)[0]

    def two(self) -> cython.int:
        """Two bytes as a number."""
        return u16(self.skip(2))

    def four(self) -> cython.longlong:
        """Four bytes as a number."""
        return u32(self.skip(4))

    def skip(self, count: U64) -> cython.pointer[cython.const[cython.uchar]]:
        """Some bytes as they are."""
        if count > self.size - self.place:
            raise TableError("the file ends inside its header")
        self.place += count
        return self.data + (self.place - count)

    def align(self) -> cython.int:
        """To an even place."""
        if self.place & 1:
            self.skip(1)
        return 0


def read_layout(
    head: bytes, file_size: U64, first: cython.int, second: cython.int, is_dtz: cython.bint
) -> cython.pointer[Layout]:
    """The layout of a file with this head and the material of this name; raises TableError or MemoryError."""
    if file_size % BLOCK_ALIGNMENT != CHECKSUM_BYTES:
        raise TableError(f"{file_size} bytes is not the size of a table: the file is not complete")
    if head[:4] != (DTZ_MAGIC if is_dtz else WDL_MAGIC):
        raise TableError("the file does not begin as a table does")
    layout: cython.pointer[Layout] = cython.cast(cython.pointer[Layout], calloc(1, cython.sizeof(Layout)))
    if layout == cython.NULL:
        raise MemoryError("no memory for a table")
    try:
        reader = Reader()
        reader.data = head
        reader.size = len(head)
        reader.place = 4
        layout.is_dtz = is_dtz
        layout.is_symmetric = first == second
        read_parts(layout, reader, first, second)
        layout.header = cython.cast(cython.p_uchar, malloc(reader.place))
        if layout.header == cython.NULL:
            raise MemoryError("no memory for a table")
        memcpy(layout.header, reader.data, reader.place)
        file: cython.int
        side: cython.int
        kind: cython.int
        for file in range(layout.files):
            for side in range(layout.sides):
                part: cython.pointer[Part] = cython.address(layout.parts[file][side])
                if part.pairs.constant < 0:
                    part.pairs.halves = layout.header + (part.pairs.halves - reader.data)
                for kind in range(4):
                    if part.map_lengths[kind]:
                        part.maps[kind] = layout.header + (part.maps[kind] - reader.data)
        place_data(layout, reader.place, file_size)
    except BaseException:
        free_layout(layout)
        raise
    return layout


def free_layout(layout: cython.pointer[Layout]) -> cython.void:
    """Give the memory back."""
    if layout == cython.NULL:
        return
    file: cython.int
    side: cython.int
    for file in range(PAWN_FILES):
        for side in range(2):
            free(layout.parts[file][side].pairs.lengths)
    free(layout.header)
    free(layout)


def read_parts(layout: cython.pointer[Layout], reader: Reader, first: cython.int, second: cython.int) -> cython.int:
    """Everything before the index."""
    kinds: cython.int = reader.byte()
    layout.has_pawns = (first | second) & 7 != 0
    layout.sides = 1 if layout.is_dtz or layout.is_symmetric else 2
    layout.files = PAWN_FILES if layout.has_pawns else 1
    if (kinds & HAS_PAWNS != 0) != layout.has_pawns:
        raise TableError("the file is another table than its name says")
    if not layout.is_dtz and (kinds & IS_SPLIT != 0) != (layout.sides == 2):
        raise TableError("the header contradicts the name of the file")
    file: cython.int
    side: cython.int
    for file in range(layout.files):
        read_pieces(layout, reader, file, first, second)
    reader.align()
    for file in range(layout.files):
        for side in range(layout.sides):
            read_pairs(cython.address(layout.parts[file][side]), reader, layout.is_dtz)
    if layout.is_dtz:
        for file in range(layout.files):
            read_maps(cython.address(layout.parts[file][0]), reader)
    return reader.align()


def read_pieces(
    layout: cython.pointer[Layout], reader: Reader, file: cython.int, first: cython.int, second: cython.int
) -> cython.int:
    """The order of the pieces, for one file of the leading pawn and all sides to move: four bits each."""
    both_have_pawns: cython.bint = first & 7 != 0 and second & 7 != 0
    orders: cython.int = reader.byte()
    other_orders: cython.int = reader.byte() if both_have_pawns else 0
    layout.men = 2
    count: cython.int
    for count in range(5):
        layout.men += (first >> 3 * count & 7) + (second >> 3 * count & 7)
    codes: cython.pointer[cython.const[cython.uchar]] = reader.skip(layout.men)
    side: cython.int
    slot: cython.int
    for side in range(layout.sides):
        numbering: cython.pointer[Numbering] = cython.address(layout.parts[file][side].numbering)
        numbering.men = layout.men
        numbering.has_other_pawns = both_have_pawns
        material = cython.declare(cython.int[2])
        material[WHITE] = material[BLACK] = 0
        kings: cython.int = 0
        for slot in range(layout.men):
            code: cython.int = codes[slot] >> 4 * side & 15
            kind: cython.int = (code & 7) - 1
            if kind < PAWN or kind > KING:
                raise TableError("the header names a piece that does not exist")
            numbering.pieces[slot] = piece_of(kind, code >> 3)
            if kind == KING:
                kings += 1 << 4 * (code >> 3)
            else:
                material[code >> 3] += 1 << 3 * kind  # up to seven of a type: no overflow into the next
        fits: cython.bint = material[WHITE] == first and material[BLACK] == second
        if (not fits and (material[WHITE] != second or material[BLACK] != first)) or kings != 0x11:
            raise TableError("the file is another table than its name says")
        if file == 0 and side == 0:
            layout.white = material[WHITE]
        elif layout.white != material[WHITE]:
            raise TableError("the parts of the file contradict each other")
        set_groups(numbering)
        lead: cython.int = layout.parts[0][0].numbering.pieces[0]
        if layout.has_pawns and numbering.pieces[0] != lead:
            raise TableError("the parts of the file contradict each other")
        if not set_factors(numbering, file, orders >> 4 * side & 15, other_orders >> 4 * side & 15):
            raise TableError("the header has an impossible order of pieces")
    return 0


def set_groups(numbering: cython.pointer[Numbering]) -> cython.int:
    """Divide the pieces into groups; raises TableError if equal ones do not stand side by side, or the head is none."""
    runs = cython.declare(cython.int[7])
    count: cython.int = 0
    singles: cython.int = 0
    slot: cython.int
    other: cython.int
    for slot in range(numbering.men):
        if slot > 0 and numbering.pieces[slot] == numbering.pieces[slot - 1]:
            runs[count - 1] += 1
            continue
        for other in range(slot):
            if numbering.pieces[other] == numbering.pieces[slot]:
                raise TableError("the header has an impossible order of pieces")
        runs[count] = 1
        count += 1
    for slot in range(count):
        singles += runs[slot] == 1

    heads: cython.int = 1
    right: cython.bint = True
    if type_of(numbering.pieces[0]) == PAWN:
        numbering.head = PAWNS
        if numbering.has_other_pawns:
            right = type_of(numbering.pieces[runs[0]]) == PAWN
    elif singles >= 3:
        numbering.head = THREE_PIECES
        heads = 3
        right = runs[0] == 1 and runs[1] == 1 and runs[2] == 1
    else:
        numbering.head = TWO_KINGS
        heads = 2
        right = type_of(numbering.pieces[0]) == KING and type_of(numbering.pieces[1]) == KING
    for slot in range(numbering.men):  # pawns lead wherever there are any
        if type_of(numbering.pieces[slot]) == PAWN and numbering.head != PAWNS:
            right = False
    if not right:
        raise TableError("the header has an impossible order of pieces")
    numbering.groups = 1
    numbering.sizes[0] = runs[0] if numbering.head == PAWNS else heads
    for slot in range(heads, count):
        numbering.sizes[numbering.groups] = runs[slot]
        numbering.groups += 1
    return 0


def read_pairs(part: cython.pointer[Part], reader: Reader, is_dtz: cython.bint) -> cython.int:
    """How one part is compressed."""
    pairs: cython.pointer[Pairs] = cython.address(part.pairs)
    part.flags = reader.byte()
    first: cython.int = reader.byte()
    if part.flags & IS_CONSTANT:
        pairs.constant = 0 if is_dtz else first
        return 0
    pairs.constant = -1
    pairs.block_bits = first
    pairs.span_bits = reader.byte()
    more: cython.int = reader.byte()
    pairs.blocks = reader.four()
    pairs.block_lengths = pairs.blocks + more
    if not LEAST_BLOCK_BITS <= pairs.block_bits <= MOST_BLOCK_BITS or not 1 <= pairs.span_bits <= MOST_SPAN_BITS:
        raise TableError("the header has impossible sizes")
    span: U64 = cython.cast(U64, 1) << pairs.span_bits
    pairs.entries = (part.numbering.total + span - 1) >> pairs.span_bits
    return read_codes(pairs, reader)


def read_codes(pairs: cython.pointer[Pairs], reader: Reader) -> cython.int:
    """The codes of the symbols and what each symbol stands for.

    Codes of one length are consecutive numbers, and their symbols too. Longer codes have lower numbers, so the lowest
    of each length follows from the next longer ones.
    """
    pairs.longest = reader.byte()
    pairs.shortest = reader.byte()
    if not 1 <= pairs.shortest <= pairs.longest <= LONGEST_CODE:
        raise TableError("the header has impossible code lengths")
    length: cython.int
    for length in range(pairs.shortest, pairs.longest + 1):
        pairs.first[length] = reader.two()
    lowest: cython.longlong = 0
    pairs.lowest[pairs.longest] = 0
    for length in range(pairs.longest - 1, pairs.shortest - 1, -1):
        lowest = (lowest + pairs.first[length] - pairs.first[length + 1]) // 2
        if lowest < 0 or lowest >> length:
            raise TableError("the header has impossible codes")
        pairs.lowest[length] = cython.cast(U64, lowest) << (64 - length)
    note_lengths(pairs)
    pairs.symbols = reader.two()
    if not 1 <= pairs.symbols <= MOST_SYMBOLS:
        raise TableError("the header has an impossible number of symbols")
    pairs.halves = reader.skip(3 * pairs.symbols)
    reader.align()
    pairs.lengths = cython.cast(cython.pointer[cython.ushort], calloc(pairs.symbols, cython.sizeof(cython.ushort)))
    if pairs.lengths == cython.NULL:
        raise MemoryError("no memory for a table")
    if measure_symbols(pairs) < 0:
        raise TableError("the header has impossible symbols")
    return 0


def read_maps(part: cython.pointer[Part], reader: Reader) -> cython.int:
    """What the values of a DTZ table mean, for each kind of result."""
    kind: cython.int
    if not part.flags & MAPPED:
        return 0
    if part.flags & WIDE_MAP:
        reader.align()
    for kind in range(4):
        if part.flags & WIDE_MAP:
            part.map_lengths[kind] = reader.two()
            part.maps[kind] = reader.skip(2 * part.map_lengths[kind])
        else:
            part.map_lengths[kind] = reader.byte()
            part.maps[kind] = reader.skip(part.map_lengths[kind])
    return 0


def place_data(layout: cython.pointer[Layout], place: U64, file_size: U64) -> cython.int:
    """Work out where index, block lengths and blocks of each part are; raises TableError if not all are in the file."""
    what: cython.int
    number: cython.int
    for what in range(3):
        for number in range(layout.files * layout.sides):
            pairs: cython.pointer[Pairs] = cython.address(
                layout.parts[number // layout.sides][number % layout.sides].pairs
            )
            if pairs.constant >= 0:
                continue
            if what == 0:
                pairs.index_place = place
                place += 6 * pairs.entries
            elif what == 1:
                pairs.lengths_place = place
                place += 2 * pairs.block_lengths
            else:
                place = (place + BLOCK_ALIGNMENT - 1) // BLOCK_ALIGNMENT * BLOCK_ALIGNMENT
                pairs.data_place = place
                place += pairs.blocks << pairs.block_bits
    if place > file_size - CHECKSUM_BYTES:
        raise TableError(f"the file is not complete: {place} bytes are needed, it has {file_size}")
    return 0


# For tests: there are no tables of more than four men to fetch.


def number_placement(pieces: bytes, squares: list[int], order: cython.int, other_order: cython.int) -> tuple[int, int]:
    """The number of a placement in a table with these pieces in this order, and how many there are."""
    numbering = cython.declare(Numbering)
    memset(cython.address(numbering), 0, cython.sizeof(Numbering))
    placed = cython.declare(cython.int[7])
    slot: cython.int
    if not len(squares) == len(pieces) <= 7:
        raise ValueError("a table has up to seven men, each on a square")
    numbering.men = len(pieces)
    for slot in range(numbering.men):
        numbering.pieces[slot] = pieces[slot]
        placed[slot] = squares[slot] & 63
    numbering.has_other_pawns = piece_of(PAWN, WHITE) in pieces and piece_of(PAWN, BLACK) in pieces
    set_groups(cython.address(numbering))
    if numbering.head == PAWNS:
        put_pawn_first(placed, numbering.sizes[0])
    file: cython.int = min(file_of(placed[0]), 7 - file_of(placed[0]))
    if not set_factors(cython.address(numbering), file, order, other_order):
        raise TableError("the header has an impossible order of pieces")
    return number_of(cython.address(numbering), placed), numbering.total
