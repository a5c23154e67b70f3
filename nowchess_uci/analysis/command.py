"""`nowchess-uci analyse`: from what was typed to a run, and from the run to what a person reads meanwhile.

The streams are handed in; standard output is for results only, everything else goes to standard error.
"""

import contextlib
import os
import re
import time
from collections.abc import Callable, Generator, Iterable
from typing import Any, NamedTuple, TextIO

from nowchess_uci.analysis.journal import Journal, JournalError
from nowchess_uci.analysis.outputs import (
    STDOUT,
    CsvOutput,
    HtmlOutput,
    JsonOutput,
    Output,
    PgnOutput,
    PositionTable,
    Stream,
    remove_leftovers,
    target_of,
)
from nowchess_uci.analysis.run import Progress, Run, Runner, Totals, in_order
from nowchess_uci.analysis.sources import STDIN, Counts, Selection, Sources
from nowchess_uci.analysis.units import DEFAULT_NODES, Failure, Result, Settings, Unit, analyse_and_count
from nowchess_uci.analysis.workers import NoWorkersError, run_units
from nowchess_uci.engine.machine import processors
from nowchess_uci.files import is_special
from nowchess_uci.search.limits import Limits

REDRAW_SECONDS = 0.1
LINE_SECONDS = 30  # between two lines of progress where no line can be overwritten
OUTPUTS = ("out", "json", "csv", "html")
COMPRESSED = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"BZh", b"\xfd7zXZ", b"PK\x03\x04")  # gzip, zstd, bzip2, xz, zip
RANGE = re.compile(r"([0-9]{1,9})(-([0-9]{1,9})?)?")


class Streams(NamedTuple):
    """What the command talks through."""

    stdin: TextIO
    stdout: TextIO
    stderr: TextIO


class UsageError(Exception):
    """Arguments that make no sense together; says why."""


class Screen:
    """Standard error: messages, and a line of progress that changes on a terminal and comes now and then elsewhere."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.is_terminal = stream.isatty()
        self.is_drawn = False
        self.next = time.monotonic() + (0 if self.is_terminal else LINE_SECONDS)

    def say(self, text: str) -> None:
        """A message that stays."""
        self.wipe()
        shown = text.encode(self.stream.encoding or "ascii", "backslashreplace").decode(self.stream.encoding or "ascii")
        self.stream.write(f"{shown}\n")
        self.stream.flush()

    def show(self, progress: Progress) -> None:
        """How far it is, unless that was shown a moment ago."""
        now = time.monotonic()
        if now < self.next:
            return
        self.next = now + (REDRAW_SECONDS if self.is_terminal else LINE_SECONDS)
        text = render_progress(progress)
        self.stream.write(f"\r{text}\x1b[K" if self.is_terminal else f"{text}\n")
        self.stream.flush()
        self.is_drawn = self.is_terminal

    def wipe(self) -> None:
        """Take the line of progress away."""
        if self.is_drawn:
            self.stream.write("\r\x1b[K")
            self.stream.flush()
            self.is_drawn = False


def run(arguments: Any, streams: Streams) -> int:
    """Analyse what the arguments name; returns the exit code."""
    screen = Screen(streams.stderr)
    try:
        check(arguments)
        return start(arguments, streams, screen)
    except (UsageError, JournalError) as error:
        screen.say(f"nowchess-uci analyse: {error}")
        return 2
    except NoWorkersError as error:
        screen.say(f"nowchess-uci analyse: {error}")
        return 1


def start(arguments: Any, streams: Streams, screen: Screen) -> int:
    """The run itself."""
    settings = settings_of(arguments)
    selection = Selection(arguments.player or "", arguments.colour or "", parse_games(arguments.games))
    stdin = streams.stdin.buffer
    sources = Sources(arguments.files, settings, selection, stdin, reuse_evaluations=arguments.reuse_evals)
    paths = [path for path in (getattr(arguments, name) for name in OUTPUTS) if is_file_name(path)]
    if arguments.resume and not os.path.exists(journal_path(paths)) and os.path.exists(paths[0]):
        screen.say(
            f"nothing to do: there is {paths[0]} but no {journal_path(paths)}, so its run was finished,"
            " or had another output first; without --resume everything is analysed again"
        )
        return 0
    runner = cluster_runner(arguments, screen) if arguments.cluster else local_runner(arguments.workers)
    journal = Journal(journal_path(paths), resume=arguments.resume) if paths else None
    try:
        if journal is not None:
            for path in paths:
                remove_leftovers(path)
        if journal is not None and journal.entries:
            screen.say(f"resuming: {journal.entries} done before")
        outputs = open_outputs(arguments, streams, settings, screen)
        run = Run(sources, outputs, journal, on_problem=lambda found: screen.say(str(found)), on_progress=screen.show)
        try:
            totals = run.execute(runner)
        except KeyboardInterrupt:
            done = run.totals.games + run.totals.positions
            hint = "; --resume goes on from here" if paths and done else ""
            screen.say(f"stopped: {done} done and written{hint}")
            if journal is not None:
                journal.leave()
            return 130
        except ValueError as error:  # of an output that cannot hold a result
            raise UsageError(str(error)) from error
    except BaseException:
        if journal is not None:
            journal.leave()
        raise
    screen.wipe()
    if journal is not None:
        journal.remove()
    if not run.has_results:
        screen.say(f"nothing to do: {why_nothing(arguments, sources.counts, totals)}")
        return 1
    screen.say(render_totals(totals, time.monotonic() - run.started))
    if totals.games and not totals.moves:
        screen.say("no move was analysed: the games have none, or none in the range asked for")
    return 1 if totals.problems or totals.unsolved else 0


# What was asked for.


def check(arguments: Any) -> None:
    """Raise UsageError for what cannot be meant."""
    if arguments.colour and not arguments.player:
        raise UsageError("--colour is the colour of a player: it needs --player")
    if arguments.to_move is not None and arguments.to_move < (arguments.from_move or 1):
        raise UsageError("--to-move lies before --from-move")
    if arguments.files.count(STDIN) > 1:
        raise UsageError("standard input can be read only once")
    for path in arguments.files:
        if path == STDIN or is_special(path):  # a pipe can be opened only once
            continue
        try:
            with open(path, "rb") as file:
                beginning = file.read(8)
        except OSError as error:
            raise UsageError(f"{path}: {error.strerror}") from error
        if beginning.startswith(COMPRESSED):
            raise UsageError(f"{path} is compressed; unpack it, or pass what it holds to standard input")
    outputs = [path for path in (getattr(arguments, name) for name in OUTPUTS) if path]
    for path in outputs:
        if outputs.count(path) > 1 or any(same_file(path, other) for other in outputs if other != path):
            raise UsageError(f"two outputs cannot go to {path}")
        if any(same_file(path, source) for source in arguments.files):
            raise UsageError(f"{path} is an input: choose another name for the output")
        if path != STDOUT and os.path.isdir(path):
            raise UsageError(f"{path} is a folder: a file name is needed")
        if path != STDOUT and not os.path.isdir(os.path.dirname(os.path.realpath(path))):
            raise UsageError(f"{path}: there is no such folder")
    if arguments.html == STDOUT:
        raise UsageError("--html needs the name of a file")
    if arguments.resume and not any(is_file_name(path) for path in outputs):
        raise UsageError("--resume needs an output file: its journal stands beside it")


def same_file(path: str, other: str) -> bool:
    """True if both names are those of one plain file."""
    return STDIN not in (path, other) and not is_special(path) and os.path.realpath(path) == os.path.realpath(other)


def is_file_name(path: str | None) -> bool:
    """True for an output that can be written again from the journal."""
    return bool(path) and path != STDOUT and not is_special(str(path))


def journal_path(paths: list[str]) -> str:
    """Where the journal stands: beside the first output, unless there is one beside another."""
    names = [f"{path}.journal" for path in paths]
    return next(filter(os.path.exists, names), names[0])


def settings_of(arguments: Any) -> Settings:
    """How to analyse."""
    nodes = arguments.nodes
    if nodes is None and arguments.depth is None and arguments.movetime is None:
        nodes = DEFAULT_NODES
    return Settings(
        Limits(nodes=nodes, depth=arguments.depth, movetime_ms=arguments.movetime),
        arguments.lines,
        arguments.scale,
        arguments.from_move or 1,
        arguments.to_move,
        arguments.skip_opening,
    )


def parse_games(text: str | None) -> tuple[tuple[int, int | None], ...]:
    """`3-17`, `5`, `20-` or several of them with commas between; raises UsageError."""
    ranges: list[tuple[int, int | None]] = []
    for part in (text or "").split(",") if text else ():
        found = RANGE.fullmatch(part.strip())
        low = int(found[1]) if found else 0
        high = None if found and found[2] == "-" else int(found[3] or low) if found else 0
        if low < 1 or (high is not None and high < low):
            raise UsageError(f"--games takes numbers such as 3-17, 5 or 20-, not {part!a}")
        ranges.append((low, high))
    return tuple(ranges)


def open_outputs(arguments: Any, streams: Streams, settings: Settings, screen: Screen) -> list[Output]:
    """All outputs, opened; the annotated games go to standard output if nothing else is said. Raises OSError."""
    stdout = Stream(streams.stdout.buffer, screen.wipe)
    names = {name: getattr(arguments, name) for name in OUTPUTS}
    if not any(names.values()):
        names["out"] = STDOUT
        table = stdout  # positions have no other place
    else:
        table = Stream(streams.stderr.buffer, screen.wipe) if STDOUT in names.values() else stdout
    outputs: list[Output] = [PositionTable(table)]
    try:
        if names["out"]:
            outputs.append(PgnOutput(target_of(names["out"], stdout), arguments.strip_comments))
        if names["json"]:
            outputs.append(JsonOutput(target_of(names["json"], stdout)))
        if names["csv"]:
            outputs.append(CsvOutput(target_of(names["csv"], stdout)))
        if names["html"]:
            title = ", ".join(os.path.basename(path) if path != STDIN else "stdin" for path in arguments.files)
            outputs.append(HtmlOutput(names["html"], title, render_settings(settings)))
    except BaseException:
        for output in outputs:
            output.discard()
        raise
    return outputs


# Who does it.


def local_runner(workers: int | None) -> Runner:
    """Processes of this machine, as many as it has processors unless another number is given."""
    count = workers or processors()

    def run(
        units: Iterable[Unit], on_steps: Callable[[int], None], on_wait: Callable[[], None]
    ) -> Generator[Result | Failure, None, None]:
        return run_units(units, count, on_steps=on_steps, on_wait=on_wait)

    return run


def cluster_runner(arguments: Any, screen: Screen) -> Runner:
    """A Dask cluster, which is connected to when the first unit is wanted; raises UsageError for a bad address."""
    from nowchess_uci.cluster.connection import ClusterError, parse_address
    from nowchess_uci.cluster.runner import Cluster, GivenUp

    try:
        address = parse_address(arguments.cluster)
    except ValueError as error:
        raise UsageError(f"--cluster: {error}") from error

    def run(
        units: Iterable[Unit], on_steps: Callable[[int], None], on_wait: Callable[[], None]
    ) -> Generator[Result | Failure, None, None]:
        given = 0

        def counted(
            found: Iterable[tuple[int, tuple[Result | Failure, int] | GivenUp]],
        ) -> Generator[tuple[int, Result | Failure], None, None]:
            for number, outcome in found:
                if isinstance(outcome, GivenUp):
                    yield number, Failure(outcome.reason)
                else:
                    on_steps(outcome[1])
                    yield number, outcome[0]

        try:
            with (
                Cluster(address, workers=arguments.workers, tell=screen.say) as cluster,
                contextlib.closing(cluster.run(analyse_and_count, units, lambda _: on_wait())) as found,
            ):
                for result in in_order(counted(found)):
                    given += 1
                    yield result
        except ClusterError as error:
            has_journal = any(is_file_name(getattr(arguments, name)) for name in OUTPUTS)
            hint = "; --resume goes on from here" if has_journal and given else ""
            raise NoWorkersError(f"{error}{hint}") from error

    return run


# In words.


def plural(count: int, word: str) -> str:
    """`1 game`, `2 games`, `2 inaccuracies`."""
    many = f"{word[:-1]}ies" if word.endswith("y") else f"{word}s"
    return f"{count:,} {word if count == 1 else many}"


def render_progress(progress: Progress) -> str:
    """How far it is, in one line."""
    text = f"{progress.units:,} done, {plural(progress.searched, 'position')} searched, {progress.per_second:.1f}/s"
    if progress.seconds_left is not None:
        text += f", {render_time(progress.seconds_left)} left"
    return text


def render_time(seconds: float) -> str:
    """A time as people say it."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"


def render_totals(totals: Totals, seconds: float) -> str:
    """What came out."""
    parts = []
    if totals.games:
        judged = ", ".join(plural(totals.judgements[name], name) for name in ("inaccuracy", "mistake", "blunder"))
        parts.append(f"{plural(totals.games, 'game')}, {plural(totals.moves, 'move')}: {judged}")
    if totals.positions:
        parts.append(plural(totals.positions, "position"))
    if totals.problems:
        parts.append(f"{plural(totals.problems, 'problem')} in the input, named above")
    return f"{'; '.join(parts)} ({render_time(seconds)})"


def render_settings(settings: Settings) -> str:
    """How it was analysed."""
    limits = settings.limits
    parts = [f"{limits.nodes:,} nodes"] if limits.nodes else []
    parts += [f"depth {limits.depth}"] if limits.depth else []
    parts += [f"{limits.movetime_ms} ms"] if limits.movetime_ms else []
    return f"{' or '.join(parts)} a move, {settings.scale} scale"


def why_nothing(arguments: Any, counts: Counts, totals: Totals) -> str:
    """Why there was nothing to analyse."""
    files = ", ".join("standard input" if path == STDIN else path for path in arguments.files)
    if not counts.games and not counts.positions:
        return f"no game and no position in {files}"
    if totals.problems and not arguments.player and not arguments.games:
        return f"nothing in {files} can be played; see above"
    seen = plural(counts.games, "game") if counts.games else plural(counts.positions, "position")
    if arguments.player and counts.games:
        colour = f" as {arguments.colour}" if arguments.colour else ""
        names = ", ".join(sorted(counts.players)[:3])
        among = f"; there are {names}" if names else "; no game names its players"
        numbers = f" among --games {arguments.games}" if arguments.games else ""
        return f"{seen} in {files}, none of {arguments.player!a}{colour}{numbers}{among}"
    return f"{seen} in {files}, none of them among --games {arguments.games}"
