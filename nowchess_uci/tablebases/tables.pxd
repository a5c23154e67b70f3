cimport cython

from nowchess_uci.rules.bits cimport U64, popcount
from nowchess_uci.rules.position cimport Position
from nowchess_uci.tablebases.access cimport Source
from nowchess_uci.tablebases.layout cimport Layout, Part

cdef enum:
    UNOPENED = 0
    READY = 1
    REFUSED = 2

cdef enum:
    SLOT_BITS = 13              # all tables of up to seven men, either colour, fill less than half
    NO_TABLE = -1
    MOST_VALUE = 4              # of a WDL table: -2 to 2 are stored as 0 to 4

# What a look into a table may come to besides a value.
cdef enum:
    UNKNOWN = 0x7FFF            # there is no table, or none that can be used
    OTHER_SIDE = 0x7FFE         # the table has only positions with the other side to move

cdef struct Entry:
    int state                   # by load_state and store_state
    int first                   # the material of the name's first side
    int second
    bint is_dtz
    Layout* layout
    Source source

# The tables of one material, found by White's and Black's pieces.
cdef struct Slot:
    unsigned int key            # 0 if empty
    int wdl
    int dtz


@cython.final
cdef class Tables:
    cdef Entry* entries
    cdef Slot* slots
    cdef readonly list paths
    cdef readonly int wdl_count
    cdef readonly int dtz_count
    cdef readonly int largest           # men of the largest WDL table
    cdef readonly list problems         # what is not used, and why
    cdef int told                       # how many of them `on_problem` has heard of
    cdef object on_problem
    cdef U64 whole_bytes                # files up to this size are kept in memory
    cdef object lock

    cdef int wdl_value(self, Position position) noexcept nogil
    cdef int dtz_value(self, Position position, int wdl) noexcept nogil
    cdef int value_in(self, int number, Position position, int white, Part** found) noexcept nogil
    cdef Slot* slot_of(self, int white, int black) noexcept nogil
    cdef bint is_usable(self, int number) noexcept nogil
    cpdef void tell_problems(self) noexcept
    cdef void refuse(self, int number, int value) noexcept nogil


cdef inline int material_of(Position position, int color) noexcept nogil:
    """The pieces of one side: three bits for each type, which is enough for seven men."""
    cdef int material = 0
    cdef int kind
    for kind in range(5):
        material |= popcount(position.by_type[kind] & position.by_color[color]) << 3 * kind
    return material
