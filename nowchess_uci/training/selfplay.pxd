from nowchess_uci.rules.bits cimport U64
from nowchess_uci.rules.move cimport Move
from nowchess_uci.rules.position cimport Position
from nowchess_uci.search.table cimport Table
from nowchess_uci.search.worker cimport Signals, Worker
from nowchess_uci.training.records cimport MAX_GAME_PLIES, MAX_OPENING_PLIES, GameHead, Judge, PlyRecord
from nowchess_uci.training.samples cimport Sample

cdef enum:
    MAX_SAMPLES = 65536     # of one game

# Keeps some of the positions that the search evaluates.
cdef struct Sampler:
    U64 every               # one of so many on average
    U64 wait                # evaluations until the next one
    U64 random_state
    unsigned int game
    int count
    Sample* samples


cdef class SelfPlay:
    cdef Table table
    cdef Worker worker
    cdef Signals signals
    cdef object settings
    cdef U64 soft_nodes
    cdef U64 hard_nodes
    cdef int opening_plies
    cdef int opening_limit
    cdef Judge judge
    cdef U64 random_state

    # The game being played.
    cdef GameHead head
    cdef Move opening[MAX_OPENING_PLIES]
    cdef PlyRecord plies[MAX_GAME_PLIES]

    cdef Sampler sampler

    # What was played so far, for whoever watches.
    cdef U64 told_games
    cdef U64 told_positions
    cdef U64 told_results[3]

    cdef bint is_cancelled(self) noexcept nogil
    cdef bint play_game(self, unsigned int number, U64 seed) noexcept nogil
    cdef bint play_opening(self) noexcept nogil
    cdef void think(self, PlyRecord* record) noexcept nogil
    cdef void finish(self, int end) noexcept nogil


cdef void take_sample(void* context, Position position, int score) noexcept nogil
