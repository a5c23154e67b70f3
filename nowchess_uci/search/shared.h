/* Reading and writing what several threads look at: whole values, in no particular order. On the processors we build
   for this is a plain load or store; saying so keeps the compiler and ThreadSanitizer from taking it for a mistake. */
#ifndef NOWCHESS_SHARED_H
#define NOWCHESS_SHARED_H

#include <stdint.h>

#if defined(_MSC_VER) && !defined(__clang__)

#define NOWCHESS_SHARED(name, type) \
    static __forceinline type load_##name(const type *place) { return *(const volatile type *)place; } \
    static __forceinline void store_##name(type *place, type value) { *(volatile type *)place = value; }

#else

#define NOWCHESS_SHARED(name, type) \
    static inline type load_##name(const type *place) \
    { \
        type value; \
        __atomic_load(place, &value, __ATOMIC_RELAXED); \
        return value; \
    } \
    static inline void store_##name(type *place, type value) { __atomic_store(place, &value, __ATOMIC_RELAXED); }

#endif

NOWCHESS_SHARED(int, int)
NOWCHESS_SHARED(u64, uint64_t)
NOWCHESS_SHARED(double, double)

#endif
