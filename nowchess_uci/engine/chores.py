"""Work that is no search: counting the move tree, and the bench. Each is a job that notes how it ended."""

from collections.abc import Callable

from nowchess_uci.engine.job import Interrupted, Job
from nowchess_uci.engine.notes import Note, Stopped, WorkFailed
from nowchess_uci.evaluation.network import Network
from nowchess_uci.rules.perft import divide
from nowchess_uci.rules.position import Position

Noting = Callable[[Note], None]


def perft_job(
    position: Position, depth: int, threads: int, show: Callable[[dict[int, int]], None], note: Noting
) -> Job[None]:
    """Counts the move tree; `show` gets the counts below each first move."""
    twin = position.copy()

    def work(job: Job[None]) -> None:
        counts = divide(twin, depth, threads, lambda done, total: job.raise_if_stopped())
        job.is_running = False
        show(counts)

    return Job(lambda job: guarded("perft", work, job, note))


def bench_job(
    depth: int,
    threads: int,
    hash_mib: int,
    network: Network,
    show: Callable[[int, float], None],
    note: Noting,
) -> Job[None]:
    """Searches the fixed positions; `show` gets nodes and seconds. Raises MemoryError."""
    from nowchess_uci.engine.bench import Bench  # a GUI never asks for it

    bench = Bench(depth, threads, hash_mib, network)

    def work(job: Job[None]) -> None:
        nodes, seconds = bench.run()
        job.is_running = False
        show(nodes, seconds)

    return Job(lambda job: guarded("bench", work, job, note), bench.stop)


def guarded(what: str, work: Callable[[Job[None]], None], job: Job[None], note: Noting) -> None:
    """Do some work and note how it ended, if it ended badly."""
    try:
        work(job)
    except Interrupted:
        job.is_running = False
        note(Stopped(what))
    except Exception as error:
        note(WorkFailed(error))
