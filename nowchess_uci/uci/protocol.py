"""One conversation with a GUI: the engine, what was said so far, and what goes out.

Only the engine's work runs on another thread. The commands themselves are in `commands`, the options in `options`.
"""

import contextlib
import os

from nowchess_uci.engine.chores import bench_job, perft_job
from nowchess_uci.engine.engine import Engine
from nowchess_uci.engine.job import Job
from nowchess_uci.engine.machine import available_mib, useful_threads
from nowchess_uci.engine.notes import BenchRefused, Note
from nowchess_uci.engine.resources import THREAD_MIB
from nowchess_uci.rules.fen import START_FEN, FenError, parse_fen
from nowchess_uci.rules.notation import MoveTextError, play_texts
from nowchess_uci.rules.position import Position
from nowchess_uci.search.lateness import Late
from nowchess_uci.search.limits import Limits
from nowchess_uci.search.reports import BestMove, Report
from nowchess_uci.uci import render
from nowchess_uci.uci.log import DebugLog
from nowchess_uci.uci.streams import Output
from nowchess_uci.uci.work import Work


class Preferences:
    """What the GUI has set that concerns the protocol, not the engine."""

    lines: int = 1
    show_wdl: bool = False
    chess960: bool = False
    is_limited: bool = False
    elo: int = 1500
    debug: bool = False


class Protocol:
    """The state of a conversation, and what can be done with it."""

    engine: Engine
    preferences: Preferences

    def __init__(self) -> None:
        self.log = DebugLog()
        self.output = Output(self.log)
        self.engine = Engine(on_note=self.note)
        self.work = Work()
        self.preferences = Preferences()
        self.position: Position = parse_fen(START_FEN)
        self._start: tuple[str, list[str]] = (START_FEN, [])
        self._refused = ""  # why the last `position` was not obeyed
        self._noted: tuple[str, list[str]] = ("", [])  # what was said of which FEN
        self.is_at_terminal = False
        """True if a person types, who wants an answer to everything."""
        self.waits = False
        """True if the lines to come wait for the end of what runs."""

    # What goes out.

    def say(self, text: str) -> None:
        """A message for the user."""
        self.output.write(render.render_string(text))

    def note(self, note: Note) -> None:
        """A message of the engine."""
        self.say(render.render_note(note))

    def tell(self, report: Report) -> None:
        """A report of the search. Why a move is late is for those who look for the reason."""
        if isinstance(report, Late) and not self.preferences.debug:
            self.log.note("--", render.render_report(report, self.preferences.show_wdl))
            return
        if isinstance(report, BestMove) and self._refused:
            self.say(f"this move is for the last valid position; the new one was ignored: {self._refused}")
        self.output.write(render.render_report(report, self.preferences.show_wdl))

    # Options that are more than a setting.

    def limit_strength(self, is_limited: bool, elo: int) -> None:
        """Play as strong as `elo` says, or as well as possible."""
        self.preferences.is_limited = is_limited
        self.preferences.elo = elo
        self.engine.configure(elo=elo if is_limited else None)

    def set_chess960(self, chess960: bool) -> None:
        """Castling rights mean something else with and without Chess960: the position is read again."""
        self.preferences.chess960 = chess960
        try:
            self.position = self._build(*self._start)
        except (FenError, MoveTextError) as error:
            self.say(f"the position is kept as it was read: {error}")

    def open_log(self, path: str) -> None:
        """Write everything to this file from now on; nothing if it is empty."""
        try:
            with self.output.lock:
                self.log.open(path)
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            self.say(f"Debug Log File: {reason}: {path[:80]!a}")

    def use_network(self, path: str) -> None:
        """Evaluate with the network in this file, or with the engine's own if it is empty; an error changes nothing."""
        try:
            self.engine.configure(eval_file=path)
        except (OSError, ValueError, MemoryError) as error:
            with contextlib.suppress(OSError):  # the folder that a GUI started us in may be gone
                path = os.path.abspath(path)
            named = f"{error.strerror}: {path[:200]}" if isinstance(error, OSError) else str(error)
            self.say(f"EvalFile: {ascii(named)[1:-1]}; the network stays as it was")
        else:
            self.say(render.render_network(self.engine.network))

    # The position.

    def set_position(self, fen: str, moves: list[str]) -> None:
        """Stand at a position after some moves; if anything is wrong, say it and stay where we are."""
        try:
            self.position = self._build(fen, moves)
            self._start = (fen, moves)
            self._refused = ""
        except (FenError, MoveTextError) as error:
            self.refuse_position(str(error))

    def refuse_position(self, reason: str) -> None:
        """Say why a position is not taken; the next best move will be for the last good one."""
        self._refused = reason
        self.say(f"position ignored: {reason}")

    def _build(self, fen: str, moves: list[str]) -> Position:
        """The position after some moves; raises FenError or MoveTextError."""
        notes: list[str] = []
        position = parse_fen(fen, self.preferences.chess960, notes)
        play_texts(position, moves)
        if self._noted != (fen, notes):  # a GUI sends the same start again with each move
            self._noted = (fen, notes)
            for note in notes:
                self.say(note)
        return position

    # Work. What is running is stopped first and answers first.

    def search(self, limits: Limits) -> None:
        """Start a search."""

        def start() -> Job[BestMove]:
            for claim in render.render_claims(self.position):
                self.say(claim)
            return self.engine.go(self.position, limits, self.tell, lines=self.preferences.lines)

        self.work.replace(start)

    def count(self, depth: int) -> None:
        """Start counting the move tree, with the threads of the search."""
        position, chess960 = self.position, self.position.chess960

        def show(counts: dict[int, int]) -> None:
            self.output.write(render.render_perft(counts, depth, chess960))

        def start() -> Job[None]:
            threads = useful_threads(self.engine.settings.threads)
            return self._begun(perft_job(position, depth, threads, show, self.note))

        self.work.replace(start)

    def bench(self, depth: int, threads: int, hash_mib: int) -> None:
        """Start a bench."""
        from nowchess_uci.engine.bench import render_bench  # a GUI never asks for it

        def show(nodes: int, seconds: float) -> None:
            self.output.write(render_bench(nodes, seconds, network.name))

        def start() -> Job[None]:
            return self._begun(bench_job(depth, used, hash_mib, network, show, self.note))

        network = self.engine.network
        used = useful_threads(threads)
        free = available_mib()
        if free is not None and hash_mib + THREAD_MIB * used > free:
            self.note(BenchRefused(hash_mib, used, free))
        else:
            self.work.replace(start)

    def _begun(self, job: Job[None]) -> Job[None]:
        self.engine.begin(job)
        return job
