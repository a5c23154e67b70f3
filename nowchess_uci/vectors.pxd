# A kernel is a function of plain loops over arrays, which the compiler turns into vector instructions.

cdef extern from "vectors.h" nogil:
    ctypedef int Kernel "KERNEL int"    # what a kernel returns; the attribute rides on the type
