"""Makes a run: plays the shards that are missing, with several threads, and keeps the manifest.

`make_shard` is the unit of work: a range of games in, files out, the same bytes wherever it runs. A run that was
ended by anything goes on where it was: what the manifest does not list, or is not there whole, is played again.
"""

import contextlib
import os
import queue
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from nowchess_uci.engine.bench import signature
from nowchess_uci.evaluation.network import Network, default_network
from nowchess_uci.search.pool import STACK_BYTES
from nowchess_uci.threads import start_threads, wait_for
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
from nowchess_uci.training.selfplay import SelfPlay, Settings
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


def make_shard(folder: Path, identity: Identity, number: int, games: int, player: SelfPlay) -> Entry | None:
    """Play one shard and write its files; None, and no file, if the player was cancelled."""
    first = number * identity.games_per_shard
    played = player.play(first, games)
    if played is None:
        return None
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
        raise RunError(f"{folder}: these games were made differently: {difference(manifest.identity, identity)}")
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
        self,
        folder: Path,
        identity: Identity,
        shards: list[tuple[int, int]],
        workers: int,
        network: Network | None,
    ) -> None:
        self.folder = folder
        self.identity = identity
        self.shards = iter(shards)
        self.lock = threading.Lock()
        self.done: queue.SimpleQueue[Entry | BaseException | None] = queue.SimpleQueue()
        count = max(1, min(workers, len(shards)))
        self.players = [SelfPlay(identity.settings, network) for _ in range(count)]
        jobs = [partial(self.work, player) for player in self.players]
        self.threads = start_threads(jobs, stack_bytes=STACK_BYTES)
        if not self.threads:
            raise RunError("the system gives no thread to play on")

    def work(self, player: SelfPlay) -> None:
        """One thread: shard after shard until none is left; then it says so with None."""
        try:
            while True:
                with self.lock:
                    number, games = next(self.shards, (-1, 0))
                entry = make_shard(self.folder, self.identity, number, games, player) if games else None
                self.done.put(entry)
                if entry is None:
                    return
        except BaseException as error:  # the main thread has to hear of it
            self.done.put(error)

    def end(self) -> None:
        """Cancel what is being played and wait for the threads."""
        for player in self.players:
            player.cancel()
        wait_for(self.threads)


def generate(
    folder: Path,
    identity: Identity,
    games: int,
    workers: int,
    report: Callable[[Progress], None] = lambda _: None,
    network: Network | None = None,
) -> Manifest:
    """Play until the run has so many games. Ctrl-C ends it; then all shards that were complete are kept."""
    with only_one(folder):
        manifest = open_run(folder, identity)
        shards = missing_shards(folder, manifest, games)
        for number, _ in shards:
            manifest.entries.pop(number, None)
        before = manifest.totals()
        started = time.monotonic()
        crew = Crew(folder, identity, shards, workers, network) if shards else None
        try:
            running = len(crew.threads) if crew else 0
            while crew and running:
                try:
                    entry = crew.done.get(timeout=LOOK_SECONDS)
                except queue.Empty:
                    report(progress_of(before, crew.players, games, time.monotonic() - started))
                    continue
                if isinstance(entry, BaseException):
                    raise entry
                if entry is None:
                    running -= 1
                    continue
                manifest.entries[entry.number] = entry
                write_manifest(folder, manifest)
                report(progress_of(before, crew.players, games, time.monotonic() - started))
        finally:
            if crew:
                crew.end()
        return manifest


def progress_of(before: Entry, players: list[SelfPlay], wanted: int, seconds: float) -> Progress:
    """What was there before and what was played since."""
    counts = [player.count() for player in players]
    games = sum(count.games for count in counts)
    positions = sum(count.positions for count in counts)
    results = [before.results[index] + sum(count.results[index] for count in counts) for index in range(3)]
    left = wanted - before.games - games
    return Progress(
        before.games + games,
        wanted,
        before.positions + positions,
        (results[0], results[1], results[2]),
        positions / max(seconds, 1e-9),
        left * seconds / games if games else float("inf"),
    )


@contextlib.contextmanager
def only_one(folder: Path) -> Iterator[None]:
    """Hold the folder's lock; raises RunError if another process has it. Where the system knows no locks, go ahead."""
    folder.mkdir(parents=True, exist_ok=True)
    if os.name == "nt":
        yield
        return
    import fcntl

    with (folder / ".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise RunError(f"{folder}: another process is playing games into it") from None
        yield
