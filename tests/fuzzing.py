"""What the fuzzer and the property tests share: targets that take bytes and check what must hold, and mutations.

A target raises on anything that must not happen. Everything is a function of the bytes given, so that a finding can be
repeated from them.
"""

import contextlib
import io
import random
import re
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

from shared.placements import pieces_of, random_board

from nowchess_uci.engine import resources
from nowchess_uci.evaluation import network_file
from nowchess_uci.evaluation.evaluate import Evaluator
from nowchess_uci.evaluation.network import Network
from nowchess_uci.evaluation.network_file import NetworkError
from nowchess_uci.pgn.read import read_pgn
from nowchess_uci.pgn.tree import RESULTS
from nowchess_uci.pgn.write import render_pgn
from nowchess_uci.rules.fen import MAX_CLOCK, MAX_MOVE_NUMBER, START_FEN, FenError, parse_fen, render_fen
from nowchess_uci.rules.move import render_move
from nowchess_uci.rules.movegen import is_legal_move, legal_moves, play
from nowchess_uci.rules.notation import MoveTextError, parse_move, render_san
from nowchess_uci.rules.position import Position
from nowchess_uci.search.limits import Limits
from nowchess_uci.tablebases.probe import dtz_of, wdl_of
from nowchess_uci.tablebases.tables import Tables
from nowchess_uci.training.records import Judgement, RecordError, Replay
from nowchess_uci.training.samples import SAMPLE_BYTES, Samples
from nowchess_uci.uci.commands import run_line
from nowchess_uci.uci.protocol import Protocol

CORPUS = Path(__file__).resolve().parent / "data" / "fuzz"
Target = Callable[[bytes], None]
LONGEST_SECONDS = 1.0
MOST_DTZ = 101 + 0x7FFE // 2 + 1  # that the prober lets pass
FREE_MIB = 48  # what the engine is told is free, so that no fuzzed option takes the machine's memory


class Finding(AssertionError):  # noqa: N818
    """Something that must not happen."""


# FEN and moves.


def check_position(data: bytes) -> None:
    """A FEN, a line end, and move texts: refused with a reason, or understood without contradiction."""
    first, _, rest = data.decode("utf-8", "replace").partition("\n")
    try:
        position = parse_fen(first, chess960=first.startswith(" "))
    except FenError:
        position = parse_fen(START_FEN)
    else:
        check_fen(position)
    for text in rest.split("\n")[:20]:
        if position.half_move_clock >= MAX_CLOCK or position.full_move_number >= MAX_MOVE_NUMBER:
            return  # one more, and what is written could not be read back
        try:
            move = parse_move(position, text)
        except MoveTextError:
            continue
        if not is_legal_move(position, move) or move not in legal_moves(position):
            raise Finding(f"{text!a} gives an illegal move in {render_fen(position)}")
        for written in (render_san(position, move), render_move(move, position.chess960)):
            if parse_move(position, written) != move:
                raise Finding(f"{written!a} is not read back in {render_fen(position)}")
        play(position, move)
        check_fen(position)


def check_fen(position: Position) -> None:
    """What is written is read back as the same position, and the inner state agrees with itself."""
    text = render_fen(position)
    again = parse_fen(text, position.chess960)
    if render_fen(again) != text or again.key != position.key:
        raise Finding(f"{text} is read back as {render_fen(again)}")
    if position.snapshot() != position.recomputed():
        raise Finding(f"the inner state of {text} contradicts itself")


# PGN.


def check_pgn(data: bytes) -> None:
    """Any bytes: games with legal moves and errors with a place; what is written is read back the same."""
    lines = len(re.findall(rb"\r\n|\r|\n", data)) + 1
    for keep in (True, False):
        for game in read_pgn(io.BytesIO(data), keep_variations=keep):
            if game.result not in RESULTS:
                raise Finding(f"the result {game.result!a}")
            if not all(1 <= error.line <= lines and error.column >= 1 for error in game.errors):
                raise Finding(f"an error outside of the file: {game.errors}")
            try:
                game.start()
            except ValueError:
                if not game.errors:
                    raise Finding("a start position that cannot be, without an error") from None
                continue
            game.end()
            text = render_pgn(game)
            (again,) = read_pgn(io.StringIO(text))
            if again.errors or render_pgn(again) != text:
                raise Finding(f"what was written is read differently: {text!a}")


# Training data.


def check_training(data: bytes) -> None:
    """Any bytes as games and as samples: read, or refused with a reason."""
    try:
        games = Replay(data).tally().games
        Replay(data).check(Judgement(), 0)
    except RecordError:
        games = 0
    if games > len(data):
        raise Finding(f"{games} games in {len(data)} bytes")
    samples = Samples()
    for start in range(0, len(data) - SAMPLE_BYTES + 1, SAMPLE_BYTES):
        with contextlib.suppress(ValueError):  # no position
            samples.add(data[start : start + SAMPLE_BYTES])
    for index in range(len(samples)):
        row = memoryview(bytearray(64)).cast("h", (1, 32))
        samples.features(index, row, row)
        samples.fen(index)


# Tablebases.


def check_table(folder: Path, name: str, data: bytes, seed: int) -> None:
    """Any bytes as the file of a table beside sound ones: refused, or values that tables can have."""
    source = random.Random(seed)
    with tempfile.TemporaryDirectory() as place:
        (Path(place) / name).write_bytes(data)
        tables = Tables([place, str(folder)], whole_bytes=source.choice((0, 1 << 20)))
        for _ in range(10):
            position = random_board(pieces_of(Path(name).stem), source).position
            wdl, dtz = wdl_of(tables, position), dtz_of(tables, position)
            if wdl not in (None, -2, -1, 0, 1, 2) or (dtz is not None and abs(dtz) > MOST_DTZ):
                raise Finding(f"{name}: {wdl} and {dtz} for {render_fen(position)}")
        if any(Path(problem.path).name != name for problem in tables.problems):
            raise Finding(f"{name}: {tables.problems}")


def damage(data: bytes, source: random.Random) -> bytes:
    """A file with some bytes changed, most of them near its start, where the sizes are; sometimes of another size."""
    result = bytearray(data)
    for _ in range(source.choice((1, 1, 2, 5, 50))):
        end = source.choice((16, 64, 300, len(result), len(result)))
        place = source.randrange(min(end, len(result)))
        result[place] = source.choice((0, 1, 0x7F, 0x80, 0xFF, source.randrange(256), result[place] ^ 1))
    kind = source.randrange(12)
    if kind == 0:
        del result[source.randrange(len(result)) :]
    elif kind == 1:
        del result[-64 * source.randrange(1, len(result) // 64 + 1) :]  # the size stays one that a table may have
    elif kind == 2:
        result += bytes(64)
    return bytes(result)


# Networks.


def check_network(data: bytes) -> None:
    """Any bytes as a network, as they are and with lengths and hash put right: used, or refused with a reason."""
    for content in (data, completed(data)):
        try:
            network = Network("bytes", content)
        except NetworkError as error:
            if not str(error).startswith("bytes: "):
                raise Finding(f"said {error}") from None
            continue
        evaluator = Evaluator(network)
        position = parse_fen(START_FEN)
        for _ in range(3):
            kept, anew = evaluator.network_score(position), Evaluator(network).network_score(position)
            if kept != anew or abs(kept) > 8000:
                raise Finding(f"a score of {kept}, and {anew} when begun anew")
            play(position, legal_moves(position)[0])


def completed(data: bytes) -> bytes:
    """A network with these sizes, if they are small, and these bytes over and over as its weights."""
    head, rest = data[: network_file.HEAD.size].ljust(network_file.HEAD.size, b"\0"), data[network_file.HEAD.size :]
    _, _, neurons, buckets, scale, units = network_file.HEAD.unpack(head)
    if neurons > 64 or buckets > 32:
        return data
    size = network_file.weight_bytes(neurons, buckets)
    weights = ((rest or b"\0") * (size // max(len(rest), 1) + 1))[:size]
    return network_file.render_network(network_file.NetworkFile(neurons, buckets, scale, units, weights))


# UCI.


class Recorder:
    """Stands for the output: keeps what is written and checks its form."""

    def __init__(self) -> None:
        import threading

        self.lock = threading.Lock()
        self.best_moves = 0
        self.ready = 0

    def write(self, text: str) -> None:
        if not text.isascii() or "\r" in text or "failed:" in text:
            raise Finding(f"said {text!a}")
        self.best_moves += text.startswith("bestmove ")
        self.ready += text == "readyok"

    def is_stuck(self, seconds: float) -> bool:
        return False


class UciTarget:
    """One engine in this process that gets all lines, with a check after each."""

    def __init__(self) -> None:
        self.protocol = Protocol()
        self.output = Recorder()
        self.protocol.output = self.output  # type: ignore[assignment]
        self.folder = tempfile.TemporaryDirectory()
        self.patch = patch.object(resources, "available_mib", lambda: FREE_MIB)
        self.patch.start()
        self.searches = 0
        self.lines = 0
        start = self.protocol.search

        def counted(limits: Limits) -> None:
            self.searches += 1
            start(limits)

        self.protocol.search = counted  # type: ignore[method-assign]
        open_log = self.protocol.log.open
        # The log may not be written just anywhere.
        self.protocol.log.open = lambda path: open_log(path and f"{self.folder.name}/{path}")  # type: ignore[method-assign]

    def close(self) -> None:
        """Leave the process as it was."""
        self.patch.stop()

    def __call__(self, data: bytes) -> None:
        for line in data.split(b"\n"):
            self.lines += 1
            start = time.monotonic()
            run_line(self.protocol, line.decode("utf-8", "replace"))
            self.protocol.log.note(">>", repr(line))
            if self.protocol.work.is_running and not line.lower().strip().startswith(b"setoption"):
                run_line(self.protocol, "stop")
            if time.monotonic() - start > LONGEST_SECONDS:
                raise Finding(f"{line[:80]!a} took {time.monotonic() - start:.1f} s")
        run_line(self.protocol, "stop")
        before = self.output.ready
        start = time.monotonic()
        run_line(self.protocol, "isready")
        self.protocol.work.wait()
        if self.output.ready != before + 1 or time.monotonic() - start > LONGEST_SECONDS:
            raise Finding(f"isready was answered {self.output.ready - before} times")
        if self.output.best_moves != self.searches:
            raise Finding(f"{self.searches} searches gave {self.output.best_moves} best moves")


# Inputs.


def read_corpus(name: str) -> list[bytes]:
    """The kept inputs of a target: each is one line of the file, with escapes."""
    path = CORPUS / f"{name}.txt"
    return [line.encode("ascii").decode("unicode_escape").encode("latin-1") for line in path.read_text().splitlines()]


def render_corpus(inputs: list[bytes]) -> str:
    """The text of a corpus file."""
    return "".join(data.decode("latin-1").encode("unicode_escape").decode("ascii") + "\n" for data in inputs)


WORDS = {
    "uci": b"""uci isready ucinewgame position startpos fen moves go stop ponderhit setoption name value debug on off
        register d draw eval bench wait help depth nodes movetime wtime btime winc binc movestogo mate infinite ponder
        searchmoves perft Hash Threads MultiPV Ponder UCI_Chess960 UCI_ShowWDL UCI_LimitStrength UCI_Elo
        UCI_AnalyseMode UCI_EngineAbout EvalFile SyzygyPath SyzygyProbeDepth Syzygy50MoveRule SyzygyProbeLimit
        Clear Move Overhead Debug Log File true false 0 1 -1 2 3 16 99999999999999999999
        e2e4 e7e5 g1f3 e1g1 e1h1 a7a8q 0000 abc <empty> rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w b KQkq - HAha
        """.split(),
    "position": b"""rnbqkbnr pppppppp 8 R3K2R r3k2r w b KQkq - HAha e3 e6 d6 0 1 99 100 150 9999 e4 e5 exd5 Nf3 Nbd2 O-O
        O-O-O 0-0 e8=Q e8N exd6 e.p. + # ! ? e2e4 e1g1 e1h1 a7a8q Qh4e1 R1a3 x = : / K k 7 11 P1P""".split(),
    "pgn": b"""1. 1... e4 e5 Nf3 O-O e8=Q -- Z0 @@@@ 0000 Zz $1 $999 $300 $99999999999 $ \xa0
        \xc2\xa0 \xef\xbb\xbf \xe2\x80\xa8 ! ?! {c} { } ; ( ) < > % * 1-0 0-1 1/2-1/2 e.p. [Event "x"]
        [FEN "4k3/P7/8/8/8/8/7p/4K3 w - - 0 1"] [SetUp "1"] [Variant "Chess960"] [Result "1-0"] [A "b \\" "]
        """.split(),
    "network": [b"NowChNet", b"\x10\0\0\0", b"\x01\0\0\0", b"\xff\x7f", b"\0\x80", b"\x90\x01\0\0", b"\0\x04\0\0"],
    "training": [b"\0\0\0\0", b"\x01\0\x08\x16", b"\x0c\x07", b"\xff\xff", b"\0\x7d", b"\x58\x02\x09\x1d"],
}
SEPARATORS = {
    "uci": b" \n",
    "position": b" /\n",
    "pgn": b" \n\r\xa0",
    "network": b"\0\x01",
    "training": b"\0\x01\x24",
}


def mutate(data: bytes, source: random.Random, name: str, others: list[bytes]) -> bytes:
    """Change an input in a few places: bytes, words, repeats, or parts of another input."""
    result = bytearray(data)
    for _ in range(source.choice((1, 1, 2, 3, 5))):
        place = source.randrange(len(result) + 1)
        span = source.randrange(1, 9)
        kind = source.randrange(9)
        if kind == 0:
            del result[place : place + span]
        elif kind == 1 and place < len(result):
            result[place] = source.randrange(256)
        elif kind == 2:
            result[place:place] = source.randbytes(span)
        elif kind == 3 and len(result) < 2000:
            result[place:place] = result[place : place + 8 * span] * source.choice((1, 2, 8))
        elif kind == 4:
            other = source.choice(others)
            cut = source.randrange(len(other) + 1)
            result[place:] = other[cut : cut + 500]
        else:
            separator = bytes([source.choice(SEPARATORS[name])])
            word = separator + source.choice(WORDS[name]) + separator
            result[place : place + (span if kind < 7 else 0)] = word
    return bytes(result)
