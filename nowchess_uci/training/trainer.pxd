from nowchess_uci.rules.bits cimport U64
from nowchess_uci.training.samples cimport Sample, Samples
from nowchess_uci.vectors cimport Kernel

cdef enum:
    PARTS = 8           # of a batch, each with gradients of its own: so that sums do not depend on the threads
    MAX_NEURONS = 1024
    REGRESSED_SCORE = 1000      # scores beyond say little about the scale

# What a batch, or a part of one, came to.
cdef struct Sums:
    double error        # squared, of the chance
    double output       # the net's, of all samples
    double distance     # absolute, of the scores; this and the following are not of all, and not while learning
    double net          # sums for a regression of the score on the net's
    double score
    double net_net
    double net_score
    double score_score
    U64 regressed
    U64 count


cdef class Trainer:
    cdef readonly int neurons
    cdef readonly int buckets
    cdef readonly U64 size          # of all weights
    cdef readonly U64 steps         # batches learnt from
    cdef float* weights             # first layer by feature, its biases, second layer by bucket, its biases
    cdef float* gradients           # as many for each part
    cdef float* means               # of the gradients, and of their squares
    cdef float* squares
    cdef Sums sums[PARTS]
    cdef const Sample* spans[2]     # the batch: some samples of one set, then some of another
    cdef tuple held                 # both sets, so that they live as long as the batch
    cdef U64 span_counts[2]
    cdef float result_share
    cdef bint learning
    cdef float rate
    cdef float decay
    cdef int next_part

    cdef int fill(self, float* target, bytes data) except -1
    cdef void run_part(self, int part) noexcept nogil
    cdef void run_sample(self, const Sample* sample, float* gradients, Sums* sums) noexcept nogil
    cdef void update_part(self, int part) noexcept nogil


cdef Kernel add_rows(const float* rows, const short* features, int count, int width, float* total) noexcept nogil
cdef Kernel add_to_rows(float* rows, const short* features, int count, int width, const float* change) noexcept nogil
cdef Kernel activate(const float* sums, const float* weights, int width, float* active, float* products) noexcept nogil
cdef Kernel go_back(
    const float* sums, const float* active, const float* weights, float slope, int width, float* change, float* second
) noexcept nogil
cdef Kernel move_weights(
    float* weights, float* gradients, float* means, float* squares,
    U64 count, float rate, float shrink, float limit, float square_rate
) noexcept nogil
cdef Kernel add_array(float* total, const float* more, U64 count) noexcept nogil
