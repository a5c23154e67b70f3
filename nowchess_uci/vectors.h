/* Loops over many numbers are compiled twice under Linux on x86-64, once for AVX2, and the processor decides at run time;
   elsewhere once, for what every processor has, and so in the builds for debugging. A function whose return type is KERNEL int is compiled this way. */
#ifndef NOWCHESS_VECTORS_H
#define NOWCHESS_VECTORS_H

#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__) && !defined(NOWCHESS_ONE_KERNEL)
#define KERNEL __attribute__((target_clones("default", "avx2"), noinline))
#else
#define KERNEL
#endif

#endif
