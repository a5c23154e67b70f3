# Bitboards: bit n of a U64 stands for square n, a1 = 0, b1 = 1, ... h8 = 63.

from libc.stdint cimport uint64_t

ctypedef uint64_t U64

cdef extern from "bits.h" nogil:
    int popcount(U64 bits) noexcept
    int lsb(U64 bits) noexcept
    int msb(U64 bits) noexcept
    U64 high_half(U64 a, U64 b) noexcept
    void prefetch_line(const void* address) noexcept


cdef inline U64 bit(int square) noexcept nogil:
    return <U64>1 << square


cdef inline bint has_several(U64 bits) noexcept nogil:
    return (bits & (bits - 1)) != 0
