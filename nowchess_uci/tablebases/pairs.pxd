# One array of small values, compressed: which value stands at which place. All places are bytes from the file's start.

from nowchess_uci.rules.bits cimport U64
from nowchess_uci.tablebases.access cimport Source

cdef enum:
    LONGEST_CODE = 32
    MOST_SYMBOLS = 4095
    LEAST_BLOCK_BITS = 3
    MOST_BLOCK_BITS = 16
    MOST_BLOCK_BYTES = 65536
    MOST_SPAN_BITS = 32
    MOST_STEPS = 65536      # from one block's length to the next; a sound file needs a few
    LEAF = 0xFFF            # in place of the right half: the symbol is a single value

# What reading may come to instead of a value.
cdef enum:
    DAMAGED = -1            # the bytes contradict each other
    UNREADABLE = -2         # the file has become shorter, or the system does not give its bytes

cdef struct Pairs:
    int constant                        # the value of all positions if it is only one, else -1
    int span_bits                       # one entry of the index for so many values (as a power of two)
    int block_bits                      # bytes of a block, likewise
    int shortest                        # length of the shortest code in bits
    int longest
    U64 lowest[LONGEST_CODE + 1]        # by length: the lowest code, at the upper end of 64 bits
    unsigned short first[LONGEST_CODE + 1]      # and its symbol
    unsigned char length_from[256]      # by the first eight bits of a code: it is at least so long
    int symbols
    const unsigned char* halves         # three bytes for each symbol: its left half or value, and its right half
    unsigned short* lengths             # how many values a symbol stands for, less one
    U64 entries                         # of the index
    U64 blocks                          # with data
    U64 block_lengths                   # a few more than blocks
    U64 index_place
    U64 lengths_place
    U64 data_place

# A part of the list of block lengths.
cdef struct Window:
    const unsigned char* bytes
    long long first
    long long end
    unsigned char buffer[64]

cdef int value_at(Pairs* pairs, Source* source, U64 number) noexcept nogil
cdef long long block_length(Pairs* pairs, Source* source, Window* window, long long block) noexcept nogil
cdef int read_block(Pairs* pairs, Source* source, long long block, long long offset) noexcept nogil
cdef void note_lengths(Pairs* pairs) noexcept nogil
cdef int measure_symbols(Pairs* pairs) noexcept nogil


cdef inline int left_of(Pairs* pairs, int symbol) noexcept nogil:
    """The left half of a symbol; of a leaf, its value."""
    return pairs.halves[3 * symbol] | (pairs.halves[3 * symbol + 1] & 15) << 8


cdef inline int right_of(Pairs* pairs, int symbol) noexcept nogil:
    """The right half of a symbol, or LEAF."""
    return pairs.halves[3 * symbol + 1] >> 4 | pairs.halves[3 * symbol + 2] << 4
