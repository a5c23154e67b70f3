"""From the files of runs to training positions: good shards are read, bad ones named and skipped."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from nowchess_uci.training.manifest import Identity, file_name, kinds_of, read_manifest
from nowchess_uci.training.records import RecordError, Replay
from nowchess_uci.training.samples import Samples
from nowchess_uci.training.shards import GAMES, Shard, ShardError, read_shard


def proven_shard(folder: Path, identity: Identity, number: int, kind: bytes) -> Shard:
    """Read a shard of a run; raises ShardError or OSError if it is not whole or of another run."""
    path = folder / file_name(number, kind)
    shard = read_shard(path)
    if shard.kind != kind:
        raise ShardError(f"{path.name}: another kind of data than its name says")
    if shard.run != identity.digest() or shard.first != number * identity.games_per_shard:
        raise ShardError(f"{path.name}: it belongs to another run or place")
    return shard


def shards_of(folder: Path, kind: bytes, on_bad: Callable[[str], None], most: int | None = None) -> Iterator[Shard]:
    """The good shards of a run, in order; `on_bad` hears of the others. Raises RunError if there is no run.

    With `most` only the first so many: a run may have grown since.
    """
    manifest = read_manifest(folder)
    if kind not in kinds_of(manifest.identity.settings):
        return
    for number in sorted(manifest.entries)[:most]:
        try:
            yield proven_shard(folder, manifest.identity, number, kind)
        except (ShardError, OSError) as error:
            on_bad(f"{folder}: {error}")


def read_samples(
    folders: Iterable[Path],
    kind: bytes,
    held_out: bool | None = None,
    on_bad: Callable[[str], None] = lambda _: None,
    most_shards: int | None = None,
) -> Samples:
    """The positions of some runs: those of searched games (GAMES) or of search trees (SAMPLES).

    `held_out` chooses the games for validation (True), those for training (False), or all (None). `most_shards` leaves
    out all but the first so many shards of each run.
    """
    samples = Samples()
    for folder in folders:
        for shard in shards_of(folder, kind, on_bad, most_shards):
            try:
                if kind == GAMES:
                    Replay(shard.payload).add_to(samples, held_out)
                else:
                    samples.add(shard.payload, held_out)
            except (RecordError, ValueError) as error:
                on_bad(f"{folder}: shard at game {shard.first}: {error}")
    return samples
