"""What an engine has to say besides its reports: values, put into words where they are written out.

An engine without a listener raises instead.
"""

from typing import NamedTuple


class HashKept(NamedTuple):
    """The table keeps its size: the machine has no memory for another."""

    hash_mib: int
    reason: str


class ThreadsKept(NamedTuple):
    """The number of threads stays: the machine has no memory for more."""

    threads: int
    reason: str


class ThreadsUnused(NamedTuple):
    """More threads than help on this machine were asked for."""

    wanted: int
    used: int


class HashReduced(NamedTuple):
    """The first table did not fit, so a smaller one is tried."""

    wanted_mib: int
    threads: int
    hash_mib: int


class TablebasesFound(NamedTuple):
    """The tablebases of the folders that were named."""

    wdl_files: int
    dtz_files: int
    men: int


class TablebaseLeftOut(NamedTuple):
    """A folder or file of the tablebases that is not used."""

    path: str
    reason: str


class SearchRefused(NamedTuple):
    """There is no memory to search with; some legal move is played."""

    reason: str


class SearchFailed(NamedTuple):
    """The search broke off; the best move known is played."""

    error: Exception


class NoThread(NamedTuple):
    """The system gives no thread: the work is cut short or left undone."""


class WorkFailed(NamedTuple):
    """A count or a bench broke off."""

    error: Exception


class MoveLeftOut(NamedTuple):
    """A move to search that is none here."""

    reason: str


class Stopped(NamedTuple):
    """A count or a bench was stopped."""

    what: str


class BenchRefused(NamedTuple):
    """A bench that does not fit into memory."""

    hash_mib: int
    threads: int
    free_mib: int


Note = (
    HashKept
    | ThreadsKept
    | ThreadsUnused
    | HashReduced
    | TablebasesFound
    | TablebaseLeftOut
    | SearchRefused
    | SearchFailed
    | NoThread
    | WorkFailed
    | MoveLeftOut
    | Stopped
    | BenchRefused
)
