"""The UCI process: reads stdin on the main thread, writes whole lines to stdout, knows every command.

With `streams` the only module that touches them. Unknown input is ignored, as the protocol asks; with `debug on` it is
named.
"""

import os
import signal
import sys
from collections import deque
from collections.abc import Callable

from nowchess_uci.evaluation.explain import render_evaluation
from nowchess_uci.rules.draws import repetitions, status
from nowchess_uci.rules.fen import PIECE_LETTERS, render_fen
from nowchess_uci.rules.move import render_move
from nowchess_uci.search.limits import Limits
from nowchess_uci.search.reports import Report
from nowchess_uci.session import options
from nowchess_uci.session.session import Session
from nowchess_uci.uci import parse, render
from nowchess_uci.uci.log import DebugLog
from nowchess_uci.uci.streams import LineReader, Output
from nowchess_uci.version import VERSION

AUTHOR = "the NowChess UCI authors"
MAX_LINE = 1 << 23
MAX_HELD = 10_000
STUCK_SECONDS = 1.0
URGENT = ("isready", "stop", "ponderhit")  # obeyed even while other lines wait for the end of a search
HELP = """NowChess UCI speaks the UCI protocol; a chess GUI sends these commands:
  uci isready ucinewgame position go stop ponderhit setoption debug register quit
For people:
  d             the position, its FEN and key, and what may be claimed
  draw          claim a draw: says whether the 50-move or repetition rule allows it
  eval          the static evaluation, term by term
  go perft N    counts the move tree
  bench [DEPTH] [THREADS] [HASH]
  wait          until the search is over
  help          this text"""


class Loop:
    """The protocol's commands on a session."""

    def __init__(self) -> None:
        self.log = DebugLog()
        self.output = Output(self.log)
        self.session = Session(self.say, self.tell, self.show_perft)
        self.debug = False
        self.waits = False
        self.held: deque[bytes] = deque()
        self.commands: dict[str, Callable[[str], None]] = {
            "uci": self.on_uci,
            "isready": self.on_is_ready,
            "ucinewgame": lambda rest: self.session.new_game(),
            "position": self.on_position,
            "go": self.on_go,
            "stop": lambda rest: self.session.stop(),
            "ponderhit": lambda rest: self.session.ponderhit(),
            "setoption": self.on_set_option,
            "debug": self.on_debug,
            "register": lambda rest: None,
            "d": self.on_display,
            "draw": lambda rest: self.say(self.session.claim_draw()),
            "eval": lambda rest: self.output.write(render_evaluation(self.session.position)),
            "bench": self.on_bench,
            "wait": self.on_wait,
            "help": lambda rest: self.output.write(HELP),
        }

    def say(self, text: str) -> None:
        """A message for the user."""
        self.output.write(render.render_string(text))

    def tell(self, report: Report) -> None:
        """A report of the search."""
        show_wdl = bool(self.session.values["UCI_ShowWDL"])
        self.output.write(render.render_report(report, self.session.search_chess960, show_wdl))

    def run_line(self, line: str) -> bool:
        """Obey one line; False if it was `quit`."""
        command = parse.parse_line(line)
        if command.word == "quit":
            return False
        action = self.commands.get(command.word)
        if action is not None:
            try:
                action(command.rest)
            except Exception as error:  # whatever it is, the game goes on
                self.say(f"{command.word} failed: {type(error).__name__}: {error}")
        elif command.word and self.debug:
            self.say(f"unknown command {command.word[:40]!a}; try help")
        return True

    # Commands.

    def on_uci(self, rest: str) -> None:
        self.output.write("\n".join(render.render_handshake(f"NowChess UCI {VERSION}", AUTHOR)))

    def on_is_ready(self, rest: str) -> None:
        self.session.ready()
        self.output.write("readyok")

    def on_position(self, rest: str) -> None:
        command = parse.parse_position(rest)
        if command is None:
            self.say("position ignored: 'startpos' or 'fen' expected")
        else:
            self.session.set_position(command.fen, command.moves)

    def on_go(self, rest: str) -> None:
        started = self.session.now()
        command = parse.parse_go(rest)
        numbers = command.numbers
        if "perft" in numbers:
            self.session.perft(min(max(numbers["perft"], 0), 40))
            return
        white = self.session.position.side == 0
        depth, nodes, mate = (numbers.get(word) for word in ("depth", "nodes", "mate"))
        moves_to_go = numbers.get("movestogo", 0)
        self.session.go(
            Limits(
                time_ms=numbers.get("wtime" if white else "btime"),
                increment_ms=max(numbers.get("winc" if white else "binc", 0), 0),
                moves_to_go=moves_to_go if moves_to_go > 0 else None,
                movetime_ms=numbers.get("movetime"),
                depth=None if depth is None else max(depth, 1),
                nodes=None if nodes is None else max(nodes, 1),
                mate=None if mate is None else max(mate, 1),
                infinite=command.infinite,
                ponder=command.ponder,
                search_moves=self.session.search_moves(command.search_moves),
                started=started,
            )
        )

    def on_set_option(self, rest: str) -> None:
        command = parse.parse_set_option(rest)
        if command is None:
            return
        try:
            if command.name.lower() == "debug log file":
                with self.output.lock:
                    self.log.open("" if command.value == "<empty>" else command.value)
            self.session.set_option(command.name, command.value)
        except options.OptionError as error:
            if self.debug or not str(error).startswith("no option"):
                self.say(str(error))
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            self.say(f"Debug Log File: {reason}: {command.value[:80]!a}")

    def on_debug(self, rest: str) -> None:
        if rest in ("on", "off"):
            self.debug = rest == "on"

    def on_display(self, rest: str) -> None:
        """The board, then what it means."""
        position = self.session.position
        rows = []
        for rank in range(7, -1, -1):
            letters = (PIECE_LETTERS + ".")[:13]
            row = " ".join(letters[position.piece_at(8 * rank + file)] for file in range(8))
            rows.append(f"{rank + 1}  {row}")
        rows += [
            "   a b c d e f g h",
            "",
            f"Fen: {render_fen(position)}",
            f"Key: {position.key:016X}",
            f"Half-move clock: {position.half_move_clock}",
            f"Repetitions: {repetitions(position)}",
            f"Status: {status(position)}",
            f"Draw: {'; '.join(self.session.claims()) or 'nothing may be claimed'}",
        ]
        self.output.write("\n".join(rows))

    def show_perft(self, counts: dict[int, int], total: int) -> None:
        """The result of `go perft`."""
        chess960 = self.session.search_chess960
        rows = [f"{render_move(move, chess960)}: {count}" for move, count in counts.items()]
        self.output.write("\n".join([*rows, "", f"Nodes searched: {total}"]))

    def on_bench(self, rest: str) -> None:
        from nowchess_uci.session.bench import render_bench  # a GUI never asks for it

        def show(nodes: int, seconds: float) -> None:
            self.output.write(render_bench(nodes, seconds))

        self.session.bench(*bench_arguments(rest.split()), show)
        self.waits = True

    def on_wait(self, rest: str) -> None:
        """The lines after this one wait for the end of a search that ends by itself, except for the urgent ones."""
        self.waits = True

    # The life of the process.

    @property
    def is_waiting(self) -> bool:
        """True if only urgent lines are obeyed now."""
        self.waits = self.waits and self.session.is_searching and not self.session.is_endless
        return self.waits

    def next_line(self, lines: LineReader) -> bytes:
        """The next line to obey; nothing at the end of the input."""
        while self.is_waiting:
            if os.name == "nt" or len(self.held) > MAX_HELD or b"" in self.held:
                self.session.wait()
            elif lines.is_ready(0.01):
                raw = lines.read()
                if raw.split(maxsplit=1)[:1] in ([word.encode()] for word in URGENT):
                    return raw
                self.held.append(raw)
        return self.held.popleft() if self.held else lines.read()

    def finish(self) -> None:
        """Stop whatever runs and close the log. Who does not read any more is not waited for."""
        self.session.stop()
        while not self.session.wait(0.05):
            if self.output.is_stuck(STUCK_SECONDS):
                os._exit(0)
        self.log.close()


def bench_arguments(words: list[str]) -> tuple[int, int, int]:
    """Depth, threads and hash size of a bench, kept in range."""
    from nowchess_uci.session.bench import DEFAULT_DEPTH

    wanted = [DEFAULT_DEPTH, 1, 16]
    for index, word in enumerate(words[:3]):
        number = parse.parse_number(word)
        if number is not None:
            wanted[index] = min(max(number, 1), (100, 512, 65536)[index])
    return wanted[0], wanted[1], wanted[2]


def run_stdin() -> int:
    """Obey stdin until `quit` or its end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a GUI ends the engine by pipe; Ctrl-C is meant for the GUI
    sys.setswitchinterval(0.0005)  # how long a reporting search may keep this thread from answering
    if os.isatty(0) and os.isatty(2):
        print("A chess GUI would talk to me now. Type help for the commands, quit to leave.", file=sys.stderr)
    loop = Loop()
    lines = LineReader(0, MAX_LINE, lambda: loop.say(f"a line was ignored: it is longer than {MAX_LINE} bytes"))
    while True:
        raw = loop.next_line(lines)
        line = raw.decode("utf-8", "replace")
        loop.log.note(">>", line.rstrip("\r\n"))
        if not raw or not loop.run_line(line):
            break
    loop.finish()
    return 0


def run_lines(lines: list[str]) -> int:
    """Obey some lines, wait for a search that will end by itself, and leave."""
    loop = Loop()
    for line in lines:
        if not loop.run_line(line):
            break
        if loop.is_waiting:
            loop.session.wait()
    else:
        if not loop.session.is_endless:
            loop.session.wait()
    loop.finish()
    return 0
