cdef extern from "build.h":
    const char* NOWCHESS_COMPILER
    const char* NOWCHESS_KIND_TEXT
    const char* NOWCHESS_FEATURES
