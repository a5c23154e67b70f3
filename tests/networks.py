"""Networks of random weights for the tests."""

import random
from array import array

from nowchess_uci.evaluation.network import Network
from nowchess_uci.evaluation.network_file import FEATURES, NetworkFile, render_network


def random_network(neurons: int = 32, buckets: int = 2, largest: int = 250, second: int = 127) -> NetworkFile:
    """A network of random weights up to some size in either layer."""
    source = random.Random(1)
    first = array("h", [source.randint(-largest, largest) for _ in range((FEATURES + 1) * neurons)])
    rows = array("h", [source.randint(-second, second) for _ in range(buckets * 2 * neurons)])
    biases = array("i", [source.randint(-2_000_000, 2_000_000) for _ in range(buckets)])
    return NetworkFile(neurons, buckets, 400, 64, first.tobytes() + rows.tobytes() + biases.tobytes())


def sober_network() -> NetworkFile:
    """One whose scores are not all at the limit."""
    return random_network(16, 1, 90, 9)


def made(network: NetworkFile) -> Network:
    return Network("a test", render_network(network))
