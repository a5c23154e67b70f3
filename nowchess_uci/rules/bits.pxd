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


cdef inline U64 next_random(U64* state) noexcept nogil:
    """SplitMix64 (Steele, Lea, Flood 2014): the next of a sequence of random numbers; any state will do to start."""
    state[0] += <U64>0x9E3779B97F4A7C15
    cdef U64 mixed = (state[0] ^ (state[0] >> 30)) * <U64>0xBF58476D1CE4E5B9
    mixed = (mixed ^ (mixed >> 27)) * <U64>0x94D049BB133111EB
    return mixed ^ (mixed >> 31)


cdef inline bint has_several(U64 bits) noexcept nogil:
    return (bits & (bits - 1)) != 0
