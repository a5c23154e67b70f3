# What a table's file holds, and where.

from nowchess_uci.rules.bits cimport U64
from nowchess_uci.tablebases.numbering cimport PAWN_FILES, Numbering
from nowchess_uci.tablebases.pairs cimport Pairs

# The flags of a part of a DTZ table.
cdef enum:
    BLACK_TO_MOVE = 1       # whose positions are stored
    MAPPED = 2              # values are indices of a map
    WINS_IN_PLIES = 4       # otherwise in moves
    LOSSES_IN_PLIES = 8
    WIDE_MAP = 16           # of two bytes each

# The positions with one side to move and the leading pawn on one file.
cdef struct Part:
    Numbering numbering
    Pairs pairs
    int flags
    const unsigned char* maps[4]    # for wins, losses, cursed wins, blessed losses
    int map_lengths[4]

cdef struct Layout:
    bint is_dtz
    bint has_pawns
    bint is_symmetric               # both sides have the same pieces
    int sides
    int files
    int men
    int white                       # the material that the file calls White's
    unsigned char* header           # everything before the index
    Part parts[PAWN_FILES][2]       # by file and side to move

# Reads the head of a file from the front; raises TableError at its end.
cdef class Reader:
    cdef const unsigned char* data
    cdef U64 size
    cdef U64 place

    cdef int byte(self) except -1
    cdef int two(self) except -1
    cdef long long four(self) except -1
    cdef const unsigned char* skip(self, U64 count) except NULL
    cdef int align(self) except -1

cdef Layout* read_layout(bytes head, U64 file_size, int first, int second, bint is_dtz) except NULL
cdef void free_layout(Layout* layout) noexcept nogil
cdef int read_parts(Layout* layout, Reader reader, int first, int second) except -1
cdef int read_pieces(Layout* layout, Reader reader, int file, int first, int second) except -1
cdef int set_groups(Numbering* numbering) except -1
cdef int read_pairs(Part* part, Reader reader, bint is_dtz) except -1
cdef int read_codes(Pairs* pairs, Reader reader) except -1
cdef int read_maps(Part* part, Reader reader) except -1
cdef int place_data(Layout* layout, U64 place, U64 file_size) except -1
