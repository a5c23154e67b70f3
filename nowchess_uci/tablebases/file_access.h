/* What reading tables from several threads needs and Python has no words for: a read at a place, without the file
   position that threads would share, and a flag that publishes what was written before it. */
#ifndef NOWCHESS_FILE_ACCESS_H
#define NOWCHESS_FILE_ACCESS_H

#include <stdint.h>

#if defined(_WIN32)

#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <io.h>
#include <windows.h>

/* 1 if all bytes were read, 0 if the file ends before or cannot be read. */
static inline int read_at(int descriptor, unsigned char *buffer, int count, uint64_t place)
{
    OVERLAPPED where;
    DWORD got = 0;
    ZeroMemory(&where, sizeof where);
    where.Offset = (DWORD)place;
    where.OffsetHigh = (DWORD)(place >> 32);
    return ReadFile((HANDLE)_get_osfhandle(descriptor), buffer, (DWORD)count, &got, &where) && got == (DWORD)count;
}

static inline void close_file(int descriptor) { _close(descriptor); }

#else

#include <errno.h>
#include <unistd.h>

/* 1 if all bytes were read, 0 if the file ends before or cannot be read. */
static inline int read_at(int descriptor, unsigned char *buffer, int count, uint64_t place)
{
    while (count > 0) {
        ssize_t got = pread(descriptor, buffer, (size_t)count, (off_t)place);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return 0;
        buffer += got;
        place += (uint64_t)got;
        count -= (int)got;
    }
    return 1;
}

static inline void close_file(int descriptor) { close(descriptor); }

#endif

#if defined(_MSC_VER) && !defined(__clang__)

#include <intrin.h>

static __forceinline int load_state(const int *place) { return (int)_InterlockedOr((volatile long *)place, 0); }
static __forceinline void store_state(int *place, int value) { _InterlockedExchange((volatile long *)place, value); }

#else

/* Whoever reads a state sees what its writer had written before. */
static inline int load_state(const int *place) { return __atomic_load_n(place, __ATOMIC_ACQUIRE); }
static inline void store_state(int *place, int value) { __atomic_store_n(place, value, __ATOMIC_RELEASE); }

#endif

#endif
