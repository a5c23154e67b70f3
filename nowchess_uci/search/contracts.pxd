# Contracts that a debug build checks: a broken one ends the process with its line. A release build (NDEBUG) compiles
# them away, so what stands in the brackets must not do anything.

cdef extern from "assert.h" nogil:
    void require "assert"(bint condition) noexcept
