"""From the floats of a trained network to the integers of its file."""

from array import array

from nowchess_uci.evaluation.network_file import FEATURES, NetworkFile
from nowchess_uci.training.trainer import SPREAD, Trainer

FIRST_UNITS = 255  # an activation of 1
SECOND_UNITS = 64  # a weight of 1 in the second layer


def quantised(trainer: Trainer, scale: float = 1.0) -> NetworkFile:
    """The network with its weights rounded; `scale` multiplies its scores."""
    floats = array("f", trainer.export_weights())
    border = (FEATURES + 1) * trainer.neurons
    first = array("h", [round(FIRST_UNITS * weight) for weight in floats[:border]])
    second = array("h")
    biases = array("i")
    row = 2 * trainer.neurons
    for start in range(border, len(floats), row + 1):
        second.extend(round(SECOND_UNITS * weight) for weight in floats[start : start + row])
        biases.append(round(FIRST_UNITS * SECOND_UNITS * floats[start + row]))
    weights = first.tobytes() + second.tobytes() + biases.tobytes()
    return NetworkFile(trainer.neurons, trainer.buckets, round(SPREAD * scale), weights)
