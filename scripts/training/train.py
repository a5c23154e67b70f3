"""Trains a network on folders that selfplay.py has made.

Two kinds of samples: `static` are positions that searches evaluated, with the evaluation's score; `games` are the quiet
positions of the games, with the search's. Every 64th game is held out and shows how well the network does. The same
command gives the same network; one that was interrupted goes on after the last complete epoch. Folders that grow
meanwhile give the same samples with --shards.
"""

import argparse
import hashlib
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from shared.command_line import ProgressLine, render_bar, run, whole_number

from nowchess_uci.evaluation.network import Network
from nowchess_uci.evaluation.network_file import MOST_BUCKETS, MOST_NEURONS, render_network
from nowchess_uci.files import write_atomically
from nowchess_uci.training.fit import FitError, Fitting, Progress, Recipe, Sets
from nowchess_uci.training.manifest import RunError, read_manifest
from nowchess_uci.training.quantise import quantised
from nowchess_uci.training.reader import read_samples
from nowchess_uci.training.samples import Samples
from nowchess_uci.training.shards import GAMES, SAMPLES
from nowchess_uci.training.trainer import Measure, Trainer

EXAMPLES = """examples:
  train.py build/data --static --out build/first
  train.py build/data --games --mix 0.2 --init build/first.weights --rate 1e-3 --out build/second

written:
  OUT.net          the network, for the option EvalFile
  OUT.weights      its weights as floats, for --init
  OUT.checkpoint   where an interrupted run resumes; no longer needed once it is complete"""
DEFAULTS = Recipe()


def parsed() -> argparse.Namespace:
    shape = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, epilog=EXAMPLES, formatter_class=shape)
    parser.add_argument("folders", type=Path, nargs="+", metavar="DIR", help="folders with games")
    kind = parser.add_mutually_exclusive_group(required=True)
    kind.add_argument("--static", action="store_true", help="learn the static scores")
    kind.add_argument("--games", action="store_true", help="learn the searched positions of the games")
    parser.add_argument(
        "--mix",
        type=float,
        default=DEFAULTS.mix,
        metavar="SHARE",
        help="with --games, the share of each batch that is static samples (default: 0)",
    )
    parser.add_argument("--shards", type=whole_number(1), metavar="N", help="only the first N shards of each folder")
    parser.add_argument(
        "--init", type=Path, metavar="FILE", help="start from these weights; --neurons and --buckets must match"
    )
    parser.add_argument(
        "--neurons",
        type=whole_number(16, MOST_NEURONS),
        default=DEFAULTS.neurons,
        metavar="N",
        help=f"neurons in the first layer, a multiple of 16 (default: {DEFAULTS.neurons})",
    )
    parser.add_argument(
        "--buckets",
        type=whole_number(1, MOST_BUCKETS),
        default=DEFAULTS.buckets,
        help=f"sets of weights of the second layer, by number of pieces (default: {DEFAULTS.buckets})",
    )
    parser.add_argument("--epochs", type=whole_number(1), default=DEFAULTS.epochs, help=f"default: {DEFAULTS.epochs}")
    parser.add_argument("--rate", type=float, default=DEFAULTS.rate, help=f"learning rate (default: {DEFAULTS.rate:g})")
    parser.add_argument(
        "--last-rate",
        type=float,
        default=DEFAULTS.last_rate,
        help=f"where it ends, falling along a cosine (default: {DEFAULTS.last_rate:g})",
    )
    parser.add_argument(
        "--decay", type=float, default=DEFAULTS.decay, help=f"weight decay (default: {DEFAULTS.decay:g})"
    )
    parser.add_argument(
        "--lambda",
        dest="result_share",
        type=float,
        default=DEFAULTS.result_share,
        metavar="SHARE",
        help="how much of the target is the result, the rest is the score (default: 0)",
    )
    parser.add_argument("--batch", type=whole_number(1), default=DEFAULTS.batch, help=f"default: {DEFAULTS.batch}")
    parser.add_argument("--seed", type=whole_number(0), default=DEFAULTS.seed, help=f"default: {DEFAULTS.seed}")
    parser.add_argument("--threads", type=whole_number(1, 64), default=os.cpu_count() or 1, help="default: all cores")
    parser.add_argument("--out", type=Path, required=True, metavar="NAME", help="files to write, without suffix")
    return parser.parse_args()


def read(arguments: argparse.Namespace, kind: bytes, held_out: bool) -> Samples:
    def complain(bad: str) -> None:
        print(f"skipped: {bad}", file=sys.stderr)

    return read_samples(arguments.folders, kind, held_out, complain, arguments.shards)


def read_sets(arguments: argparse.Namespace) -> Sets:
    kind = GAMES if arguments.games else SAMPLES
    others = read(arguments, SAMPLES, False) if arguments.games and arguments.mix else None
    sets = Sets(read(arguments, kind, False), others, read(arguments, kind, True))
    print(
        f"{len(sets.main):,} samples{f', {len(others):,} static ones to mix in' if others is not None else ''}; "
        f"{len(sets.held_out):,} of held-out games",
        file=sys.stderr,
    )
    static = sets.main if arguments.static else others
    if static is not None and not len(static):
        raise FitError(
            "there are no static samples that can be read; selfplay.py keeps static ones with --sample-every"
        )
    for folder in arguments.folders:
        content = (folder / "manifest.json").read_bytes()
        shards = min(len(read_manifest(folder).entries), arguments.shards or 10**9)
        print(f"{folder}: {shards} shards, manifest {hashlib.sha256(content).hexdigest()[:16]}", file=sys.stderr)
    return sets


def render_progress(progress: Progress, epochs: int) -> str:
    left = int(progress.seconds_left)
    return (
        f"epoch {progress.epoch} of {epochs} {render_bar(progress.step, progress.steps, 20)} "
        f"error {progress.error:.6f}, {progress.samples_per_second:,.0f} samples/s, {left // 60}:{left % 60:02d} left"
    )


def render_measure(measure: Measure) -> str:
    return (
        f"held out: error {measure.error:.6f}, {measure.distance:.1f} centipawns off, "
        f"correlation {measure.correlation:.4f}, scale {measure.scale:.3f}"
    )


def write(out: Path, trainer: Trainer, measure: Measure) -> str:
    """Write network and weights; returns the network's name."""
    network = quantised(trainer, measure.scale)
    content = render_network(network)
    Network(f"{out.name}.net", content)  # raises if the engine would refuse it
    write_atomically(out.with_name(f"{out.name}.net"), content)
    write_atomically(out.with_name(f"{out.name}.weights"), trainer.export_weights())
    return network.digest()[:8]


def main() -> int:
    arguments = parsed()
    recipe = Recipe(**{name: getattr(arguments, name) for name in Recipe._fields})
    recipe.check()
    trainer = Trainer(recipe.neurons, recipe.buckets)
    if arguments.init:
        trainer.import_weights(arguments.init.read_bytes())
    else:
        trainer.draw_weights(recipe.seed)
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    checkpoint = arguments.out.with_name(f"{arguments.out.name}.checkpoint")
    fitting = Fitting(trainer, recipe, read_sets(arguments), arguments.threads, checkpoint)
    if fitting.done:
        is_complete = fitting.done == recipe.epochs
        print("already complete" if is_complete else f"going on after epoch {fitting.done}", file=sys.stderr)
    line = ProgressLine()

    def on_epoch(epoch: int, measure: Measure) -> None:
        line.clear()
        print(f"epoch {epoch}: {render_measure(measure)}", flush=True)

    measure = fitting.run(lambda progress: line.show(render_progress(progress, recipe.epochs)), on_epoch)
    print(f"{write(arguments.out, trainer, measure)}: {render_measure(measure)}")
    return 0


if __name__ == "__main__":
    run(main, FitError, RunError, MemoryError, ValueError)
