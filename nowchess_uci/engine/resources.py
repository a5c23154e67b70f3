"""What an engine needs from outside: memory, taken when first needed, a network, tablebases; and what to do without."""

from collections.abc import Callable

from nowchess_uci.engine import notes
from nowchess_uci.engine.machine import available_mib, useful_threads
from nowchess_uci.engine.settings import Settings
from nowchess_uci.evaluation.network import Network, default_network
from nowchess_uci.search.pool import Pool
from nowchess_uci.tablebases.folders import Problem, require_folder, split_path
from nowchess_uci.tablebases.tables import Tables

THREAD_MIB = 4  # what one more search thread takes


class Resources:
    """Table, threads, network, tablebases. With a listener it makes do with less and says so; without one it raises."""

    def __init__(self, settings: Settings, on_note: Callable[[notes.Note], None] | None) -> None:
        self.hash_mib = settings.hash_mib
        self.threads = settings.threads
        self._on_note = on_note
        self._pool: Pool | None = None
        self.tables: Tables | None = None
        self.network = default_network()

    @property
    def used_threads(self) -> int:
        """How many threads search and count: those asked for, unless the machine has no use for so many."""
        return useful_threads(self.threads)

    def pool(self) -> Pool:
        """The pool, made when first needed: a handshake does not wait for its memory."""
        while self._pool is None:
            hash_mib, threads = self.hash_mib, self.used_threads
            try:
                require_free(hash_mib)
                self._pool = Pool(hash_mib, threads, self.network)
                self._pool.tablebases = self.tables
            except MemoryError:
                if hash_mib == 1 or self._on_note is None:
                    raise
                # A quarter, not a half: something must be left for the threads.
                self.hash_mib, self.threads = max(hash_mib // 4, 1), 1
                self._on_note(notes.HashReduced(hash_mib, threads, self.hash_mib))
        return self._pool

    def release(self) -> None:
        """Give the memory back."""
        self._pool = None
        self.tables = None

    def resize(self, hash_mib: int, threads: int) -> None:
        """Take other sizes. Without a listener it is both or none."""
        before = self.hash_mib
        self.set_hash(hash_mib)
        try:
            self.set_threads(threads)
        except MemoryError:
            self.set_hash(before)
            raise

    def find_tables(self, path: str) -> Tables | None:
        """The tablebases in these folders. Without a listener raises OSError or ValueError."""
        folders = []
        for folder in split_path(path):
            try:
                require_folder(folder)
                folders.append(folder)
            except (OSError, ValueError) as error:
                if self._on_note is None:
                    raise
                self._leave_out(Problem(folder, getattr(error, "strerror", None) or str(error)))
        tables = Tables(folders, self._leave_out) if folders else None
        if path and self._on_note is not None:
            found = (0, 0, 0) if tables is None else (tables.wdl_count, tables.dtz_count, tables.largest)
            self._on_note(notes.TablebasesFound(*found))
        return tables

    def use_tables(self, tables: Tables | None) -> None:
        """Search with these tablebases from now on; what others have led to is forgotten."""
        self.tables = tables
        if self._pool is not None:
            self._pool.tablebases = tables
            self._pool.forget()

    def _leave_out(self, problem: Problem) -> None:
        if self._on_note is not None:
            self._on_note(notes.TablebaseLeftOut(*problem))

    def set_hash(self, hash_mib: int) -> None:
        """Another table size; without the memory for it the old table stays."""
        if hash_mib == self.hash_mib:
            return
        try:
            require_free(hash_mib)
            if self._pool is not None:
                self._pool.set_hash(hash_mib)
        except MemoryError as error:
            if self._on_note is None:
                raise
            self._on_note(notes.HashKept(self.hash_mib, str(error)))
        else:
            self.hash_mib = hash_mib

    def set_network(self, network: Network) -> None:
        """Evaluate with another network, unless it is the same: then what was learnt stays."""
        if network.digest == self.network.digest:
            return
        if self._pool is not None:
            self._pool.set_network(network)
        self.network = network

    def set_threads(self, threads: int) -> None:
        """Another number of threads; without the memory for them the old number stays."""
        if threads == self.threads:
            return
        used = useful_threads(threads)
        free = available_mib()
        try:
            if free is not None and THREAD_MIB * (used - self.used_threads) > free:
                raise MemoryError(f"not enough memory for {used} threads, only {free} MiB are free")
            if self._pool is not None:
                self._pool.set_threads(used)
        except MemoryError as error:
            if self._on_note is None:
                raise
            self._on_note(notes.ThreadsKept(self.threads, str(error)))
        else:
            self.threads = threads
            if used < threads and self._on_note is not None:
                self._on_note(notes.ThreadsUnused(threads, used))


def require_free(hash_mib: int) -> None:
    """Raise MemoryError if a table of that size does not fit: the system may promise it and end us later."""
    free = available_mib()
    if free is not None and hash_mib > free:
        raise MemoryError(f"not enough memory for a table of {hash_mib} MiB, only {free} MiB are free")
