"""From the floats of a trained network to the integers of its file."""

from array import array

from nowchess_uci.evaluation.network_file import FEATURES, MOST_SCALE, NetworkFile
from nowchess_uci.training.trainer import SPREAD, Trainer

ACTIVE_UNITS = 181  # an activation of 1
FIRST_UNITS = 4 * ACTIVE_UNITS  # a weight of 1 in the first layer
HALF = 2  # of what is cut off when a sum becomes an activation
MOST_SECOND_UNITS = 1024
LARGEST_SUM = 2**31 - 1


def quantised(trainer: Trainer, scale: float = 1.0) -> NetworkFile:
    """The network with its weights rounded; `scale` multiplies its scores.

    The second layer is as fine as its largest possible sum allows.
    """
    floats = array("f", trainer.export_weights())
    first_end, neurons = FEATURES * trainer.neurons, trainer.neurons
    first = array("h", [round(FIRST_UNITS * weight) for weight in floats[:first_end]])
    first.extend(round(FIRST_UNITS * bias) + HALF for bias in floats[first_end : first_end + neurons])
    width = 2 * neurons + 1
    rows = [floats[start : start + width] for start in range(first_end + neurons, len(floats), width)]
    units = MOST_SECOND_UNITS
    while max(sum(map(abs, row)) for row in rows) * 1.01 * units * ACTIVE_UNITS**2 > LARGEST_SUM:
        units //= 2
    second = array("h", [round(units * weight) for row in rows for weight in row[:-1]])
    biases = array("i", [round(ACTIVE_UNITS**2 * units * row[-1]) for row in rows])
    weights = first.tobytes() + second.tobytes() + biases.tobytes()
    # What fits a network that has learnt next to nothing may be far out, or negative.
    centipawns = min(max(round(SPREAD * scale), 1), MOST_SCALE)
    return NetworkFile(neurons, trainer.buckets, centipawns, units, weights)
