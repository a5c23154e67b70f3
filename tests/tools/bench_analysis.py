"""How long the analysis of whole games takes, compared with the same job as a script around python-chess.

The games are self-played from random openings, the same every time. `nowchess-uci analyse` does them with one worker
and with two; then a python-chess script does the same with Stockfish and with our own engine behind a pipe: one
search per position, one thread, evaluations written into a PGN. The processor time of all processes is shown too: it
depends less on what else the machine does.
Example: `.venv/bin/python tests/tools/bench_analysis.py --games 12 --other stockfish`. Nothing else should run.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))

from oracle import chess
from shared.engine_process import ENGINE_COMMAND

from nowchess_uci import Board, Engine, Limits
from nowchess_uci.analysis.units import HASH_MIB
from nowchess_uci.game.game import Game
from nowchess_uci.pgn import write_pgn

RANDOM_PLIES = 8
PLAYING_NODES = 400


def self_played(engine: Engine, source: random.Random, plies: int) -> Game:
    """A game of so many plies; one that ends earlier is played again from another opening."""
    while True:
        game = Game.from_fen(Board().fen())
        while len(game.history.moves) < plies and not game.board.status().is_over:
            if len(game.history.moves) < RANDOM_PLIES:
                move = source.choice(game.board.legal_moves())
            else:
                move = engine.play(game.board, Limits(nodes=PLAYING_NODES))
            game = game.after(move)
        if len(game.history.moves) == plies:
            return game


def time_ours(path: Path, nodes: int, workers: int) -> float:
    """Seconds that the command takes."""
    out = path.with_name(f"annotated{workers}.pgn")
    command = [*ENGINE_COMMAND, "analyse", str(path), "--nodes", str(nodes), "--workers", str(workers)]
    start = time.perf_counter()
    subprocess.run([*command, "--out", str(out)], check=True, capture_output=True)
    return time.perf_counter() - start


def time_script(path: Path, nodes: int, command: Sequence[str]) -> float:
    """Seconds that a script around python-chess takes: this file, in a process of its own."""
    start = time.perf_counter()
    subprocess.run([sys.executable, __file__, "--script", str(path), str(nodes), *command], check=True)
    return time.perf_counter() - start


def script(path: Path, nodes: int, command: Sequence[str]) -> None:
    """What a user of python-chess writes."""
    limit = chess.engine.Limit(nodes=nodes)
    with (
        path.open() as file,
        path.with_name("script.pgn").open("w") as out,
        chess.engine.SimpleEngine.popen_uci(list(command)) as engine,
    ):
        engine.configure({"Threads": 1, "Hash": HASH_MIB})
        while (game := chess.pgn.read_game(file)) is not None:
            for node in [game, *game.mainline()]:
                info = engine.analyse(node.board(), limit, game=game)
                node.set_eval(info["score"], info["depth"])
            print(game, end="\n\n", file=out)


def processor_seconds() -> float:
    """What this process and all that have ended below it have used."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def main() -> int:
    if sys.argv[1:2] == ["--script"]:
        script(Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4:])
        return 0
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=200, help="default: 200")
    parser.add_argument("--plies", type=int, default=80, help="of each game (default: 80)")
    parser.add_argument("--nodes", type=int, default=100_000, help="of each position (default: 100000)")
    parser.add_argument("--other", default="stockfish", help="the other engine (default: stockfish)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.pgn"
        source = random.Random(21)
        with Engine() as engine:
            write_pgn([self_played(engine, source, arguments.plies) for _ in range(arguments.games)], path)
        positions = arguments.games * (arguments.plies + 1)
        print(f"{arguments.games} games, {positions} positions at {arguments.nodes} nodes", flush=True)
        seconds: dict[str, float] = {}
        jobs: list[tuple[str, Callable[[], float]]] = [
            ("nowchess-uci analyse, 1 worker", partial(time_ours, path, arguments.nodes, 1)),
            ("nowchess-uci analyse, 2 workers", partial(time_ours, path, arguments.nodes, 2)),
            (f"python-chess around {arguments.other}", partial(time_script, path, arguments.nodes, [arguments.other])),
            ("python-chess around nowchess-uci", partial(time_script, path, arguments.nodes, ENGINE_COMMAND)),
        ]
        for name, measure in jobs:
            before = processor_seconds()
            seconds[name] = measure()
            rate, spent = positions / seconds[name], processor_seconds() - before
            print(f"{name:<34} {seconds[name]:7.1f} s {rate:6.1f} positions/s {spent:7.1f} s of processors", flush=True)
        one, two = list(seconds.values())[:2]
        print(f"two workers {one / two:.2f} times as fast as one")
        same = path.with_name("annotated1.pgn").read_bytes() == path.with_name("annotated2.pgn").read_bytes()
        print(f"both wrote the same bytes: {'yes' if same else 'NO'}")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
