/* 64-bit bit operations that Python has no words for. The only C in the package. */
#ifndef NOWCHESS_BITS_H
#define NOWCHESS_BITS_H

#include <stdint.h>

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>

#if defined(_M_ARM64)
static __forceinline int popcount(uint64_t bits) { return (int)_CountOneBits64(bits); }
#else
static __forceinline int popcount(uint64_t bits) { return (int)__popcnt64(bits); }
#endif

/* Index of the lowest set bit; bits must not be 0. */
static __forceinline int lsb(uint64_t bits)
{
    unsigned long index;
    _BitScanForward64(&index, bits);
    return (int)index;
}

#else

static inline int popcount(uint64_t bits) { return __builtin_popcountll(bits); }

/* Index of the lowest set bit; bits must not be 0. */
static inline int lsb(uint64_t bits) { return __builtin_ctzll(bits); }

#endif

#endif
