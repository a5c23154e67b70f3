"""A shard: one file of games in a row, or one of samples, with a header that proves it whole.

Header and payload carry checksums, so that a damaged or truncated file is named and never read wrongly. The header
also names the run that a shard belongs to, by a digest of the run's settings.
"""

import hashlib
import struct
import zlib
from pathlib import Path
from typing import NamedTuple

from nowchess_uci.files import write_atomically

MAGIC = b"NowChess"
VERSION = 1
GAMES = b"GAME"
SAMPLES = b"EVAL"
SUFFIXES = {GAMES: ".games", SAMPLES: ".samples"}
# Magic, kind, version, run, first game, games, bytes and checksum of the payload; then the checksum of all this.
HEAD = struct.Struct("<8s4sI8sIIQI")
HEAD_CHECKSUM = struct.Struct("<I")
HEAD_BYTES = HEAD.size + HEAD_CHECKSUM.size
MOST_BYTES = 1 << 32  # a header that promises more is damaged


class ShardError(ValueError):
    """A file that is no whole shard; the message begins with its name."""


class Shard(NamedTuple):
    """What a shard's header says, and its payload."""

    kind: bytes
    run: bytes
    first: int
    games: int
    payload: bytes


class ShardHead(NamedTuple):
    """What a shard's header says of itself and its payload."""

    kind: bytes
    run: bytes
    first: int
    games: int
    size: int
    checksum: int


def write_shard(path: Path, shard: Shard) -> str:
    """Write a shard so that it is there whole or not at all; returns the file's sha256."""
    size, checksum = len(shard.payload), zlib.crc32(shard.payload)
    head = HEAD.pack(MAGIC, shard.kind, VERSION, shard.run, shard.first, shard.games, size, checksum)
    content = head + HEAD_CHECKSUM.pack(zlib.crc32(head)) + shard.payload
    write_atomically(path, content)
    return hashlib.sha256(content).hexdigest()


def parse_head(name: str, content: bytes) -> ShardHead:
    """Read a header; raises ShardError."""
    if len(content) < HEAD_BYTES:
        raise ShardError(f"{name}: {len(content)} bytes are too short for a shard")
    magic, kind, version, run, first, games, size, checksum = HEAD.unpack_from(content)
    if magic != MAGIC:
        raise ShardError(f"{name}: this is not a training data file")
    if HEAD_CHECKSUM.unpack_from(content, HEAD.size)[0] != zlib.crc32(content[: HEAD.size]):
        raise ShardError(f"{name}: its header is damaged")
    if version != VERSION:
        raise ShardError(f"{name}: written in version {version} of the format, this program reads version {VERSION}")
    if kind not in SUFFIXES or size > MOST_BYTES:
        raise ShardError(f"{name}: its header is invalid")
    return ShardHead(kind, run, first, games, size, checksum)


def read_shard(path: Path) -> Shard:
    """Read a shard and prove it whole; raises ShardError or OSError."""
    content = path.read_bytes()
    head = parse_head(path.name, content)
    payload = content[HEAD_BYTES:]
    if len(payload) != head.size:
        raise ShardError(f"{path.name}: {head.size} bytes expected behind the header, {len(payload)} found")
    if zlib.crc32(payload) != head.checksum:
        raise ShardError(f"{path.name}: its content is damaged")
    return Shard(head.kind, head.run, head.first, head.games, payload)


def has_right_size(path: Path) -> bool:
    """A quick look: True if the header is good and the file as long as it says."""
    try:
        with path.open("rb") as file:
            head = parse_head(path.name, file.read(HEAD_BYTES))
        return path.stat().st_size == HEAD_BYTES + head.size
    except (OSError, ShardError):
        return False
