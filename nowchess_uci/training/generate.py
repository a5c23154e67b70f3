"""Makes a run: has the shards played that are missing, by threads or by a cluster, and keeps files and manifest.

The unit of work is a range of games in, bytes out, the same wherever it runs; files are written here only. A run that
was ended by anything goes on where it was: what the manifest does not list, or is not there whole, is played again.
"""

import contextlib
import queue
import threading
import time
from collections.abc import Callable, Generator, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from nowchess_uci.cluster.remote import on_deep_stack, sent_network
from nowchess_uci.cluster.runner import Cluster, GivenUp
from nowchess_uci.engine.bench import signature
from nowchess_uci.evaluation.network import Network, default_network
from nowchess_uci.files import try_lock
from nowchess_uci.search.pool import STACK_BYTES
from nowchess_uci.threads import Thread, start_threads, wait_for
from nowchess_uci.training.manifest import (
    NAME,
    Entry,
    Identity,
    Manifest,
    RunError,
    file_name,
    kinds_of,
    read_manifest,
    write_manifest,
)
from nowchess_uci.training.records import Replay
from nowchess_uci.training.samples import SAMPLE_BYTES
from nowchess_uci.training.selfplay import Count, Played, SelfPlay, Settings
from nowchess_uci.training.shards import GAMES, SAMPLES, Shard, has_right_size, write_shard
from nowchess_uci.version import VERSION

LOOK_SECONDS = 0.5  # between two looks at the players


class Progress(NamedTuple):
    """How far a run is: what is there, what is being played, and how fast."""

    games: int
    wanted: int
    positions: int
    results: tuple[int, int, int]
    positions_per_second: float
    seconds_left: float


def identity_of_engine(settings: Settings, games_per_shard: int, network: Network | None = None) -> Identity:
    """The identity of a run by this engine, perhaps with another network; takes a second for the bench."""
    network = default_network() if network is None else network
    settings = settings._replace(network=network.digest)
    return Identity(f"NowChess UCI {VERSION}", signature(network), settings, games_per_shard)


class ShardUnit(NamedTuple):
    """A shard to play, for whoever plays it."""

    settings: Settings
    first: int
    games: int


def play_unit(unit: ShardUnit) -> Played:
    """Play one shard on a worker of a cluster, with the network of its settings."""
    player = SelfPlay(unit.settings, sent_network(unit.settings.network))
    played = on_deep_stack(lambda: player.play(unit.first, unit.games), player.cancel)
    assert played is not None  # cancelled only on the way out of the line before
    return played


def keep_shard(folder: Path, identity: Identity, number: int, games: int, played: Played) -> Entry:
    """Write the files of a shard that was played."""
    first = number * identity.games_per_shard
    payloads = {GAMES: played.games, SAMPLES: played.samples}
    hashes = {}
    for kind in kinds_of(identity.settings):
        name = file_name(number, kind)
        hashes[name] = write_shard(folder / name, Shard(kind, identity.digest(), first, games, payloads[kind]))
    tally = Replay(played.games).tally()
    samples = len(played.samples) // SAMPLE_BYTES
    return Entry(number, games, tally.plies, tally.positions, samples, tally.results, hashes)


def open_run(folder: Path, identity: Identity) -> Manifest:
    """Begin a run, or take up one that is there; raises RunError if that one is of another kind."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / NAME).exists():
        manifest = Manifest(identity, {})
        write_manifest(folder, manifest)
        return manifest
    manifest = read_manifest(folder)
    if manifest.identity != identity:
        differing = difference(manifest.identity, identity)
        raise RunError(f"{folder}: its games were made differently ({differing}); use their settings or another folder")
    return manifest


def difference(there: Identity, asked: Identity) -> str:
    """What differs between two runs, in words."""
    pairs = [(there._asdict(), asked._asdict())]
    pairs.append((there.settings._asdict(), asked.settings._asdict()))
    found = [
        f"{name} {old[name]} there, {new[name]} asked for"
        for old, new in pairs
        for name in old
        if old[name] != new[name] and name != "settings"
    ]
    return "; ".join(found)


def missing_shards(folder: Path, manifest: Manifest, games: int) -> list[tuple[int, int]]:
    """Number and size of each shard that is still to be played for so many games."""
    size = manifest.identity.games_per_shard
    missing = []
    for number in range((games + size - 1) // size):
        wanted = min(size, games - number * size)
        entry = manifest.entries.get(number)
        if entry is None or entry.games < wanted or not all(has_right_size(folder / name) for name in entry.hashes):
            missing.append((number, wanted))
    return missing


class Crew:
    """Threads that play the missing shards."""

    def __init__(
        self, identity: Identity, shards: list[tuple[int, int]], workers: int, network: Network | None
    ) -> None:
        self.shard_size = identity.games_per_shard
        self.shards = iter(shards)
        self.lock = threading.Lock()
        self.done: queue.SimpleQueue[tuple[int, int, Played] | BaseException | None] = queue.SimpleQueue()
        count = max(1, min(workers, len(shards)))
        self.players = [SelfPlay(identity.settings, network) for _ in range(count)]

    def work(self, player: SelfPlay) -> None:
        """One thread: shard after shard until none is left; then it says so with None."""
        try:
            while True:
                with self.lock:
                    number, games = next(self.shards, (-1, 0))
                played = player.play(number * self.shard_size, games) if games else None
                if played is None:
                    self.done.put(None)
                    return
                self.done.put((number, games, played))
        except BaseException as error:  # the main thread has to hear of it
            self.done.put(error)

    def played(self) -> Generator[tuple[int, int, Played] | None]:
        """Number, games and content of each shard as they are played; None now and then, when there is none.

        Closing it cancels what is being played and waits for the threads.
        """
        threads: list[Thread] = []
        try:
            jobs = [partial(self.work, player) for player in self.players]
            running = len(start_threads(jobs, stack_bytes=STACK_BYTES, started=threads))
            if not running:
                raise RunError("the system gives no thread to play on")
            while running:
                try:
                    done = self.done.get(timeout=LOOK_SECONDS)
                except queue.Empty:
                    yield None
                    continue
                if isinstance(done, BaseException):
                    raise done
                if done is None:
                    running -= 1
                else:
                    yield done
        finally:
            for player in self.players:
                player.cancel()
            wait_for(threads)

    def count(self) -> Count:
        """What was played so far."""
        return sum_counts([player.count() for player in self.players])


class ClusterCrew:
    """A cluster that plays the missing shards; the same for its user, but it counts whole shards."""

    def __init__(self, identity: Identity, shards: list[tuple[int, int]], cluster: Cluster) -> None:
        self.identity = identity
        self.shards = shards
        self.cluster = cluster
        self.counts: list[Count] = []

    def played(self) -> Generator[tuple[int, int, Played] | None]:
        """Number, games and content of each shard as they are played; closing it cancels the rest."""
        size = self.identity.games_per_shard
        units = (ShardUnit(self.identity.settings, number * size, games) for number, games in self.shards)
        with contextlib.closing(self.cluster.run(play_unit, units)) as results:
            for index, played in results:
                if isinstance(played, GivenUp):
                    raise RunError(f"shard {self.shards[index][0]} cannot be played: {played.reason}")
                tally = Replay(played.games).tally()
                self.counts.append(Count(tally.games, tally.positions, tally.results))
                yield (*self.shards[index], played)

    def count(self) -> Count:
        """What was played so far."""
        return sum_counts(self.counts)


def sum_counts(counts: list[Count]) -> Count:
    """All together."""
    results = [sum(count.results[index] for count in counts) for index in range(3)]
    games, positions = sum(count.games for count in counts), sum(count.positions for count in counts)
    return Count(games, positions, (results[0], results[1], results[2]))


def generate(
    folder: Path,
    identity: Identity,
    games: int,
    workers: int,
    report: Callable[[Progress], None] = lambda _: None,
    network: Network | None = None,
    cluster: Cluster | None = None,
) -> Manifest:
    """Play until the run has so many games, on a cluster if there is one, otherwise with so many threads.

    Ctrl-C ends it; then all shards that were complete are kept.
    """
    with only_one(folder):
        manifest = open_run(folder, identity)
        shards = missing_shards(folder, manifest, games)
        for number, _ in shards:
            manifest.entries.pop(number, None)
        if not shards:
            return manifest
        before = manifest.totals()
        started = time.monotonic()
        crew = ClusterCrew(identity, shards, cluster) if cluster else Crew(identity, shards, workers, network)
        with contextlib.closing(crew.played()) as shards_played:
            for shard in shards_played:
                if shard is not None:
                    entry = keep_shard(folder, identity, *shard)
                    manifest.entries[entry.number] = entry
                    write_manifest(folder, manifest)
                report(progress_of(before, crew.count(), games, time.monotonic() - started))
        return manifest


def progress_of(before: Entry, count: Count, wanted: int, seconds: float) -> Progress:
    """What was there before and what was played since."""
    results = [before.results[index] + count.results[index] for index in range(3)]
    left = wanted - before.games - count.games
    return Progress(
        before.games + count.games,
        wanted,
        before.positions + count.positions,
        (results[0], results[1], results[2]),
        count.positions / max(seconds, 1e-9),
        left * seconds / count.games if count.games else float("inf"),
    )


@contextlib.contextmanager
def only_one(folder: Path) -> Iterator[None]:
    """Hold the folder's lock; raises RunError if another process has it. Where the system knows no locks, go ahead."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        if not try_lock(lock):
            raise RunError(f"{folder}: another process is playing games into it")
        yield
