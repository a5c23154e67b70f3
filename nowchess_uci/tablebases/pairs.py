"""The compression of the tables: a value by its number.

Values that often stand side by side are replaced by one symbol, again and again ("recursive pairing"), so that a symbol
is a tree whose leaves are values. The symbols are written in canonical Huffman codes, in blocks of equal size; an
index leads near the block, and the list of block lengths the rest of the way.

Nothing here trusts the file: a number that leads nowhere ends in DAMAGED, every loop has an end, and no byte outside
of the file is touched.
"""

import cython
from cython.cimports.nowchess_uci.rules.bits import U64
from cython.cimports.nowchess_uci.tablebases.access import Source, big_u32, fetch, u16, u32
from cython.cimports.nowchess_uci.tablebases.pairs import (
    DAMAGED,
    LEAF,
    MOST_BLOCK_BYTES,
    MOST_STEPS,
    MOST_SYMBOLS,
    UNREADABLE,
    Pairs,
    Window,
    left_of,
    right_of,
)


def value_at(pairs: cython.pointer[Pairs], source: cython.pointer[Source], number: U64) -> cython.int:
    """The value with this number, or DAMAGED or UNREADABLE."""
    if pairs.constant >= 0:
        return pairs.constant
    entry_number: U64 = number >> pairs.span_bits
    if entry_number >= pairs.entries:
        return DAMAGED
    buffer = cython.declare(cython.uchar[8])
    entry: cython.pointer[cython.const[cython.uchar]] = fetch(source, pairs.index_place + 6 * entry_number, 6, buffer)
    if entry == cython.NULL:
        return UNREADABLE
    # An entry knows the block of the value in the middle of its span, and where in the block that stands.
    block: cython.longlong = u32(entry)
    span: cython.longlong = cython.cast(cython.longlong, 1) << pairs.span_bits
    offset: cython.longlong = cython.cast(cython.longlong, number & cython.cast(U64, span - 1)) - span // 2
    offset += u16(entry + 4)

    window = cython.declare(Window)
    window.first = window.end = 0
    length: cython.longlong
    for _ in range(MOST_STEPS):
        if offset < 0:
            block -= 1
        length = block_length(pairs, source, cython.address(window), block)
        if length < 0:
            return cython.cast(cython.int, length)
        if offset < 0:
            offset += length
            if offset >= 0:
                break
        elif offset < length:
            break
        else:
            offset -= length
            block += 1
    else:
        return DAMAGED
    return read_block(pairs, source, block, offset)


def block_length(
    pairs: cython.pointer[Pairs],
    source: cython.pointer[Source],
    window: cython.pointer[Window],
    block: cython.longlong,
) -> cython.longlong:
    """How many values a block holds, or DAMAGED or UNREADABLE. The window is what was read of the list before."""
    if block < window.first or block >= window.end:
        total: cython.longlong = pairs.block_lengths
        if block < 0 or block >= total:
            return DAMAGED
        window.first = max(block - 16, 0)
        window.end = min(window.first + 32, total)
        window.bytes = fetch(
            source,
            pairs.lengths_place + 2 * window.first,
            cython.cast(cython.int, 2 * (window.end - window.first)),
            window.buffer,
        )
        if window.bytes == cython.NULL:
            window.end = window.first
            return UNREADABLE
    return cython.cast(cython.longlong, u16(window.bytes + 2 * (block - window.first))) + 1


def read_block(
    pairs: cython.pointer[Pairs], source: cython.pointer[Source], block: cython.longlong, offset: cython.longlong
) -> cython.int:
    """The value that stands so far into a block, or DAMAGED or UNREADABLE."""
    if block >= cython.cast(cython.longlong, pairs.blocks):
        return DAMAGED
    buffer = cython.declare(cython.uchar[MOST_BLOCK_BYTES])
    size: cython.int = 1 << pairs.block_bits
    place: U64 = pairs.data_place + (cython.cast(U64, block) << pairs.block_bits)
    data: cython.pointer[cython.const[cython.uchar]] = fetch(source, place, size, buffer)
    if data == cython.NULL:
        return UNREADABLE

    # The next 64 bits; after the end of the block come zeros.
    code: U64 = big_u32(data) << 32 | big_u32(data + 4)
    read: cython.int = 8
    used: cython.int = 0
    number: U64
    symbol: cython.int
    while True:
        length: cython.int = pairs.length_from[code >> 56]
        while code < pairs.lowest[length]:  # the lowest of the longest is 0
            length += 1
        number = pairs.first[length] + ((code - pairs.lowest[length]) >> (64 - length))
        if number >= cython.cast(U64, pairs.symbols):
            return DAMAGED
        symbol = cython.cast(cython.int, number)
        if offset <= pairs.lengths[symbol]:
            break
        offset -= pairs.lengths[symbol] + 1
        code <<= length
        used += length
        if used >= 32:
            used -= 32
            if read + 4 <= size:
                code |= big_u32(data + read) << used
            read += 4

    # Down the tree to the leaf.
    while pairs.lengths[symbol]:
        left: cython.int = left_of(pairs, symbol)
        if offset <= pairs.lengths[left]:
            symbol = left
        else:
            offset -= pairs.lengths[left] + 1
            symbol = right_of(pairs, symbol)
    return left_of(pairs, symbol)


def note_lengths(pairs: cython.pointer[Pairs]) -> cython.void:
    """Fill `length_from`, which saves most of the way to a code's length."""
    bits: cython.int
    for bits in range(256):
        greatest: U64 = cython.cast(U64, bits) << 56 | ~cython.cast(U64, 0) >> 8
        length: cython.int = pairs.shortest
        while greatest < pairs.lowest[length]:
            length += 1
        pairs.length_from[bits] = length


def measure_symbols(pairs: cython.pointer[Pairs]) -> cython.int:
    """Fill `lengths`; DAMAGED if a symbol has a half that does not exist, contains itself, or is too long, else 0.

    The halves of a symbol may have greater numbers than itself, so this walks the trees, with a stack of its own.
    """
    known = cython.declare(cython.uchar[MOST_SYMBOLS])
    stack = cython.declare(cython.ushort[MOST_SYMBOLS])
    unknown: cython.uchar = 0
    open_: cython.uchar = 1
    done: cython.uchar = 2
    root: cython.int
    half: cython.int
    for root in range(pairs.symbols):
        known[root] = unknown
    for root in range(pairs.symbols):
        if known[root] == done:
            continue
        height: cython.int = 1
        stack[0] = root
        known[root] = open_
        while height > 0:
            symbol: cython.int = stack[height - 1]
            left: cython.int = left_of(pairs, symbol)
            right: cython.int = right_of(pairs, symbol)
            if right == LEAF:
                pairs.lengths[symbol] = 0
                known[symbol] = done
                height -= 1
                continue
            if left >= pairs.symbols or right >= pairs.symbols:
                return DAMAGED
            if known[left] == done and known[right] == done:
                total: cython.int = pairs.lengths[left] + pairs.lengths[right] + 1
                if total > 0xFFFF:
                    return DAMAGED
                pairs.lengths[symbol] = total
                known[symbol] = done
                height -= 1
                continue
            half = left if known[left] != done else right
            if known[half] == open_:
                return DAMAGED
            known[half] = open_
            stack[height] = half
            height += 1
    return 0
