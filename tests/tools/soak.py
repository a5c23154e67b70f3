"""Drives the real engine for a given time through games, analysis, storms and faults, and watches that nothing breaks.

    .venv/bin/python tests/tools/soak.py --minutes 60 --seed 1
    .venv/bin/python tests/tools/soak.py --minutes 0 --timing        only the timing rows

Every best move and every line is checked by python-chess, short mates are played out, searches of fixed depth are
repeated to the node. On a shared machine the host takes the processors away at times, which the kernel counts; what is
late by no more than was taken meanwhile is counted apart. Ends with a table of counts; the exit code is 1 if anything
was wrong. The same seed gives the same commands; what the engine answers to them depends on the speed of the machine.
"""

import argparse
import os
import random
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

import oracle
from oracle import chess
from shared.command_line import ProgressLine, whole_number
from shared.engine_process import EngineError, EngineProcess

ANSWER_SECONDS = 1.0
LONGEST_PROVEN_MATE = 3  # moves; longer ones take long to prove
STOP_MS = 20
QUIT_MS = 100
MOVETIME_OVER_MS = 10
PLAN_OVER_MS = 5  # of processor time: what lies between two looks at the clock, and the last report
BAD_WORDS = ("failed", "refuses another thread", "ignored")  # in messages about what was not wrong
TICK_MS = 10  # how exactly the kernel counts


def stolen_ms() -> float:
    """What the host has taken from all processors together since they started; 0 where no kernel tells."""
    try:
        columns = Path("/proc/stat").read_text().split("\n", 1)[0].split()
    except OSError:
        return 0.0
    return 1000 * int(columns[8]) / os.sysconf("SC_CLK_TCK")


def parse_late(line: str) -> dict[str, float]:
    """The figures of the engine's own line about a move that came late."""
    numbers = [float(number) for number in re.findall(r"\d+", line.partition("late:")[2])]
    names = ("spent", "planned", "start", "processor", "waited", "switches", "faults")
    return dict(zip(names, numbers, strict=True))


def ran_ms(pid: int) -> float:
    """What a process has used of the processors since it started; 0 where no kernel tells, or when it has ended."""
    try:
        columns = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return 1000 * (int(columns[11]) + int(columns[12])) / os.sysconf("SC_CLK_TCK")


class Soak:
    """One engine after another, and the counts of all."""

    def __init__(self, seed: int, loaded: bool = False) -> None:
        self.loaded = loaded
        self.source = random.Random(seed)
        self.counts = dict.fromkeys(
            ("games", "moves", "searches", "lines of thought", "mates proven", "repeated searches", "stops", "storms"),
            0,
        )
        self.counts.update(dict.fromkeys(("positions set", "faults", "processes", "violations"), 0))
        self.counts.update(dict.fromkeys(("lines to a mate", "moves later than planned"), 0))
        self.counts["late while the host took the processors"] = 0
        self.worst: dict[str, float] = {}
        self.stolen_before = 0.0
        self.ran_before = 0.0
        self.spent_ms = 0.0  # from the last `go` to its answer
        self.engine = self.start()

    def start(self) -> EngineProcess:
        """A fresh engine with random options."""
        self.counts["processes"] += 1
        engine = EngineProcess()
        engine.send("uci")
        engine.read_until("uciok")
        engine.send(f"setoption name Threads value {self.source.choice((1, 1, 2))}")
        engine.send("debug on")  # says what the search had of the processor when a move is late
        engine.send(f"setoption name Hash value {self.source.choice((1, 2, 16, 64))}", "isready")
        engine.read_until("readyok")
        return engine

    def violation(self, text: str) -> None:
        """Something that must not happen."""
        self.counts["violations"] += 1
        print(f"\nVIOLATION: {text}", flush=True)

    def begin(self) -> float:
        """A moment to count seconds from; `late` asks what the host has taken since."""
        self.stolen_before = stolen_ms()
        self.ran_before = ran_ms(self.engine.process.pid)
        return time.perf_counter()

    def late(self, text: str, spent_ms: float, allowed_ms: float) -> None:
        """Something took too long; no fault of the engine's if the host took the processors or there is other work."""
        time.sleep(0.05)  # until the kernel has counted it
        stolen = stolen_ms() - self.stolen_before
        ran = ran_ms(self.engine.process.pid) - self.ran_before
        if ran > 0:  # not if it has ended
            text = f"{text}; the engine ran for {ran:.0f} ms of it"
        if stolen and stolen + TICK_MS >= spent_ms - allowed_ms:
            self.counts["late while the host took the processors"] += 1
            print(f"\nhost took {stolen:.0f} ms: {text}", flush=True)
        elif self.loaded:
            self.counts["late on a loaded machine"] = self.counts.get("late on a loaded machine", 0) + 1
        else:
            self.violation(f"{text}; host took {stolen:.0f} ms")

    def note(self, name: str, milliseconds: float) -> None:
        """Keep the worst case of something."""
        self.worst[name] = max(self.worst.get(name, 0.0), milliseconds)

    # One search, checked.

    def search(self, board: chess.Board, go: str, stop_after: float | None = None) -> tuple[str, list[str]]:
        """Let the engine think about the end of a game; returns the best move and what it said."""
        self.counts["searches"] += 1
        self.counts["positions set"] += 1
        start = board.root().fen(shredder=board.chess960)
        moves = " ".join(move.uci() for move in board.move_stack)
        self.engine.send(f"position fen {start} moves {moves}".removesuffix(" moves "))
        begin = self.begin()
        self.engine.send(f"go {go}")
        if stop_after is not None:
            time.sleep(stop_after)
            lines = self.stop()
        else:
            lines = self.engine.read_until("bestmove", 60.0)
        self.spent_ms = 1000 * (time.perf_counter() - begin)
        best = lines[-1].split()[1]
        self.check(board, go, lines, best)
        return best, lines

    def stop(self) -> list[str]:
        """Stop, and see how long the best move takes; what was said up to it."""
        self.counts["stops"] += 1
        begin = self.begin()
        self.engine.send("stop")
        lines = self.engine.read_until("bestmove", 10.0)
        self.note("stop to bestmove", 1000 * (self.engine.arrived - begin))
        return lines

    def check(self, board: chess.Board, go: str, lines: list[str], best: str) -> None:
        """Everything that was said must be legal, and the best move that of the last line."""
        where = f"{oracle_text(board)} go {go}"
        legal = {board.uci(move) for move in board.legal_moves}
        if best not in (legal or {"(none)"}):
            self.violation(f"best move {best} is illegal in {where}")
        ponder = lines[-1].split()[3:4]
        last = ""
        for line in lines[:-1]:
            if line.startswith("info string late"):
                self.check_lateness(line, where)
            elif line.startswith("info string") and any(word in line for word in BAD_WORDS):
                self.violation(f"{line} in {where}")
            if " pv " not in line:
                continue
            self.counts["lines of thought"] += 1
            if " multipv 1 " in line:
                last = line
            reason = self.line_fault(board, line) or self.mate_fault(board, line)
            if reason:
                self.violation(f"{reason}: {line} in {where}")
        if "bound" in last:
            self.violation(f"what was said last is a bound: {last} in {where}")
        if legal and last.partition(" pv ")[2].split()[:1] != [best]:
            self.violation(f"best move {best} is not that of {last!r} in {where}")
        if ponder and not self.is_legal_after(board, best, ponder[0]):
            self.violation(f"ponder move {ponder[0]} is illegal after {best} in {where}")
        if last:
            self.check_mate(board, last, where)

    def line_fault(self, board: chess.Board, line: str) -> str:
        """What is wrong with the moves of an info line, if anything.

        A clock that is over 100 already means that nobody minds the 50-move rule: then it starts anew.
        """
        walk = board.copy(stack=board.halfmove_clock < 100)
        if board.halfmove_clock >= 100:
            walk.halfmove_clock = 0
        for number, text in enumerate(line.partition(" pv ")[2].split()):
            if number and (walk.is_game_over() or walk.is_fifty_moves() or walk.is_repetition(3)):
                return "the line goes on after the end of the game"
            try:
                walk.push_uci(text)
            except ValueError:
                return f"{text} is illegal"
        return ""

    def mate_fault(self, board: chess.Board, line: str) -> str:
        """What is wrong with the line of a mate, if anything: it must be whole, and end in mate when the score says."""
        words = line.split()
        if "mate" not in words or "bound" in line:
            return ""
        mate = int(words[words.index("mate") + 1])
        moves = line.partition(" pv ")[2].split()
        if len(moves) != (2 * mate - 1 if mate > 0 else -2 * mate):
            return f"a mate in {mate} with {len(moves)} half-moves"
        walk = board.copy(stack=False)
        for text in moves:
            walk.push_uci(text)
        self.counts["lines to a mate"] += 1
        return "" if walk.is_checkmate() else "no mate at the end of the line"

    def check_lateness(self, line: str, where: str) -> None:
        """A move later than planned must have had less of the processor than planned: then the machine kept it.

        A search begins late when the main thread, or a helper of the search before, waits for a processor: no wonder
        on a loaded machine.
        """
        self.counts["moves later than planned"] += 1
        late = parse_late(line)
        self.note("wait of a late move for a processor", late["waited"])
        start = 0 if self.loaded else late["start"]
        if late["processor"] + start > late["planned"] + PLAN_OVER_MS:
            self.violation(f"{line.removeprefix('info string ')} in {where}")

    def is_legal_after(self, board: chess.Board, best: str, answer: str) -> bool:
        walk = board.copy()
        walk.push_uci(best)
        return any(walk.uci(move) == answer for move in walk.legal_moves)

    def check_mate(self, board: chess.Board, line: str, where: str) -> None:
        """A short mate for the side to move must be one whatever the other side plays."""
        words = line.split()
        if "mate" not in words or "upperbound" in words or "lowerbound" in words:
            return
        moves = int(words[words.index("mate") + 1])
        if not 0 < moves <= LONGEST_PROVEN_MATE or board.halfmove_clock > 90:
            return
        self.counts["mates proven"] += 1
        if not is_mate_in(board, moves):
            self.violation(f"no mate in {moves} in {where}")

    # What is done with it.

    def random_board(self) -> chess.Board:
        """A position from the middle of a random game, of any kind."""
        return list(oracle.walk(self.source, self.source.randrange(1, 40)))[-1].board

    def play_game(self) -> None:
        """A bullet game of the engine against itself, by a clock that is watched."""
        self.counts["games"] += 1
        board = (
            chess.Board.from_chess960_pos(self.source.randrange(960)) if self.source.random() < 0.2 else chess.Board()
        )
        self.engine.send("ucinewgame", f"setoption name UCI_Chess960 value {str(board.chess960).lower()}")
        for _ in range(self.source.randrange(8)):
            moves = list(board.legal_moves)
            if moves:
                board.push(self.source.choice(moves))
        base = self.source.choice((500, 1000, 2000))
        increment = self.source.choice((10, 20))  # without, every long game is lost on time
        clocks = [base, base]
        while not board.is_game_over(claim_draw=True) and len(board.move_stack) < 300:
            side = 0 if board.turn else 1
            go = f"wtime {clocks[0]} btime {clocks[1]} winc {increment} binc {increment}"
            best, _ = self.search(board, go)
            spent = self.spent_ms
            self.counts["moves"] += 1
            if spent > clocks[side]:
                text = f"lost on time: {spent:.0f} of {clocks[side]} ms in {oracle_text(board)}"
                self.late(text, spent, clocks[side])
                return
            clocks[side] = max(int(clocks[side] - spent), 1) + increment
            board.push_uci(best)
        self.engine.send("setoption name UCI_Chess960 value false")

    def analyse(self) -> None:
        """Infinite analysis with several lines, stopped at some moment."""
        lines = self.source.choice((1, 2, 5, 256))
        self.engine.send(f"setoption name MultiPV value {lines}")
        board = self.random_board()
        self.set_chess960(board)
        self.search(board, "infinite", self.source.uniform(0.0, 0.5))
        self.engine.send("setoption name MultiPV value 1")

    def set_chess960(self, board: chess.Board) -> None:
        self.engine.send(f"setoption name UCI_Chess960 value {str(board.chess960).lower()}")

    def repeat(self) -> None:
        """The same search of fixed depth with one thread twice: the same nodes."""
        self.counts["repeated searches"] += 1
        board = self.random_board()
        self.set_chess960(board)
        self.engine.send("setoption name Threads value 1")
        depth = self.source.randrange(3, 9)
        seen: list[tuple[str, list[list[str]]]] = []
        for _ in range(2):
            self.engine.send("ucinewgame")
            best, lines = self.search(board, f"depth {depth}")
            nodes = [line.partition(" nodes ")[2].split()[:1] for line in lines if " pv " in line]
            seen.append((best, nodes[-1:]))
        if seen[0] != seen[1]:
            self.violation(f"{seen} in {oracle_text(board)} depth {depth}")

    def storm(self) -> None:
        """go and stop and options in a burst: one best move for each go."""
        self.counts["storms"] += 1
        searches = 0
        self.engine.send("position startpos")
        for _ in range(self.source.randrange(5, 40)):
            if self.source.random() < 0.5:
                searches += 1
                self.engine.send(
                    self.source.choice(
                        ("go infinite", "go depth 4", "go ponder wtime 50", "go movetime 3", "go nodes 1")
                    )
                )
            self.engine.send(
                self.source.choice(
                    (
                        "stop",
                        "ponderhit",
                        "isready",
                        "ucinewgame",
                        "position startpos moves e2e4",
                        "setoption name Clear Hash",
                        f"setoption name Threads value {self.source.choice((1, 2, 4))}",
                        f"setoption name Hash value {self.source.choice((1, 8, 32))}",
                        f"setoption name MultiPV value {self.source.choice((1, 4))}",
                        "go perft 3",
                    )
                )
            )
        self.engine.send("stop", "setoption name MultiPV value 1")
        self.counts["searches"] += searches
        for _ in range(searches):
            self.engine.read_until("bestmove", 10.0)
        self.expect_ready()

    def expect_ready(self) -> list[str]:
        """`isready` must be answered within a second, with no best move left over."""
        begin = self.begin()
        lines = self.engine.settled()
        seconds = time.perf_counter() - begin
        self.note("isready", 1000 * seconds)
        if seconds > ANSWER_SECONDS:
            self.late(f"isready took {seconds:.2f} s", 1000 * seconds, 1000 * ANSWER_SECONDS)
        if any(line.startswith("bestmove") for line in lines):
            self.violation("a best move too many")
        return lines

    def set_positions(self) -> None:
        """Many positions without a search."""
        for _ in range(100):
            board = self.random_board()
            self.engine.send(f"position fen {board.fen()}")
        self.counts["positions set"] += 100
        self.expect_ready()

    def garbage(self) -> None:
        """Bytes that mean nothing."""
        self.counts["faults"] += 1
        data = self.source.randbytes(self.source.randrange(1, 2000)).replace(b"quit", b"")
        self.engine.send_bytes(data + b"\n" + b"x" * self.source.randrange(200_000) + b"\n")
        self.engine.send("position fen nonsense", "position startpos moves e2e5", "setoption name Hash value abc")
        self.engine.send("setoption name Threads value 1024", "go depth abc movetime 1")
        self.engine.read_until("bestmove", 10.0)
        self.expect_ready()

    def end_of_process(self) -> None:
        """quit, end of input, a closed pipe or a kill in the middle of a search, and a new engine."""
        self.counts["faults"] += 1
        if self.source.random() < 0.7:
            self.engine.send("go infinite")
            time.sleep(self.source.uniform(0.0, 0.1))
        kind = self.source.choice(("quit", "end of input", "kill"))
        begin = self.begin()
        if kind == "quit":
            self.engine.send("quit")
        elif kind == "end of input":
            self.engine.close_input()
        else:
            self.engine.process.kill()
        code, errors = self.engine.end(10)
        self.note(f"{kind} to exit", 1000 * (time.perf_counter() - begin))
        if code != (0 if kind != "kill" else -9):
            self.violation(f"exit code {code} after {kind}")
        if errors:
            self.violation(f"on stderr: {errors!r}")
        self.engine.close()
        self.engine = self.start()

    def run(self, seconds: float) -> None:
        """Do all of it in random order until the time is over."""
        actions: list[Callable[[], None]] = [
            *[self.play_game] * 2,
            *[self.analyse] * 6,
            *[self.repeat] * 4,
            *[self.storm] * 4,
            *[self.garbage] * 2,
            self.set_positions,
            self.end_of_process,
        ]
        begin = time.monotonic()
        line = ProgressLine()
        while time.monotonic() - begin < seconds:
            action = self.source.choice(actions)
            try:
                action()
            except (EngineError, OSError) as error:
                self.violation(f"{action.__name__}: {error}")
                self.engine.close()
                self.engine = self.start()
            line.show(self.progress((time.monotonic() - begin) / seconds))
        line.end()

    def progress(self, share: float) -> str:
        """How far it is, for the progress line."""
        names = ("games", "searches", "stops", "storms", "faults", "violations")
        return f"{100 * share:3.0f} %  " + "  ".join(f"{name} {self.counts[name]:,}" for name in names)

    # Timing.

    def time_stops(self, tries: int) -> None:
        """`stop` 0 to 60 ms after `go`: none may be lost."""
        self.engine.send("setoption name Threads value 1", "setoption name MultiPV value 1", "position startpos")
        self.engine.settled()
        for _ in range(tries):
            self.engine.send("go infinite")
            time.sleep(self.source.uniform(0.0, 0.06))
            begin = self.begin()
            self.engine.send("stop")
            self.engine.read_until("bestmove", 5.0)
            self.counts["stops"] += 1
            spent = 1000 * (time.perf_counter() - begin)
            self.note(f"stop 0 to 60 ms after go ({tries})", spent)
            if spent > STOP_MS:
                self.late(f"stop took {spent:.1f} ms", spent, STOP_MS)

    def time_ends(self, tries: int) -> None:
        """quit and the end of input in a search."""
        for kind in ("quit", "end of input"):
            for _ in range(tries):
                self.engine.close()
                self.engine = self.start()
                self.engine.send("go infinite")
                time.sleep(self.source.uniform(0.0, 0.1))
                begin = self.begin()
                if kind == "quit":
                    self.engine.send("quit")
                else:
                    self.engine.close_input()
                code, _ = self.engine.end(10)
                spent = 1000 * (time.perf_counter() - begin)
                self.note(f"{kind} in a search ({tries})", spent)
                if code != 0:
                    self.violation(f"{kind}: exit code {code}")
                if spent > QUIT_MS:
                    self.late(f"{kind} took {spent:.0f} ms", spent, QUIT_MS)
        self.engine.close()
        self.engine = self.start()

    def time_clocks(self, tries: int) -> None:
        """Clocks from 10 ms to 1 s, with and without increment and moves to go: never over."""
        self.engine.send("setoption name Threads value 1", "setoption name Move Overhead value 10")
        self.engine.settled()
        for left in (10, 20, 50, 100, 200, 500, 1000):
            for extra in (
                "",
                " winc 10 binc 10",
                " winc 100 binc 100",
                " movestogo 1",
                " movestogo 5",
                " movestogo 40",
            ):
                for _ in range(tries):
                    go = f"wtime {left} btime {left}{extra}"
                    spent = self.time_go(go)
                    self.note(f"clock of {left} ms ({6 * tries})", spent)
                    if spent > left:
                        self.late(f"go {go} took {spent:.1f} ms", spent, left)

    def time_movetime(self, tries: int) -> None:
        """`movetime` at most a little over."""
        for wanted in (1, 10, 20, 50, 100, 300):
            for _ in range(tries):
                over = self.time_go(f"movetime {wanted}") - wanted
                self.note(f"over movetime {wanted} ({tries})", over)
                if over > MOVETIME_OVER_MS:
                    self.late(f"movetime {wanted}: {over:.1f} ms over", wanted + over, wanted + MOVETIME_OVER_MS)

    def time_go(self, go: str) -> float:
        """Milliseconds from `go` to its answer, in a random position."""
        board = self.random_board()
        while board.is_game_over():
            board = self.random_board()
        self.set_chess960(board)
        self.engine.send(f"position fen {board.fen(shredder=board.chess960)}")
        self.engine.settled()
        begin = self.begin()
        self.engine.send(f"go {go}")
        lines = self.engine.read_until("bestmove", 10.0)
        spent = 1000 * (time.perf_counter() - begin)
        self.counts["searches"] += 1
        board = chess.Board(board.fen(shredder=board.chess960), chess960=board.chess960)
        self.check(board, go, lines, lines[-1].split()[1])
        return spent

    def many_processes(self, number: int) -> None:
        """So many engines started and stopped, twenty at a time."""
        for _ in range(0, number, 20):
            engines = [EngineProcess() for _ in range(20)]
            for engine in engines:
                engine.send("uci", "isready", "go infinite")
            for engine in engines:
                engine.read_until("readyok", 60.0)
                engine.send("quit")
            for engine in engines:
                code, _ = engine.end(10)
                if code != 0:
                    self.violation(f"exit code {code}")
                engine.close()
            self.counts["processes"] += 20


def is_mate_in(board: chess.Board, moves: int) -> bool:
    """True if the side to move can force mate in so many moves: every move tried, every answer."""
    for move in list(board.legal_moves):
        board.push(move)
        answers = list(board.legal_moves)
        if not answers:
            forced = board.is_check()
        elif moves == 1:
            forced = False
        else:
            forced = True
            for answer in answers:
                board.push(answer)
                forced = is_mate_in(board, moves - 1)
                board.pop()
                if not forced:
                    break
        board.pop()
        if forced:
            return True
    return False


def oracle_text(board: chess.Board) -> str:
    """How to get to a position."""
    moves = " ".join(move.uci() for move in board.move_stack)  # board.uci() would ask where the king is now
    return f"{'chess960 ' if board.chess960 else ''}fen {board.root().fen(shredder=board.chess960)} moves {moves}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60, help="how long to soak (default: an hour)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--timing", action="store_true", help="measure stop, quit, clocks and movetime afterwards")
    parser.add_argument("--tries", type=whole_number(1), default=20, help="of each clock setting (default: 20)")
    parser.add_argument("--processes", type=whole_number(0), default=0, help="engines to start and stop at the end")
    parser.add_argument(
        "--loaded", action="store_true", help="the machine does other work: time counts, but not as violation"
    )
    arguments = parser.parse_args()
    soak = Soak(arguments.seed, arguments.loaded)
    begin = time.monotonic()
    stolen = stolen_ms()
    soak.run(60 * arguments.minutes)
    if arguments.timing:
        soak.time_stops(50 * arguments.tries)
        soak.time_ends(arguments.tries)
        soak.time_clocks(arguments.tries)
        soak.time_movetime(arguments.tries)
    soak.many_processes(arguments.processes)
    soak.engine.close()
    soak.counts["milliseconds the host took"] = round(stolen_ms() - stolen)
    print(f"\n{'what':<40}{'count':>12}   seed {arguments.seed}, {(time.monotonic() - begin) / 60:.1f} minutes")
    for name, count in soak.counts.items():
        print(f"{name:<40}{count:>12,}")
    for name, milliseconds in soak.worst.items():
        print(f"{'worst ' + name:<40}{milliseconds:>9.1f} ms")
    return 1 if soak.counts["violations"] else 0


if __name__ == "__main__":
    sys.exit(main())
