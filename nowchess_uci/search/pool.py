"""What stays from one search to the next: the table, the tablebases, and the workers with what they have learnt.

One search at a time uses it. Every thread searches the same root (Lazy SMP): they help each other through the table.
"""
# mypy: disable-error-code="attr-defined"

from functools import partial

import cython
from cython.cimports.nowchess_uci.evaluation.network import Network
from cython.cimports.nowchess_uci.rules.bits import U64
from cython.cimports.nowchess_uci.search.deepening import run_iteration
from cython.cimports.nowchess_uci.search.scores import MAX_PLY
from cython.cimports.nowchess_uci.search.shared import load_u64, store_u64
from cython.cimports.nowchess_uci.search.table import Table
from cython.cimports.nowchess_uci.search.worker import Worker

from nowchess_uci.evaluation.network import default_network
from nowchess_uci.tablebases.tables import Tables
from nowchess_uci.threads import Thread, start_threads

STACK_BYTES = 16 << 20  # a thread's own default may be too small for the deepest line


class Pool:
    """A table and at least one worker."""

    def __init__(self, hash_mib: int = 16, threads: int = 1, network: Network | None = None) -> None:
        self.table = Table(hash_mib)
        self.tablebases: Tables | None = None
        self.workers: list[Worker] = []
        self.network = default_network() if network is None else network
        self.set_threads(threads)

    def set_threads(self, threads: int) -> None:
        """Use so many threads from the next search on."""
        workers = [Worker(self.table, number, self.network) for number in range(len(self.workers), threads)]
        self.workers = [*self.workers[:threads], *workers]

    def set_network(self, network: Network) -> None:
        """Evaluate with another network; what was learnt with the old one is forgotten."""
        for worker in self.workers:
            cython.cast(Worker, worker).use_network(network)
        self.network = network
        self.forget()

    def set_hash(self, hash_mib: int) -> None:
        """Take another table size; raises MemoryError, the old table kept, if the system does not give it."""
        self.table.resize(hash_mib)

    def forget(self) -> None:
        """A new game: empty table, empty histories."""
        self.table.clear(len(self.workers))
        for worker in self.workers:
            worker.forget()

    def nodes(self) -> int:
        """What all threads have searched so far."""
        main: Worker = self.workers[0]
        total: U64 = main.nodes
        for worker in self.workers[1:]:
            total += load_u64(cython.address(cython.cast(Worker, worker).told_nodes))
        return total

    def table_hits(self) -> int:
        """What all threads have found in the tablebases so far."""
        main: Worker = self.workers[0]
        total: U64 = main.table_hits
        for worker in self.workers[1:]:
            total += load_u64(cython.address(cython.cast(Worker, worker).told_table_hits))
        return total

    def start_helpers(self, started: list[Thread]) -> None:
        """Set all workers but the first to work alongside it, and list their threads; fewer if the system refuses."""
        jobs = [partial(deepen_alone, worker) for worker in self.workers[1:]]
        if jobs:
            start_threads(jobs, stack_bytes=STACK_BYTES, started=started)


def deepen_alone(worker: Worker) -> None:
    """A helper's iterations: it reports nothing and goes on until told to stop."""
    depth: cython.int
    with cython.nogil:
        for depth in range(1 + worker.number % 2, MAX_PLY):
            if not run_iteration(worker, depth, 1):
                break
    store_u64(cython.address(worker.told_nodes), worker.nodes)
    store_u64(cython.address(worker.told_table_hits), worker.table_hits)
