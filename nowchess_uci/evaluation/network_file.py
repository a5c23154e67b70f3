"""The file of a network: a header that says its sizes and proves it whole, then its weights as integers.

All numbers are little-endian: the magic `NowChNet`, version, neurons, buckets, scale and units of the second layer (4
bytes each), the sha256 of everything else (32 bytes); then 768 rows of first-layer weights, their biases, and a row of
second-layer weights for each bucket, 2 bytes each; then the buckets' biases, 4 bytes each.
"""

import hashlib
import struct
from typing import NamedTuple

MAGIC = b"NowChNet"
VERSION = 1
HEAD = struct.Struct("<8sIIIII")
HASH_BYTES = 32
HEAD_BYTES = HEAD.size + HASH_BYTES
FEATURES = 768
MOST_NEURONS = 1024
MOST_BUCKETS = 32
MOST_SCALE = 10_000
MOST_UNITS = 32_767
MOST_BYTES = 1 << 23  # the largest network takes less
NEURON_STEP = 16  # kernels take so many at once


class NetworkError(ValueError):
    """A file that is no network, or none that can be used."""


class NetworkFile(NamedTuple):
    """What a file holds."""

    neurons: int
    buckets: int
    scale: int
    """Centipawns for an output of 1."""
    second_units: int
    """A weight of 1 in the second layer."""
    weights: bytes
    """First layer, its biases, second layer (16 bits each), then the biases of the buckets (32 bits each)."""

    def digest(self) -> str:
        """The sha256 that names the network."""
        head = HEAD.pack(MAGIC, VERSION, self.neurons, self.buckets, self.scale, self.second_units)
        return hashlib.sha256(head + self.weights).hexdigest()


def weight_bytes(neurons: int, buckets: int) -> int:
    """How many bytes the weights of such a network take."""
    return 2 * neurons * (FEATURES + 1) + 2 * buckets * 2 * neurons + 4 * buckets


def render_network(network: NetworkFile) -> bytes:
    """The content of the file."""
    head = HEAD.pack(MAGIC, VERSION, network.neurons, network.buckets, network.scale, network.second_units)
    return head + bytes.fromhex(network.digest()) + network.weights


def parse_network(name: str, content: bytes) -> NetworkFile:
    """Read the content of a file and prove it whole; raises NetworkError, which begins with the name."""
    if len(content) < HEAD_BYTES or not content.startswith(MAGIC):
        raise NetworkError(f"{name}: this is not a NowChess UCI network (a .net file)")
    _, version, neurons, buckets, scale, second_units = HEAD.unpack_from(content)
    if version != VERSION:
        raise NetworkError(f"{name}: written in version {version} of the format, this program reads version {VERSION}")
    if not (
        0 < neurons <= MOST_NEURONS
        and neurons % NEURON_STEP == 0
        and 0 < buckets <= MOST_BUCKETS
        and 0 < scale <= MOST_SCALE
        and 0 < second_units <= MOST_UNITS
    ):
        raise NetworkError(f"{name}: its header is invalid")
    weights = content[HEAD_BYTES:]
    if len(weights) != weight_bytes(neurons, buckets):
        raise NetworkError(f"{name}: {weight_bytes(neurons, buckets)} bytes of weights expected, {len(weights)} found")
    network = NetworkFile(neurons, buckets, scale, second_units, weights)
    if bytes.fromhex(network.digest()) != content[HEAD.size : HEAD_BYTES]:
        raise NetworkError(f"{name}: its content is damaged")
    return network
