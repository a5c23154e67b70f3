"""A run of self-play: a folder of shards, and a manifest that says what they are and proves them.

The manifest depends on engine, settings and games only, not on when, where or with how many threads they were played.
"""

import hashlib
import json
from pathlib import Path
from typing import NamedTuple

from nowchess_uci.files import write_atomically
from nowchess_uci.training.records import Judgement
from nowchess_uci.training.selfplay import Settings
from nowchess_uci.training.shards import GAMES, SAMPLES, SUFFIXES

FORMAT = 1
NAME = "manifest.json"


class RunError(ValueError):
    """A run that cannot be read, or not be continued as asked."""


class Identity(NamedTuple):
    """What decides all bytes of a run."""

    engine: str
    bench: int
    """The engine's signature: another engine plays other games."""
    settings: Settings
    games_per_shard: int

    def digest(self) -> bytes:
        """Eight bytes that stand for this run in its files."""
        return hashlib.sha256(json.dumps(as_plain(self), sort_keys=True).encode()).digest()[:8]


class Entry(NamedTuple):
    """One shard of the manifest."""

    number: int
    games: int
    plies: int
    positions: int
    samples: int
    results: tuple[int, int, int]
    """Games won by White, drawn, won by Black."""
    hashes: dict[str, str]
    """The sha256 of each file, by name."""


class Manifest(NamedTuple):
    """A run as it stands: what it is, and the shards that are there, by number."""

    identity: Identity
    entries: dict[int, Entry]

    def totals(self) -> Entry:
        """All shards as one; its number is how many there are."""
        entries = self.entries.values()
        results = tuple(sum(entry.results[index] for entry in entries) for index in range(3))
        return Entry(
            len(entries),
            sum(entry.games for entry in entries),
            sum(entry.plies for entry in entries),
            sum(entry.positions for entry in entries),
            sum(entry.samples for entry in entries),
            (results[0], results[1], results[2]),
            {},
        )


def file_name(number: int, kind: bytes) -> str:
    """The name of a shard's file."""
    return f"{number:06d}{SUFFIXES[kind]}"


def kinds_of(settings: Settings) -> tuple[bytes, ...]:
    """The kinds of files that a shard of such a run has."""
    return (GAMES, SAMPLES) if settings.sample_every else (GAMES,)


def as_plain(identity: Identity) -> dict[str, object]:
    """An identity as JSON knows it."""
    settings = {**identity.settings._asdict(), "judgement": identity.settings.judgement._asdict()}
    if not settings["network"]:
        del settings["network"]  # as in runs from before there were any
    return {**identity._asdict(), "settings": settings}


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write the manifest of a run, whole or not at all."""
    totals = manifest.totals()
    content = {
        "format": FORMAT,
        "run": as_plain(manifest.identity),
        "games": totals.games,
        "plies": totals.plies,
        "positions": totals.positions,
        "samples": totals.samples,
        "results": totals.results,
        "shards": [manifest.entries[number]._asdict() for number in sorted(manifest.entries)],
    }
    write_atomically(folder / NAME, f"{json.dumps(content, indent=1)}\n".encode())


def check_types(identity: Identity, entries: list[Entry]) -> None:
    """Raise TypeError for what JSON may hold but a manifest does not."""
    settings = identity.settings
    texts = [identity.engine, settings.network]
    numbers = [identity.bench, identity.games_per_shard, *settings.judgement]
    numbers += [value for name, value in settings._asdict().items() if name not in ("judgement", "network")]
    for entry in entries:
        numbers += [*entry[:5], *entry.results]
        texts += [*entry.hashes, *entry.hashes.values()]
        if len(entry.results) != 3:
            raise TypeError("three kinds of results expected")
    if not all(isinstance(value, int) and value >= 0 for value in numbers):
        raise TypeError("something that is no number, or negative")
    if not all(isinstance(value, str) for value in texts):
        raise TypeError("something that is no text")


def read_manifest(folder: Path) -> Manifest:
    """Read the manifest of a run; raises RunError or OSError."""
    try:
        content = json.loads((folder / NAME).read_bytes())
        if content["format"] != FORMAT:
            raise RunError(f"{folder / NAME}: format {content['format']}, this program reads format {FORMAT}")
        run = content["run"]
        judgement = Judgement(**run["settings"].pop("judgement"))
        settings = Settings(**run.pop("settings"), judgement=judgement)
        identity = Identity(**run, settings=settings)
        entries = [Entry(**{**entry, "results": tuple(entry["results"])}) for entry in content["shards"]]
        check_types(identity, entries)
        return Manifest(identity, {entry.number: entry for entry in entries})
    except FileNotFoundError:
        raise RunError(f"{folder}: there is no {NAME} here, so this is not a folder of training data") from None
    except (KeyError, TypeError, AttributeError, ValueError, RecursionError) as error:
        if isinstance(error, RunError):
            raise
        raise RunError(f"{folder / NAME}: it is damaged ({error})") from None
