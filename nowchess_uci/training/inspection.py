"""What a run is worth: every byte proven (`check_run`), everything counted (`stats_of_run`)."""

import contextlib
import hashlib
import math
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from nowchess_uci.evaluation.evaluate import Evaluator
from nowchess_uci.evaluation.network import Network, default_network
from nowchess_uci.training.manifest import Entry, Manifest, file_name, kinds_of, read_manifest
from nowchess_uci.training.reader import proven_shard, read_samples, shards_of
from nowchess_uci.training.records import END_NAMES, RecordError, Replay, Tally
from nowchess_uci.training.samples import Samples
from nowchess_uci.training.selfplay import SelfPlay
from nowchess_uci.training.shards import GAMES, SAMPLES
from nowchess_uci.training.trainer import SPREAD

BUCKET_WIDTH = 50
BUCKETS = 82  # -2050 to 2049 centipawns
NOT_CHECKED = "static scores cannot be checked, and no game can be played again"


def check_run(
    folder: Path, bench: int, again: int, report: Callable[[int, int], None], network: Network | None = None
) -> list[str]:
    """Prove all shards of a run; returns what is wrong, in words.

    `bench` is this engine's, with its network: static scores can be proven only by the engine that gave them, and so
    can the first `again` games of each shard, which are played once more. `report(done, total)` is called after each
    shard.
    """
    manifest = read_manifest(folder)
    network = default_network() if network is None else network
    same_network = manifest.identity.settings.network in ("", network.digest)
    same_engine = manifest.identity.bench == bench and same_network
    evaluator = Evaluator(network) if same_engine else None
    player = SelfPlay(manifest.identity.settings, network) if again and same_engine else None
    wrong = []
    if not same_network:
        name = manifest.identity.settings.network[:8]
        wrong.append(f"network {name} made these games, not {network.name}: {NOT_CHECKED}")
    elif not same_engine:
        wrong.append(f"bench {manifest.identity.bench} made these games, this engine has {bench}: {NOT_CHECKED}")
    for done, number in enumerate(sorted(manifest.entries), 1):
        try:
            check_shard(folder, manifest, manifest.entries[number], evaluator)
            if player is not None:
                play_again(folder, manifest, number, again, player)
        except (ValueError, OSError) as error:
            wrong.append(f"shard {number}: {error}")
        report(done, len(manifest.entries))
    return wrong


def check_shard(folder: Path, manifest: Manifest, entry: Entry, evaluator: Evaluator | None) -> None:
    """Prove one shard, static scores only with what gave them; raises ValueError or OSError."""
    identity = manifest.identity
    if set(entry.hashes) != {file_name(entry.number, kind) for kind in kinds_of(identity.settings)}:
        raise ValueError("the manifest lists other files than such a run has")
    for name, expected in entry.hashes.items():
        if hashlib.sha256((folder / name).read_bytes()).hexdigest() != expected:
            raise ValueError(f"{name}: its sha256 is not the manifest's")
    shard = proven_shard(folder, identity, entry.number, GAMES)
    Replay(shard.payload).check(identity.settings.judgement, shard.first)
    tally = Replay(shard.payload).tally()
    if (tally.games, tally.plies, tally.positions, tally.results) != (
        entry.games,
        entry.plies,
        entry.positions,
        entry.results,
    ):
        raise ValueError("its games are not those that the manifest counts")
    if SAMPLES not in kinds_of(identity.settings):
        return
    samples = Samples()
    samples.add(proven_shard(folder, identity, entry.number, SAMPLES).payload)
    if len(samples) != entry.samples:
        raise ValueError(f"{len(samples)} samples, the manifest counts {entry.samples}")
    if samples.wrong_results(shard.first, tally.white_results):
        raise ValueError("samples with another result than their game")
    if evaluator is not None and samples.wrong_static_scores(evaluator):
        raise ValueError("samples with another static score than the evaluation gives")


def play_again(folder: Path, manifest: Manifest, number: int, games: int, player: SelfPlay) -> None:
    """Play the first games of a shard once more and compare the bytes; raises ValueError."""
    shard = proven_shard(folder, manifest.identity, number, GAMES)
    played = player.play(shard.first, min(games, shard.games))
    if played is None or not shard.payload.startswith(played.games):
        raise ValueError("its games came out differently when played again")


class Stats(NamedTuple):
    """What a run holds."""

    totals: Entry
    ends: dict[str, int]
    mean_depth: float
    openings: int
    """Different positions after the random moves."""
    table: list[tuple[int, int, int]]
    """Lost, drawn and won positions of the games, by score in steps of BUCKET_WIDTH."""
    correlation: float
    """Between the chance that a score stands for and the result."""
    held_out: int


def stats_of_run(folder: Path, on_bad: Callable[[str], None]) -> Stats:
    """Count everything in a run's games; `on_bad` hears of shards that cannot be read."""
    manifest = read_manifest(folder)
    tallies: list[Tally] = []
    for shard in shards_of(folder, GAMES, lambda _: None):  # `read_samples` names the bad ones
        with contextlib.suppress(RecordError):
            tallies.append(Replay(shard.payload).tally())
    plies = sum(tally.plies for tally in tallies)
    samples = read_samples([folder], GAMES, None, on_bad)
    table = samples.tally(BUCKET_WIDTH, BUCKETS)
    return Stats(
        manifest.totals(),
        {name: sum(tally.ends[index] for tally in tallies) for index, name in enumerate(END_NAMES)},
        sum(tally.depth for tally in tallies) / max(plies, 1),
        len({key for tally in tallies for key in tally.openings}),
        table,
        correlation(table),
        len(read_samples([folder], GAMES, held_out=True)),
    )


def correlation(table: list[tuple[int, int, int]]) -> float:
    """Pearson's, between the chance a bucket's score stands for and the result (0, 1/2, 1) of its positions."""
    rows = []
    for bucket, counts in enumerate(table):
        score = (bucket - BUCKETS // 2 + 0.5) * BUCKET_WIDTH
        chance = 1 / (1 + math.exp(-score / SPREAD))
        rows += [(chance, result / 2, count) for result, count in enumerate(counts)]
    total = sum(count for _, _, count in rows)
    if not total:
        return 0.0
    mean_x = sum(x * count for x, _, count in rows) / total
    mean_y = sum(y * count for _, y, count in rows) / total
    covariance = sum((x - mean_x) * (y - mean_y) * count for x, y, count in rows)
    spread = sum((x - mean_x) ** 2 * count for x, _, count in rows) * sum(
        (y - mean_y) ** 2 * count for _, y, count in rows
    )
    return covariance / math.sqrt(spread) if spread else 0.0
