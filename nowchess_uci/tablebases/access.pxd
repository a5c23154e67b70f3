# The bytes of a table's file, in memory or read when needed. See file_access.h and `tables` for the reasons.

from nowchess_uci.rules.bits cimport U64

cdef extern from "file_access.h" nogil:
    bint read_at(int descriptor, unsigned char* buffer, int count, U64 place) noexcept
    void close_file(int descriptor) noexcept
    int load_state(const int* place) noexcept
    void store_state(int* place, int value) noexcept

cdef struct Source:
    unsigned char* memory       # the whole file if it is small, else NULL
    int descriptor              # open for reading if it is not in memory, else -1
    U64 size


cdef inline const unsigned char* fetch(Source* source, U64 place, int count, unsigned char* buffer) noexcept nogil:
    """So many bytes of the file, maybe in the buffer; NULL if the file has not got them, or not any more."""
    if place > source.size or <U64>count > source.size - place:
        return NULL
    if source.memory != NULL:
        return source.memory + place
    return buffer if read_at(source.descriptor, buffer, count, place) else NULL


cdef inline unsigned int u16(const unsigned char* bytes) noexcept nogil:
    """Two bytes, little-endian."""
    return bytes[0] | <unsigned int>bytes[1] << 8


cdef inline unsigned int u32(const unsigned char* bytes) noexcept nogil:
    """Four bytes, little-endian."""
    return u16(bytes) | u16(bytes + 2) << 16


cdef inline U64 big_u32(const unsigned char* bytes) noexcept nogil:
    """Four bytes, big-endian."""
    return <U64>bytes[0] << 24 | <U64>bytes[1] << 16 | <U64>bytes[2] << 8 | bytes[3]
