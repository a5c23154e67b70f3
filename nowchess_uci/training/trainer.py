"""A network being trained: its weights as floats, the gradients of a batch, and the steps of AdamW.

(768 -> N) x 2 -> 1: each side's view of the board goes through the same first layer; squared clipped ReLU; the second
layer sees the side to move first and has one row of weights for each bucket of piece counts. A batch is cut into parts
with gradients of their own, whatever the number of threads: the same seed gives the same network.
"""
# mypy: disable-error-code="attr-defined,has-type"

from typing import NamedTuple

import cython
from cython.cimports.libc.math import exp, expf, fabs, sqrtf
from cython.cimports.libc.stdlib import calloc, free
from cython.cimports.libc.string import memcpy, memset
from cython.cimports.nowchess_uci.rules.bits import U64, next_random
from cython.cimports.nowchess_uci.training.samples import MAX_PIECES, Sample, Samples, features_of
from cython.cimports.nowchess_uci.training.trainer import MAX_NEURONS, PARTS, REGRESSED_SCORE, Sums
from cython.cimports.nowchess_uci.vectors import Kernel

FEATURES = 768
# Centipawns for odds of e to 1: the net's output times this is its score. It is what the results of the games fit best:
# only then do score and result ask for the same, and balanced positions count more than those long decided.
SPREAD = 240.0
# Whatever 32 pieces stand on the board, the sums of the first layer stay within 16 bits as 724ths.
FIRST_LIMIT = 1.3
SECOND_LIMIT = 1.98
MEAN_KEPT = 0.9
SQUARE_KEPT = 0.999
TINY = 1e-8
MOST_FLOAT = cython.declare(cython.double, 1e30)

features_in = cython.declare(cython.int, FEATURES)
spread = cython.declare(cython.float, SPREAD)
first_limit = cython.declare(cython.float, FIRST_LIMIT)
second_limit = cython.declare(cython.float, SECOND_LIMIT)
mean_kept = cython.declare(cython.float, MEAN_KEPT)
square_kept = cython.declare(cython.float, SQUARE_KEPT)
tiny = cython.declare(cython.float, TINY)


class Measure(NamedTuple):
    """How well a network does on some samples."""

    error: float
    """Mean squared error of the chance."""
    distance: float
    """Mean absolute difference of the scores within 1,000, in centipawns."""
    correlation: float
    """Pearson's, between the same scores and the net's."""
    scale: float
    """What the net's scores have to be multiplied by to fit the samples' best."""


class Trainer:
    """The weights of a network and what is needed to improve them."""

    def __init__(self, neurons: int, buckets: int = 1) -> None:
        if self.weights:
            raise TypeError("a trainer is made once")
        if not 0 < neurons <= MAX_NEURONS or neurons % 16:
            raise ValueError(f"the number of neurons must be a multiple of 16 up to {MAX_NEURONS}, not {neurons}")
        if not 1 <= buckets <= MAX_PIECES:
            raise ValueError(f"1 to {MAX_PIECES} buckets, not {buckets}")
        self.neurons = neurons
        self.buckets = buckets
        self.size = (features_in + 1) * self.neurons + self.buckets * (2 * self.neurons + 1)
        self.weights = cython.cast(cython.p_float, calloc(self.size, cython.sizeof(cython.float)))
        self.gradients = cython.cast(cython.p_float, calloc(PARTS * self.size, cython.sizeof(cython.float)))
        self.means = cython.cast(cython.p_float, calloc(self.size, cython.sizeof(cython.float)))
        self.squares = cython.cast(cython.p_float, calloc(self.size, cython.sizeof(cython.float)))
        if not self.weights or not self.gradients or not self.means or not self.squares:
            raise MemoryError("no memory for a network in training")

    def __dealloc__(self) -> None:
        free(self.weights)
        free(self.gradients)
        free(self.means)
        free(self.squares)

    def draw_weights(self, seed: int) -> None:
        """Start from random weights, the same for the same seed."""
        state: U64 = seed
        second: U64 = (features_in + 1) * self.neurons
        first_width: cython.float = 1 / FEATURES**0.5
        second_width: cython.float = 1 / (2 * self.neurons) ** 0.5
        index: U64
        for index in range(self.size):
            chance: cython.float = cython.cast(cython.float, next_random(cython.address(state)) >> 40) / (1 << 24)
            self.weights[index] = (2 * chance - 1) * (first_width if index < second else second_width)

    def export_weights(self) -> bytes:
        """All weights as 32-bit floats: 768 rows, the biases, a row and then a bias for each bucket."""
        return cython.cast(cython.p_const_char, cython.cast(cython.p_void, self.weights))[: 4 * self.size]

    def import_weights(self, data: bytes) -> None:
        """Take weights as `export_weights` gives them, and begin anew with the steps."""
        self.fill(self.weights, data)
        memset(self.means, 0, 4 * self.size)
        memset(self.squares, 0, 4 * self.size)
        self.steps = 0

    def export_state(self) -> bytes:
        """Everything that further steps depend on."""
        moments = cython.cast(cython.p_const_char, cython.cast(cython.p_void, self.means))[: 4 * self.size]
        squares = cython.cast(cython.p_const_char, cython.cast(cython.p_void, self.squares))[: 4 * self.size]
        return int(self.steps).to_bytes(8, "little") + self.export_weights() + moments + squares

    def import_state(self, data: bytes) -> None:
        """Go on where `export_state` was called; raises ValueError if that was another kind of network."""
        if len(data) != 8 + 12 * self.size:
            raise ValueError(
                f"{len(data)} bytes are not the state of {self.neurons} neurons and {self.buckets} buckets"
            )
        self.fill(self.weights, data[8 : 8 + 4 * self.size])
        self.fill(self.means, data[8 + 4 * self.size : 8 + 8 * self.size])
        self.fill(self.squares, data[8 + 8 * self.size :])
        self.steps = int.from_bytes(data[:8], "little")

    def fill(self, target: cython.p_float, data: bytes) -> cython.int:
        """Take over as many floats as there are weights; raises ValueError if there are more or fewer."""
        if len(data) != 4 * self.size:
            shape = f"{self.neurons} neurons and {self.buckets} buckets"
            raise ValueError(f"{len(data)} bytes are not the weights of {shape}, which take {4 * self.size}")
        source: cython.p_const_float = cython.cast(
            cython.p_const_float, cython.cast(cython.p_void, cython.cast(cython.p_const_char, data))
        )
        index: U64
        for index in range(self.size):
            if not fabs(source[index]) <= MOST_FLOAT:  # nor is a NaN
                raise ValueError("these weights are damaged: some are no numbers")
        memcpy(target, source, 4 * self.size)
        return 0

    # A batch: one thread calls `begin`, any number of them `run`, then likewise `begin_update` and `update`.

    def begin(
        self,
        samples: Samples,
        first: int,
        count: int,
        result_share: float,
        learning: bool,
        others: Samples | None = None,
        others_first: int = 0,
        others_count: int = 0,
    ) -> None:
        """Take up a batch of some samples, and some of another set; `result_share` of the target is the result.

        Neither set may grow until the batch is done.
        """
        if others is None:
            others, others_first, others_count = samples, 0, 0
        for chosen, start, length in ((samples, first, count), (others, others_first, others_count)):
            if not 0 <= start <= start + length <= len(chosen):
                raise IndexError(f"samples {start} to {start + length - 1} of {len(chosen)}")
        self.held = (samples, others)
        self.spans[0] = samples.items + cython.cast(U64, first)
        self.spans[1] = others.items + cython.cast(U64, others_first)
        self.span_counts[0] = count
        self.span_counts[1] = others_count
        self.result_share = result_share
        self.learning = learning
        memset(self.sums, 0, cython.sizeof(self.sums))
        self.next_part = 0

    def run(self) -> None:
        """Work on the batch until no part of it is left."""
        while self.next_part < PARTS:
            part: cython.int = self.next_part
            self.next_part = part + 1
            with cython.nogil:
                self.run_part(part)

    def begin_update(self, rate: float, decay: float) -> None:
        """Take up a step of AdamW (Loshchilov, Hutter 2017) along the gradients of the batch."""
        self.steps += 1
        self.rate = rate
        self.decay = decay
        self.next_part = 0

    def update(self) -> None:
        """Work on the step until no part of it is left."""
        while self.next_part < PARTS:
            part: cython.int = self.next_part
            self.next_part = part + 1
            with cython.nogil:
                self.update_part(part)

    def totals(self) -> tuple[float, ...]:
        """The sums of the batch that `measure_of` takes."""
        return (
            sum([self.sums[part].error for part in range(PARTS)]),
            sum([self.sums[part].distance for part in range(PARTS)]),
            sum([self.sums[part].net for part in range(PARTS)]),
            sum([self.sums[part].score for part in range(PARTS)]),
            sum([self.sums[part].net_net for part in range(PARTS)]),
            sum([self.sums[part].net_score for part in range(PARTS)]),
            sum([self.sums[part].score_score for part in range(PARTS)]),
            sum([self.sums[part].regressed for part in range(PARTS)]),
            sum([self.sums[part].count for part in range(PARTS)]),
        )

    def gradient(self) -> bytes:
        """The gradient of the last batch, before it is used, as 32-bit floats. For tests."""
        part: cython.int
        for part in range(1, PARTS):
            add_array(self.gradients, self.gradients + part * self.size, self.size)
            memset(self.gradients + part * self.size, 0, 4 * self.size)
        return cython.cast(cython.p_const_char, cython.cast(cython.p_void, self.gradients))[: 4 * self.size]

    def outputs(self, samples: Samples, first: int, count: int) -> list[float]:
        """The net's scores of some samples, in centipawns for the side to move. For tests and tools."""
        scores = []
        for index in range(first, first + count):
            self.begin(samples, index, 1, 0, False)
            self.run()
            scores.append(SPREAD * sum([self.sums[part].output for part in range(PARTS)]))
        return scores

    # The work itself, without the GIL.

    def run_part(self, part: cython.int) -> cython.void:
        """Forwards, and backwards if it is to learn, through one part of the batch."""
        gradients: cython.p_float = self.gradients + part * self.size
        sums: cython.pointer[Sums] = cython.address(self.sums[part])
        which: cython.int
        for which in range(2):
            count: U64 = self.span_counts[which]
            index: U64
            for index in range(count * part // PARTS, count * (part + 1) // PARTS):
                self.run_sample(self.spans[which] + index, gradients, sums)

    def run_sample(
        self, sample: cython.pointer[cython.const[Sample]], gradients: cython.p_float, sums: cython.pointer[Sums]
    ) -> cython.void:
        """Add what one sample says."""
        features = cython.declare(cython.short[32][2])
        sides = cython.declare(cython.float[2048])  # the sums of the first layer, own view first
        active = cython.declare(cython.float[2048])
        products = cython.declare(cython.float[2048])
        width: cython.int = self.neurons
        count: cython.int = features_of(sample, features[0], features[1])
        bucket: cython.int = (count - 1) * self.buckets // MAX_PIECES
        biases: cython.p_float = self.weights + features_in * width
        row: U64 = (features_in + 1) * width + bucket * (2 * width + 1)
        second: cython.p_float = self.weights + row
        side: cython.int
        for side in range(2):
            memcpy(sides + side * width, biases, width * cython.sizeof(cython.float))
            add_rows(self.weights, features[side], count, width, sides + side * width)
        activate(sides, second, 2 * width, active, products)
        net: cython.float = second[2 * width] + products[0]

        chance: cython.float = 1 / (1 + expf(-net))
        score: cython.float = sample.score
        target: cython.float = (1 - self.result_share) / (1 + expf(-score / spread))
        target += self.result_share * sample.result / 2
        difference: cython.float = chance - target
        sums.error += difference * difference
        sums.count += 1
        if not self.learning:
            sums.output += net
            if sample.score <= REGRESSED_SCORE and sample.score >= -REGRESSED_SCORE:
                score = score / spread
                sums.distance += fabs(net - score)
                sums.net += net
                sums.score += score
                sums.net_net += net * net
                sums.net_score += net * score
                sums.score_score += score * score
                sums.regressed += 1
            return
        slope: cython.float = 2 * difference * chance * (1 - chance)
        gradients[row + 2 * width] += slope
        go_back(sides, active, second, slope, 2 * width, products, gradients + row)
        add_array(gradients + features_in * width, products, width)
        add_array(gradients + features_in * width, products + width, width)
        for side in range(2):
            add_to_rows(gradients, features[side], count, width, products + side * width)

    def update_part(self, part: cython.int) -> cython.void:
        """A step of one part of the weights, whose gradients are used up by it."""
        start: U64 = self.size * part // PARTS
        stop: U64 = self.size * (part + 1) // PARTS
        other: cython.int
        for other in range(1, PARTS):
            more: cython.p_float = self.gradients + other * self.size + start
            add_array(self.gradients + start, more, stop - start)
            memset(more, 0, (stop - start) * cython.sizeof(cython.float))
        batch: cython.float = self.span_counts[0] + self.span_counts[1]
        index: U64
        for index in range(start, stop):
            self.gradients[index] /= batch
        mean_rate: cython.float = self.rate / (1 - exp(self.steps * -0.10536051565782628))  # the logarithm of 0.9
        square_rate: cython.float = 1 / (1 - exp(self.steps * -0.0010005003335835335))  # and of 0.999
        shrink: cython.float = 1 - self.rate * self.decay
        border: U64 = min(max((features_in + 1) * self.neurons, start), stop)
        move_weights(
            self.weights + start,
            self.gradients + start,
            self.means + start,
            self.squares + start,
            border - start,
            mean_rate,
            shrink,
            first_limit,
            square_rate,
        )
        move_weights(
            self.weights + border,
            self.gradients + border,
            self.means + border,
            self.squares + border,
            stop - border,
            mean_rate,
            shrink,
            second_limit,
            square_rate,
        )
        memset(self.gradients + start, 0, (stop - start) * cython.sizeof(cython.float))


def measure_of(totals: list[tuple[float, ...]]) -> Measure:
    """What the sums of some batches mean."""
    error, distance, net, score, net_net, net_score, score_score, regressed, count = map(sum, zip(*totals, strict=True))
    covariance = regressed * net_score - net * score
    spreads = (regressed * net_net - net * net) * (regressed * score_score - score * score)
    return Measure(
        error / max(count, 1),
        SPREAD * distance / max(regressed, 1),
        covariance / spreads**0.5 if spreads > 0 else 0.0,
        net_score / net_net if net_net > 0 else 1.0,
    )


# Kernels.


def add_rows(
    rows: cython.p_const_float,
    features: cython.pointer[cython.const[cython.short]],
    count: cython.int,
    width: cython.int,
    total: cython.p_float,
) -> Kernel:
    """Add the rows of some features to a total, four at a time: the total is read and written less often."""
    index: cython.int = 0
    column: cython.int
    while index + 4 <= count:
        a: cython.p_const_float = rows + features[index] * width
        b: cython.p_const_float = rows + features[index + 1] * width
        c: cython.p_const_float = rows + features[index + 2] * width
        d: cython.p_const_float = rows + features[index + 3] * width
        for column in range(width):
            total[column] += (a[column] + b[column]) + (c[column] + d[column])
        index += 4
    while index < count:
        e: cython.p_const_float = rows + features[index] * width
        for column in range(width):
            total[column] += e[column]
        index += 1
    return 0


def add_to_rows(
    rows: cython.p_float,
    features: cython.pointer[cython.const[cython.short]],
    count: cython.int,
    width: cython.int,
    change: cython.p_const_float,
) -> Kernel:
    """Add a change to the rows of some features."""
    index: cython.int
    column: cython.int
    for index in range(count):
        row: cython.p_float = rows + features[index] * width
        for column in range(width):
            row[column] += change[column]
    return 0


def activate(
    sums: cython.p_const_float,
    weights: cython.p_const_float,
    width: cython.int,
    active: cython.p_float,
    products: cython.p_float,
) -> Kernel:
    """Clip the sums; the weighted sum of their squares is left in `products[0]`, added up by halves."""
    column: cython.int
    for column in range(width):
        clipped: cython.float = sums[column] if sums[column] > 0 else 0
        clipped = clipped if clipped < 1 else 1
        active[column] = clipped
        products[column] = clipped * clipped * weights[column]
    left: cython.int = width
    while left % 2 == 0:
        left //= 2
        upper: cython.p_const_float = products + left
        for column in range(left):
            products[column] += upper[column]
    for column in range(1, left):
        products[0] += products[column]
    return 0


def go_back(
    sums: cython.p_const_float,
    active: cython.p_const_float,
    weights: cython.p_const_float,
    slope: cython.float,
    width: cython.int,
    change: cython.p_float,
    second: cython.p_float,
) -> Kernel:
    """From the slope at the output to that at the sums (`change`), and the gradient of the second layer."""
    column: cython.int
    for column in range(width):
        second[column] += slope * active[column] * active[column]
        back: cython.float = 2 * slope * weights[column] * active[column]
        change[column] = back if sums[column] < 1 else 0
    return 0


def move_weights(
    weights: cython.p_float,
    gradients: cython.p_float,
    means: cython.p_float,
    squares: cython.p_float,
    count: U64,
    rate: cython.float,
    shrink: cython.float,
    limit: cython.float,
    square_rate: cython.float,
) -> Kernel:
    """One step of AdamW; the bias of its means is in `rate` and `square_rate`. No weight leaves its limits."""
    index: U64
    for index in range(count):
        gradient: cython.float = gradients[index]
        mean: cython.float = mean_kept * means[index] + (1 - mean_kept) * gradient
        square: cython.float = square_kept * squares[index] + (1 - square_kept) * gradient * gradient
        means[index] = mean
        squares[index] = square
        weight: cython.float = weights[index] * shrink - rate * mean / (sqrtf(square * square_rate) + tiny)
        weight = weight if weight < limit else limit
        weights[index] = weight if weight > -limit else -limit
    return 0


def add_array(total: cython.p_float, more: cython.p_const_float, count: U64) -> Kernel:
    """Add an array to another."""
    index: U64
    for index in range(count):
        total[index] += more[index]
    return 0
