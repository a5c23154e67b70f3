/* 64-bit bit operations that Python has no words for. */
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

/* Index of the highest set bit; bits must not be 0. */
static __forceinline int msb(uint64_t bits)
{
    unsigned long index;
    _BitScanReverse64(&index, bits);
    return (int)index;
}

/* The upper 64 bits of a product. */
static __forceinline uint64_t high_half(uint64_t a, uint64_t b) { return __umulh(a, b); }

#if defined(_M_ARM64)
static __forceinline void prefetch_line(const void *address) { __prefetch(address); }
#else
static __forceinline void prefetch_line(const void *address) { _mm_prefetch((const char *)address, _MM_HINT_T0); }
#endif

#else

static inline int popcount(uint64_t bits) { return __builtin_popcountll(bits); }

/* Index of the lowest set bit; bits must not be 0. */
static inline int lsb(uint64_t bits) { return __builtin_ctzll(bits); }

/* Index of the highest set bit; bits must not be 0. */
static inline int msb(uint64_t bits) { return 63 - __builtin_clzll(bits); }

/* The upper 64 bits of a product. */
static inline uint64_t high_half(uint64_t a, uint64_t b) { return (uint64_t)(((unsigned __int128)a * b) >> 64); }

/* The empty instruction is an effect to the compiler, which may drop the call of a function that only prefetches. */
static inline void prefetch_line(const void *address)
{
    __builtin_prefetch(address);
    __asm__ volatile("");
}

#endif

#endif
