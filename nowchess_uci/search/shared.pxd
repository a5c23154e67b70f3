# Values that several threads read and write at the same time.

from nowchess_uci.rules.bits cimport U64

cdef extern from "shared.h" nogil:
    int load_int(const int* place) noexcept
    void store_int(int* place, int value) noexcept
    U64 load_u64(const U64* place) noexcept
    void store_u64(U64* place, U64 value) noexcept
    double load_double(const double* place) noexcept
    void store_double(double* place, double value) noexcept
