from nowchess_uci.rules.bits cimport U64

# How to find the attack set of one slider on one square: the blockers that matter, multiplied, index a table.
cdef struct Magic:
    U64 mask
    U64 factor
    U64* attacks
    int shift

cdef struct AttackTables:
    U64 pawn[2][64]         # squares a pawn of that colour attacks
    U64 knight[64]
    U64 king[64]
    U64 bishop_rays[64]     # on an empty board
    U64 rook_rays[64]
    U64 between[64][64]     # strictly between two squares on a line, else 0
    U64 line[64][64]        # the whole line through two squares, edge to edge, else 0
    Magic bishop[64]
    Magic rook[64]

cdef AttackTables tables

ctypedef int* Steps         # pairs of a file step and a rank step

cdef U64 walk(int square, Steps steps, int pairs, int reach, U64 blockers) noexcept nogil
cdef int fill_magic(Magic* magic, int square, Steps steps) noexcept nogil
cdef void fill_lines(int origin) noexcept nogil
cdef void fill_tables() except *


cdef inline U64 bishop_attacks(int square, U64 occupied) noexcept nogil:
    cdef Magic* magic = &tables.bishop[square]
    return magic.attacks[((occupied & magic.mask) * magic.factor) >> magic.shift]


cdef inline U64 rook_attacks(int square, U64 occupied) noexcept nogil:
    cdef Magic* magic = &tables.rook[square]
    return magic.attacks[((occupied & magic.mask) * magic.factor) >> magic.shift]
