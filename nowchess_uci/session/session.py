"""The engine between commands: its position, its options, its search thread.

Commands come as values; answers go out as texts and reports through `say` and `tell`, so no stream is needed to test
it. Only the search runs on a thread of its own; everything else happens on the caller's.
"""

import threading
import time
from collections.abc import Callable

from nowchess_uci.rules import draws
from nowchess_uci.rules.fen import START_FEN, FenError, parse_fen
from nowchess_uci.rules.movegen import legal_moves, play
from nowchess_uci.rules.notation import MoveTextError, parse_move
from nowchess_uci.rules.perft import divide
from nowchess_uci.rules.position import Position
from nowchess_uci.search.limits import Limits
from nowchess_uci.search.pool import Pool
from nowchess_uci.search.reports import BestMove, Progress, Report
from nowchess_uci.session import options, strength
from nowchess_uci.session.machine import available_mib, useful_threads

MAX_THREAD_STACK = 16 << 20
BRIEF_NODES = 20_000  # of a search that cannot have a thread of its own, during which no `stop` is heard
THREAD_MIB = 2  # what one more search thread takes
CLAIM_REFUSED = "Draw cannot be claimed: the 50-move rule has not been triggered."


class Interrupted(Exception):  # noqa: N818
    """A count that was stopped."""


class Session:
    """One engine. `say` takes a text for the user, `tell` a report of the search, `show_counts` those of perft."""

    def __init__(
        self,
        say: Callable[[str], None],
        tell: Callable[[Report], None],
        show_counts: Callable[[dict[int, int], int], None],
    ) -> None:
        self.say = say
        self.tell = tell
        self.show_counts = show_counts
        self.values = options.defaults()
        self.position: Position = parse_fen(START_FEN)
        self._start: tuple[str, list[str]] = (START_FEN, [])
        self._pool: Pool | None = None
        self._bench_pool: Pool | None = None
        self._thread: threading.Thread | None = None
        self._waiting: list[Callable[[], None]] = []
        self._interrupted = False
        self._endless = False
        self._answered = False
        self.search_chess960 = False
        """How the running search, or the last one, writes castling: the position may change meanwhile."""

    # Options.

    def set_option(self, name: str, text: str) -> None:
        """Set one option; during a search it waits for the end of it. Raises OptionError."""
        option = options.find(name)
        value = options.parse_value(option, text)
        self._when_idle(lambda: self._apply(option, value))

    def _apply(self, option: options.Option, value: options.Value) -> None:
        if option.name == "Clear Hash":
            if self._pool is not None:
                self._pool.forget()
        elif option.name == "Hash" and isinstance(value, int):
            self._resize(value)
        elif option.name == "Threads" and isinstance(value, int):
            self._set_threads(value)
        elif option.name == "UCI_Chess960":
            self.values[option.name] = value
            self._read_position_again()
        elif option.name != "UCI_EngineAbout":
            self.values[option.name] = value

    def _resize(self, hash_mib: int) -> None:
        """Another table size, or a message and the old table."""
        free = available_mib()
        try:
            if free is not None and hash_mib > free:
                raise MemoryError(f"no memory for a table of {hash_mib} MiB, {free} MiB are free")
            if self._pool is not None:
                self._pool.set_hash(hash_mib)
        except MemoryError as error:
            self.say(f"Hash stays at {self.values['Hash']} MiB: {error}")
        else:
            self.values["Hash"] = hash_mib

    def _set_threads(self, threads: int) -> None:
        """Another number of threads, or a message and the old number."""
        used = useful_threads(threads)
        more_mib = THREAD_MIB * (used - self._threads())
        free = available_mib()
        try:
            if free is not None and more_mib > free:
                raise MemoryError(f"no memory for {used} threads, {free} MiB are free")
            if self._pool is not None:
                self._pool.set_threads(used)
        except MemoryError as error:
            self.say(f"Threads stays at {self.values['Threads']}: {error}")
        else:
            self.values["Threads"] = threads
            if used < threads:
                self.say(f"of {threads} threads {used} are used: more do not help on this machine")

    def _threads(self) -> int:
        """How many threads to search and count with."""
        return useful_threads(int(self.values["Threads"] or 1))

    def _read_position_again(self) -> None:
        """Castling rights mean something else with and without Chess960."""
        fen, moves = self._start
        try:
            self.position = self._build(fen, moves)
        except (FenError, MoveTextError) as error:
            self.say(f"the position stays as it was read: {error}")

    @property
    def chess960(self) -> bool:
        """True if castling is written king-takes-rook."""
        return bool(self.values["UCI_Chess960"]) or bool(self.position.chess960)

    def pool(self) -> Pool:
        """The search, made when first needed: the handshake does not wait for its memory."""
        while self._pool is None:
            hash_mib, threads = int(self.values["Hash"] or 16), self._threads()
            try:
                self._pool = Pool(hash_mib, threads)
            except MemoryError:
                if hash_mib == 1:
                    raise
                # A quarter, not a half: something must be left for the threads.
                self.values.update({"Hash": max(hash_mib // 4, 1), "Threads": 1})
                self.say(f"no memory for Hash {hash_mib} and Threads {threads}: Hash is {max(hash_mib // 4, 1)} now")
        return self._pool

    # Position.

    def new_game(self) -> None:
        """Forget everything learnt; during a search it waits for the end of it."""
        self._when_idle(lambda: self.pool().forget())

    def set_position(self, fen: str | None, moves: list[str]) -> None:
        """Stand at a position after some moves; if anything is wrong, say it and stay where we are."""
        try:
            start = START_FEN if fen is None else fen
            position = self._build(start, moves)
        except (FenError, MoveTextError) as error:
            self.say(f"position ignored: {error}")
            return
        self.position = position
        self._start = (start, moves)

    def _build(self, fen: str, moves: list[str]) -> Position:
        notes: list[str] = []
        position = parse_fen(fen, bool(self.values["UCI_Chess960"]), notes)
        for number, text in enumerate(moves, 1):
            try:
                play(position, parse_move(position, text))
            except MoveTextError as error:
                raise MoveTextError(f"move {number}: {error}") from None
        for note in notes:
            self.say(note)
        return position

    # Search.

    @property
    def is_searching(self) -> bool:
        """True between the start of a search and its best move."""
        return self._thread is not None and not self._answered

    @property
    def is_endless(self) -> bool:
        """True if the search goes on until told to stop."""
        return self.is_searching and self._endless

    def ready(self) -> None:
        """Whatever can be prepared before the clock runs is prepared now."""
        if not self.is_searching:
            self.wait()
            self._settle()
            self.pool()

    def go(self, limits: Limits) -> None:
        """Start a search; one that is running is stopped first and answers first."""
        self.stop()
        self.wait()
        self._settle()
        try:
            pool = self.pool()
            position = self.position.copy()
        except MemoryError as error:
            self.say(f"no search: {error}")
            self.tell(BestMove(next(iter(limits.search_moves or legal_moves(self.position)), 0), 0))
            return
        limits = self._with_options(limits)
        for claim in self.claims():
            self.say(claim)
        self._endless = limits.infinite or limits.ponder
        self.search_chess960 = self.chess960
        pool.prepare(limits)
        self._run(
            lambda: self._think(pool, position, limits),
            lambda: self._think_briefly(pool, position, limits),
        )

    def _think(self, pool: Pool, position: Position, limits: Limits) -> None:
        """Search and tell the best move, come what may: a GUI that hears none waits until its clock has run out."""
        best = 0
        is_told = False

        def tell(report: Report) -> None:
            nonlocal best, is_told
            if isinstance(report, Progress) and report.multipv == 1 and report.line:
                best = report.line[0]
            # Who reads the best move may send the next command at once: the search is over before it is told.
            self._answered = isinstance(report, BestMove)
            self.tell(report)
            is_told = self._answered

        try:
            pool.think(position.copy(), tell)
        except Exception as error:
            self.say(f"the search failed: {type(error).__name__}: {error}")
            pool.wait_if_asked()
        if not is_told:
            candidates = (best, *limits.search_moves, *legal_moves(position))
            tell(BestMove(next((move for move in candidates if move), 0), 0))

    def _think_briefly(self, pool: Pool, position: Position, limits: Limits) -> None:
        """The search when the system gives no thread: on this one, and short, because nothing is read meanwhile."""
        nodes = min(limits.nodes or BRIEF_NODES, BRIEF_NODES)
        limits = limits._replace(nodes=nodes, infinite=False, ponder=False)
        pool.prepare(limits)
        self._think(pool, position, limits)

    def _with_options(self, limits: Limits) -> Limits:
        """The limits of `go`, and what the options add."""
        analysing = bool(self.values["UCI_AnalyseMode"]) or limits.infinite
        limits = limits._replace(
            multi_pv=int(self.values["MultiPV"] or 1),
            shown_lines=int(self.values["MultiPV"] or 1),
            overhead_ms=int(self.values["Move Overhead"] or 0),
            analysing=analysing,
            may_ponder=bool(self.values["Ponder"]),
        )
        if self.values["UCI_LimitStrength"] and not analysing:
            import random  # only here: it takes milliseconds to import

            return strength.limited(limits, int(self.values["UCI_Elo"] or 0), random.Random())
        return limits

    def perft(self, depth: int) -> None:
        """Count the move tree, with the threads of the search; `stop` ends it."""
        self.stop()
        self.wait()
        self._settle()
        position = self.position.copy()
        self._endless = False
        self.search_chess960 = self.chess960
        self._run(lambda: self._count(position, depth))

    def bench(self, depth: int, threads: int, hash_mib: int, show: Callable[[int, float], None]) -> None:
        """Search the fixed positions of the bench; `stop` ends it."""
        from nowchess_uci.session.bench import run_bench  # a GUI never asks for it

        self.stop()
        self.wait()
        self._settle()
        threads = useful_threads(threads)
        free = available_mib()
        if free is not None and hash_mib + THREAD_MIB * threads > free:
            self.say(f"no bench: a table of {hash_mib} MiB and {threads} threads do not fit, {free} MiB are free")
            return

        def work() -> None:
            try:
                result = run_bench(depth, threads, hash_mib, watch=self._watch_bench)
            except Interrupted:
                self._answered = True
                self.say("bench stopped")
                return
            finally:
                self._bench_pool = None
            self._answered = True
            show(*result)

        self._endless = False
        self._run(work)

    def _watch_bench(self, pool: Pool) -> None:
        """Called before each search of a bench: from then on `stop` reaches it."""
        self._bench_pool = pool
        if self._interrupted:
            raise Interrupted

    def _count(self, position: Position, depth: int) -> None:
        def check(_done: int, _total: int) -> None:
            if self._interrupted:
                raise Interrupted

        try:
            counts = divide(position, depth, self._threads(), check)
        except Interrupted:
            self._answered = True
            self.say("perft stopped")
            return
        self._answered = True
        self.show_counts(counts, 1 if depth < 1 else sum(counts.values()))

    def _run(self, work: Callable[[], None], without_thread: Callable[[], None] | None = None) -> None:
        """Do something on the search thread, or something else on this one if the system gives no thread."""
        self._interrupted = False
        self._answered = False

        def guarded() -> None:
            try:
                work()
            except Exception as error:
                self.say(f"failed: {type(error).__name__}: {error}")
            finally:
                self._answered = True

        previous = threading.stack_size(MAX_THREAD_STACK)
        try:
            thread = threading.Thread(target=guarded, name="search", daemon=True)
            thread.start()
        except RuntimeError as error:
            self._answered = True
            self.say(f"no thread for the search: {error}")
            if without_thread is not None:
                without_thread()
        else:
            self._thread = thread
        finally:
            threading.stack_size(previous)

    def stop(self) -> None:
        """End the search, if there is one."""
        self._interrupted = True
        for pool in (self._pool, self._bench_pool):
            if self.is_searching and pool is not None:
                pool.stop()

    def ponderhit(self) -> None:
        """The opponent played the expected move."""
        if self.is_searching and self._pool is not None:
            self._pool.ponderhit()

    def wait(self, seconds: float | None = None) -> bool:
        """Until the search is over, or some seconds; True if it is over."""
        if self._thread is not None:
            self._thread.join(seconds)
            if self._thread.is_alive():
                return False
            self._thread = None
        return True

    def _when_idle(self, action: Callable[[], None]) -> None:
        if self.is_searching:
            self._waiting.append(action)
        else:
            self.wait()
            self._settle()
            action()

    def _settle(self) -> None:
        """Do what waited for the end of the search."""
        while self._waiting:
            self._waiting.pop(0)()

    # Draws.

    def claims(self) -> list[str]:
        """What the side to move may claim now."""
        found = []
        if draws.can_claim_fifty_moves(self.position):
            found.append(f"draw may be claimed: 50-move rule, half-move clock {self.position.half_move_clock}")
        if draws.can_claim_threefold(self.position):
            found.append(f"draw may be claimed: threefold repetition, {draws.repetitions(self.position)} times")
        return found

    def claim_draw(self) -> str:
        """The answer to a claim. UCI has no claims, so the position stays."""
        claims = self.claims()
        return claims[0].replace("may be claimed", "claimed") if claims else CLAIM_REFUSED

    def search_moves(self, texts: list[str]) -> tuple[int, ...]:
        """The legal moves among some texts; what is none is left out."""
        found = []
        for text in texts:
            try:
                found.append(parse_move(self.position, text))
            except MoveTextError:
                continue
        return tuple(found)

    @staticmethod
    def now() -> float:
        """The clock that limits refer to."""
        return time.monotonic()
