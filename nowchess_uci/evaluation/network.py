"""A network ready for use, and the kernels that work on it: plain loops over 16-bit integers.

(768 -> N) x 2 -> 1: `sums` are the first layer's, one row a side, kept up to date by `accumulators`; the output is the
weighted sum of their clipped squares. Sums of 724ths become activations of 181sts, whose squares fit 16 bits. A network
that could overflow in any position is refused.
"""
# mypy: disable-error-code="attr-defined,has-type"

import os

import cython
from cython.cimports.libc.stdlib import free, malloc
from cython.cimports.libc.string import memcpy
from cython.cimports.nowchess_uci.evaluation.network import (
    ACTIVE_UNITS,
    FEATURES,
    FIRST_SHIFT,
    FIRST_UNITS,
    MOST_PIECES,
    MOST_SQUARES,
)
from cython.cimports.nowchess_uci.vectors import Kernel

from nowchess_uci.evaluation.network_file import MOST_BYTES, NetworkError, parse_network

LINE_BYTES = 64  # of a cache
DEFAULT_FILE = os.path.join(os.path.dirname(__file__), "default.net")

_default: "Network | None" = None


class Network:
    """The weights of one network, read from the content of a file."""

    def __init__(self, name: str, content: bytes) -> None:
        """Raises NetworkError, which begins with the name."""
        found = parse_network(name, content)
        neurons: cython.size_t = found.neurons
        buckets: cython.size_t = found.buckets
        size: cython.size_t = len(found.weights)
        if self.memory != cython.NULL:
            raise TypeError("a network is made once")
        self.memory = malloc(size + LINE_BYTES)
        if self.memory == cython.NULL:
            raise MemoryError("no memory for a network")
        place: cython.size_t = cython.cast(cython.size_t, self.memory)
        place = (place + LINE_BYTES - 1) // LINE_BYTES * LINE_BYTES
        memcpy(cython.cast(cython.p_void, place), cython.cast(cython.p_const_char, found.weights), size)
        self.layers.neurons = found.neurons
        self.layers.buckets = found.buckets
        self.layers.scale = found.scale
        self.layers.units = ACTIVE_UNITS * ACTIVE_UNITS * found.second_units
        self.layers.first = cython.cast(cython.p_short, place)
        self.layers.biases = self.layers.first + FEATURES * neurons
        self.layers.second = self.layers.biases + neurons
        self.layers.second_biases = cython.cast(cython.p_int, self.layers.second + buckets * 2 * neurons)
        self.digest = found.digest()
        self.prove(name)

    def __dealloc__(self) -> None:
        free(self.memory)

    def prove(self, name: str) -> cython.int:
        """Raise NetworkError if any position could overflow a sum."""
        neuron: cython.int
        row: cython.int
        for neuron in range(self.layers.neurons):
            largest: cython.int = 0
            for row in range(FEATURES):
                largest = max(largest, abs(self.layers.first[row * self.layers.neurons + neuron]))
            if abs(self.layers.biases[neuron]) + MOST_PIECES * largest > 32767:
                raise NetworkError(f"{name}: the weights of its first layer are too large")
        bucket: cython.int
        for bucket in range(self.layers.buckets):
            total: cython.longlong = 0
            for neuron in range(2 * self.layers.neurons):
                total += abs(self.layers.second[bucket * 2 * self.layers.neurons + neuron])
            total *= ACTIVE_UNITS * ACTIVE_UNITS
            total += abs(cython.cast(cython.longlong, self.layers.second_biases[bucket]))
            if total > 2147483647:
                raise NetworkError(f"{name}: the weights of its second layer are too large")
        return 0

    @property
    def name(self) -> str:
        """What people call it: the first digits of its hash."""
        return self.digest[:8]

    @property
    def neurons(self) -> int:
        """The width of its first layer, for each side."""
        return self.layers.neurons


def load_network(path: str) -> Network:
    """Read a file; raises NetworkError or OSError. What is no file (a device, a pipe) is not even opened."""
    name = os.path.basename(path)
    if os.path.exists(path) and not os.path.isfile(path):
        raise NetworkError(f"{name}: this is not a regular file")
    if os.stat(path).st_size > MOST_BYTES:
        raise NetworkError(f"{name}: this is not a NowChess UCI network (a .net file)")
    with open(path, "rb") as file:
        return Network(name, file.read(MOST_BYTES + 1))


def default_network() -> Network:
    """The network that comes with the engine, read once; raises OSError if it is missing or damaged."""
    global _default
    if _default is None:
        try:
            _default = load_network(DEFAULT_FILE)
        except (OSError, NetworkError) as error:
            reason = f"the engine's own network cannot be used ({error}); please install the engine again"
            raise OSError(reason) from None
    return _default


# Kernels.


def sum_rows(
    biases: cython.pointer[cython.const[cython.short]],
    rows: cython.pointer[cython.p_short],
    count: cython.int,
    width: cython.int,
    sums: cython.p_short,
) -> Kernel:
    """The sums of the first layer from nothing: the biases and the rows of all pieces."""
    column: cython.int
    for column in range(width):
        sums[column] = biases[column]
    index: cython.int = 0
    while index + 4 <= count:
        a: cython.p_short = rows[index]
        b: cython.p_short = rows[index + 1]
        c: cython.p_short = rows[index + 2]
        d: cython.p_short = rows[index + 3]
        for column in range(width):
            sums[column] += a[column] + b[column] + c[column] + d[column]
        index += 4
    while index < count:
        e: cython.p_short = rows[index]
        for column in range(width):
            sums[column] += e[column]
        index += 1
    return 0


def move_row(
    before: cython.pointer[cython.const[cython.short]],
    gone: cython.pointer[cython.const[cython.short]],
    come: cython.pointer[cython.const[cython.short]],
    width: cython.int,
    after: cython.p_short,
) -> Kernel:
    """The sums after a piece has gone from one square and come to another."""
    column: cython.int
    for column in range(width):
        after[column] = before[column] - gone[column] + come[column]
    return 0


def move_and_take(
    before: cython.pointer[cython.const[cython.short]],
    gone: cython.pointer[cython.const[cython.short]],
    taken: cython.pointer[cython.const[cython.short]],
    come: cython.pointer[cython.const[cython.short]],
    width: cython.int,
    after: cython.p_short,
) -> Kernel:
    """The same with a capture."""
    column: cython.int
    for column in range(width):
        after[column] = before[column] - gone[column] - taken[column] + come[column]
    return 0


def squared_product(
    own: cython.pointer[cython.const[cython.short]],
    other: cython.pointer[cython.const[cython.short]],
    weights: cython.pointer[cython.const[cython.short]],
    width: cython.int,
) -> Kernel:
    """The weighted sum of the clipped squares of both sides.

    First all squares, then the product: only for a plain product of two arrays does the compiler use the instruction
    that multiplies and adds in one.
    """
    squares = cython.declare(cython.short[MOST_SQUARES])
    other_squares: cython.p_short = squares + width
    total: cython.int = 0
    column: cython.int
    for column in range(width):
        value: cython.short = own[column] if own[column] > 0 else 0
        value = (value if value < FIRST_UNITS else FIRST_UNITS) >> FIRST_SHIFT
        squares[column] = value * value
    for column in range(width):
        value = other[column] if other[column] > 0 else 0
        value = (value if value < FIRST_UNITS else FIRST_UNITS) >> FIRST_SHIFT
        other_squares[column] = value * value
    for column in range(2 * width):
        total += squares[column] * weights[column]
    return total
