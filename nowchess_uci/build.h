/* How this was compiled, as far as the compiler tells. */
#ifndef NOWCHESS_BUILD_H
#define NOWCHESS_BUILD_H

#define NOWCHESS_TEXT_OF(name) #name
#define NOWCHESS_TEXT(name) NOWCHESS_TEXT_OF(name)

#if defined(__clang__)
#define NOWCHESS_COMPILER "clang " __clang_version__
#elif defined(__GNUC__)
#define NOWCHESS_COMPILER "gcc " __VERSION__
#elif defined(_MSC_VER)
#define NOWCHESS_COMPILER "MSVC " NOWCHESS_TEXT(_MSC_VER)
#else
#define NOWCHESS_COMPILER "an unknown compiler"
#endif

#ifdef NOWCHESS_KIND
#define NOWCHESS_KIND_TEXT NOWCHESS_TEXT(NOWCHESS_KIND)
#else
#define NOWCHESS_KIND_TEXT "release"
#endif

#if defined(__SSE4_2__) && defined(__POPCNT__)
#define NOWCHESS_FEATURES "x86-64 with SSE4.2 and POPCNT"
#elif defined(__x86_64__) || defined(_M_X64)
#define NOWCHESS_FEATURES "x86-64"
#elif defined(__aarch64__) || defined(_M_ARM64)
#define NOWCHESS_FEATURES "ARM64"
#else
#define NOWCHESS_FEATURES "an unknown processor"
#endif

#endif
