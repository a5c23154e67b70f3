"""Plays training games of the engine against itself, at full speed on all cores.

  selfplay.py --out DIR ...    play games into a folder, or continue a run that was ended there
  selfplay.py check DIR        verify every game: moves, flags, results, checksums, static scores
  selfplay.py stats DIR        what the games are like
  selfplay.py text DIR         the positions as lines `FEN;result for White;score for White`, for other tools

The folder, the formats and how to read them from Python: docs/training.md.
"""

import argparse
import contextlib
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from shared.command_line import ProgressLine, run, whole_number

from nowchess_uci.cluster.connection import ClusterError, parse_address
from nowchess_uci.cluster.runner import Cluster
from nowchess_uci.engine.bench import signature
from nowchess_uci.evaluation.network import load_network
from nowchess_uci.evaluation.network_file import NetworkError
from nowchess_uci.training.generate import Progress, generate, identity_of_engine
from nowchess_uci.training.inspection import BUCKET_WIDTH, BUCKETS, check_run, stats_of_run
from nowchess_uci.training.manifest import NAME, RunError
from nowchess_uci.training.reader import read_samples
from nowchess_uci.training.selfplay import Settings
from nowchess_uci.training.shards import GAMES

EXAMPLES = """examples:
  .venv/bin/python scripts/training/selfplay.py --out build/games --games 1000
  nice -n 19 .venv/bin/python scripts/training/selfplay.py --out build/games --games 700000 --sample-every 128
  .venv/bin/python scripts/training/selfplay.py check build/games
  .venv/bin/python scripts/training/selfplay.py stats build/games

A run resumes: give the same command again. Ctrl-C loses at most the games of the shards being played."""
DEFAULTS = Settings()


def render_seconds(seconds: float) -> str:
    if seconds == float("inf"):
        return "?"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02d} min" if hours else f"{minutes} min {rest:02d} s"


def render_progress(progress: Progress) -> str:
    white, drawn, black = (f"{100 * count / max(progress.games, 1):.0f} %" for count in progress.results)
    return (
        f"{progress.games:,} of {progress.wanted:,} games, {progress.positions:,} positions, "
        f"{progress.positions_per_second:,.0f}/s, White {white}, drawn {drawn}, Black {black}, "
        f"{render_seconds(progress.seconds_left)} left"
    )


def play(arguments: argparse.Namespace) -> int:
    settings = Settings(
        seed=arguments.seed,
        soft_nodes=arguments.soft_nodes,
        sample_every=arguments.sample_every,
        opening_plies=arguments.opening_plies,
        opening_limit=arguments.opening_limit,
    )
    network = load_network(arguments.eval_file) if arguments.eval_file else None
    identity = identity_of_engine(settings, arguments.games_per_shard, network)
    line = ProgressLine()

    def tell(text: str) -> None:
        line.clear()
        print(text, file=sys.stderr, flush=True)

    try:
        with contextlib.ExitStack() as stack:
            cluster = None
            if arguments.cluster:
                content = Path(arguments.eval_file).read_bytes() if arguments.eval_file else b""
                cluster = Cluster(arguments.cluster, workers=arguments.workers, network=content, tell=tell)
                stack.enter_context(cluster)
            manifest = generate(
                arguments.out,
                identity,
                arguments.games,
                arguments.workers,
                lambda progress: line.show(render_progress(progress)),
                network,
                cluster,
            )
    except KeyboardInterrupt:
        line.end()
        print("ended; the same command continues from here", file=sys.stderr)
        return 130
    line.end()
    totals = manifest.totals()
    print(
        f"{totals.games:,} games, {totals.positions:,} positions, {totals.samples:,} samples in {arguments.out}; "
        f"White won {totals.results[0]:,}, drawn {totals.results[1]:,}, Black won {totals.results[2]:,}"
    )
    return 0


def check(arguments: argparse.Namespace) -> int:
    network = load_network(arguments.eval_file) if arguments.eval_file else None
    bench = signature(network)
    line = ProgressLine()
    wrong = check_run(
        arguments.folder,
        bench,
        arguments.again,
        lambda done, total: line.show(f"{done:,} of {total:,} shards proven"),
        network,
    )
    line.end()
    for text in wrong:
        print(text)
    print(f"{arguments.folder}: {len(wrong)} thing{'s' * (len(wrong) != 1)} wrong" if wrong else "everything is right")
    return 1 if wrong else 0


def stats(arguments: argparse.Namespace) -> int:
    found = stats_of_run(arguments.folder, lambda text: print(f"skipped: {text}", file=sys.stderr))
    totals = found.totals
    games, plies = max(totals.games, 1), max(totals.plies, 1)
    print(f"games                {totals.games:,} in {totals.number:,} shards, {plies / games:.1f} searched plies each")
    print(f"positions            {totals.positions:,} ({100 * totals.positions / plies:.1f} % of the plies)")
    print(f"of held-out games    {found.held_out:,}")
    print(f"samples              {totals.samples:,}")
    white, drawn, black = (f"{count:,} ({100 * count / games:.1f} %)" for count in totals.results)
    print(f"results              White {white}, drawn {drawn}, Black {black}")
    print(f"mean depth           {found.mean_depth:.2f}")
    print(f"different openings   {found.openings:,}")
    print(f"score and result     correlation {found.correlation:.3f}")
    print("\nended by")
    for name, count in found.ends.items():
        print(f"  {name:<22}{count:>12,}{100 * count / games:>8.1f} %")
    print("\nscore, mover's view      positions    won  drawn   lost")
    for bucket, counts in enumerate(found.table):
        low = (bucket - BUCKETS // 2) * BUCKET_WIDTH
        total = sum(counts)
        if total and -600 <= low < 600:
            shares = "".join(f"{100 * counts[result] / total:>6.1f}%" for result in (2, 1, 0))
            print(f"  {f'{low} to {low + BUCKET_WIDTH - 1}':<18}{total:>14,}{shares}")
    return 0


def text(arguments: argparse.Namespace) -> int:
    samples = read_samples([arguments.folder], GAMES, on_bad=lambda bad: print(f"skipped: {bad}", file=sys.stderr))
    step = arguments.every
    for index in range(0, len(samples), step):
        fen = samples.fen(index)
        score, result = samples.labels(index, 1)[0]
        if " b " in fen:
            score, result = -score, 2 - result
        print(f"{fen};{result / 2:g};{score}")
    return 0


def address(text: str) -> str:
    """An argparse type."""
    try:
        return parse_address(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def parsers() -> dict[str, argparse.ArgumentParser]:
    shape = argparse.RawDescriptionHelpFormatter
    playing = argparse.ArgumentParser(description=__doc__, epilog=EXAMPLES, formatter_class=shape)
    playing.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for games and manifest")
    playing.add_argument("--games", type=whole_number(1, 2**32 - 1), default=1000, help="default: 1000")
    playing.add_argument(
        "--soft-nodes",
        type=whole_number(1, 10**9),
        default=DEFAULTS.soft_nodes,
        help=f"the iteration that crosses this limit is the last (default: {DEFAULTS.soft_nodes})",
    )
    playing.add_argument("--seed", type=whole_number(0), default=DEFAULTS.seed, help="which games (default: 1)")
    playing.add_argument(
        "--workers",
        type=whole_number(1, 1024),
        default=os.cpu_count() or 1,
        help="threads, or processes of a local cluster (default: all cores)",
    )
    playing.add_argument(
        "--sample-every",
        type=whole_number(0, 10**9),
        default=0,
        metavar="K",
        help="keep one of K positions that the searches evaluate, with its static score (default: 0, none)",
    )
    playing.add_argument(
        "--opening-plies",
        type=whole_number(0, 30),
        default=DEFAULTS.opening_plies,
        help=f"random half-moves at the start, in half of the games one more (default: {DEFAULTS.opening_plies})",
    )
    playing.add_argument(
        "--opening-limit",
        type=whole_number(0, 2000),
        default=DEFAULTS.opening_limit,
        metavar="CP",
        help=f"an opening more uneven than this, in centipawns, is drawn anew (default: {DEFAULTS.opening_limit})",
    )
    playing.add_argument(
        "--cluster",
        type=address,
        metavar="ADDRESS",
        help="play on a Dask cluster: tcp://HOST:PORT, tls://HOST:PORT, or local (docs/cluster.md)",
    )
    playing.add_argument("--games-per-shard", type=whole_number(1, 10**6), default=500, help="default: 500")
    playing.set_defaults(run=play)
    made = {"": playing}
    for name, action, description in (
        ("check", check, "Proves every game of a folder; exit code 1 if anything is wrong."),
        ("stats", stats, "Shows what the games of a folder are like."),
        ("text", text, "Prints the positions of a folder as lines `FEN;result for White;score for White`."),
    ):
        made[name] = argparse.ArgumentParser(prog=f"selfplay.py {name}", description=description)
        made[name].add_argument("folder", type=Path, metavar="DIR", help=f"folder with a {NAME}")
        made[name].set_defaults(run=action)
    made["check"].add_argument(
        "--again", type=whole_number(0), default=0, metavar="N", help="play the first N games of each shard once more"
    )
    for command in ("", "check"):
        made[command].add_argument(
            "--eval-file", default="", metavar="FILE", help="network that evaluates (default: the engine's own)"
        )
    made["text"].add_argument(
        "--every", type=whole_number(1), default=1, metavar="K", help="only every K-th position (default: all)"
    )
    return made


def main() -> int:
    made = parsers()
    words = sys.argv[1:]
    chosen = words[0] if words and words[0] in made and words[0] else ""
    arguments = made[chosen].parse_args(words[1:] if chosen else words)
    return int(arguments.run(arguments))


if __name__ == "__main__":
    run(main, ClusterError, RunError, NetworkError, MemoryError)
