"""Networks: their files, their sums from move to move, and their scores compared with the definition."""

import random
import struct
from array import array
from pathlib import Path

import oracle
import pytest
from networks import made, random_network

from nowchess_uci import cli
from nowchess_uci.evaluation import network
from nowchess_uci.evaluation.accumulators import walk
from nowchess_uci.evaluation.evaluate import Evaluator
from nowchess_uci.evaluation.network import Network, load_network
from nowchess_uci.evaluation.network_file import (
    FEATURES,
    HEAD_BYTES,
    MAGIC,
    NetworkError,
    NetworkFile,
    parse_network,
    render_network,
)
from nowchess_uci.rules import movegen
from nowchess_uci.rules.fen import START_FEN, parse_fen, render_fen
from nowchess_uci.uci import loop

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
PAWNS = "4k3/1P4P1/8/3pP3/4p3/8/1p1P2p1/4K3 b - - 12 40"
CHESS960 = "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1"
OVERLAP = "rkr5/8/8/8/8/8/8/5KR1 w Gac - 0 1"  # king and rook take each other's squares when castling


def expected_score(file: NetworkFile, fen: str) -> int:
    """The score by its definition, from the features that python-chess gives."""
    neurons, buckets = file.neurons, file.buckets
    first = array("h", file.weights[: 2 * (FEATURES + 1) * neurons])
    rest = file.weights[2 * (FEATURES + 1) * neurons :]
    second, biases = array("h", rest[: 4 * buckets * neurons]), array("i", rest[4 * buckets * neurons :])
    views = oracle.expected_features(fen)
    bucket = (len(views[0]) - 1) * buckets // 32
    total = 0
    for side, features in enumerate(views):
        for neuron in range(neurons):
            value = first[FEATURES * neurons + neuron] + sum(first[feature * neurons + neuron] for feature in features)
            total += (min(max(value, 0), 724) // 4) ** 2 * second[(2 * bucket + side) * neurons + neuron]
    score = int((total + biases[bucket]) * file.scale / (181**2 * file.second_units))
    return max(-8000, min(8000, score))


def random_fens(count: int, seed: int) -> list[str]:
    """Positions of random games, most with all kinds of pieces."""
    source = random.Random(seed)
    fens: list[str] = []
    while len(fens) < count:
        position = parse_fen(source.choice((START_FEN, KIWIPETE)))
        for _ in range(source.randrange(5, 80)):
            moves = movegen.legal_moves(position)
            if not moves:
                break
            movegen.play(position, source.choice(moves))
        else:
            fens.append(render_fen(position))
    return fens


@pytest.mark.parametrize(
    ("fen", "chess960"),
    [(START_FEN, False), (KIWIPETE, False), (PAWNS, False), (CHESS960, True), (OVERLAP, True)],
)
def test_sums_kept_up_to_date_equal_new_ones(fen: str, chess960: bool) -> None:
    made_network = made(random_network())
    total: dict[str, int] = {}
    for seed in range(60):
        for name, count in walk(made_network, parse_fen(fen, chess960), seed, 250).items():
            total[name] = total.get(name, 0) + count
    assert total["compared"] > 15_000
    assert total["differing"] == 0
    assert min(total["null"], total["undo"], total["mirrored"]) > 100
    if fen in (KIWIPETE, CHESS960, OVERLAP):
        assert total["castling"] > 50
    if fen in (KIWIPETE, PAWNS):
        assert min(total["promotion"], total["en passant"]) > 10


@pytest.mark.parametrize("buckets", [1, 8])
def test_scores_follow_the_definition(buckets: int) -> None:
    file = random_network(buckets=buckets)
    evaluator = Evaluator(made(file))
    for fen in random_fens(60, 5):
        assert evaluator.network_score(parse_fen(fen)) == expected_score(file, fen), fen


def test_a_position_and_its_colour_flipped_twin_score_alike() -> None:
    evaluator = Evaluator(made(random_network()))
    for fen in random_fens(60, 6):
        assert evaluator.score(parse_fen(fen)) == evaluator.score(parse_fen(oracle.flipped_fen(fen))), fen


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("scale", "units"), [(10_000, 1), (1, 40)])  # beyond all limits, and so small that none is met
def test_nothing_overflows_at_the_extremes(seed: int, scale: int, units: int) -> None:
    """The largest weights a network may have, all positive, all negative, or of either sign."""
    neurons = 128
    source = random.Random(seed)
    signs = ((1,), (-1,), (1, -1), (1, -1))[seed]
    # As large as can be: a bias and 32 pieces, all of one sign, make 32767; and the second layer's sum 2**31 - 1.
    first = array("h", [1023 * source.choice(signs) for _ in range(FEATURES * neurons)] + [31 * signs[0]] * neurons)
    second = array("h", [256 * source.choice(signs) for _ in range(2 * neurons - 1)] + [0])
    bias = 2**31 - 1 - 256 * (2 * neurons - 1) * 181**2
    weights = first.tobytes() + second.tobytes() + struct.pack("<i", signs[0] * bias)
    file = NetworkFile(neurons, 1, scale, units, weights)
    evaluator = Evaluator(made(file))
    scores = [evaluator.network_score(parse_fen(fen)) for fen in (START_FEN, *random_fens(20, seed))]
    assert scores == [expected_score(file, fen) for fen in (START_FEN, *random_fens(20, seed))]
    assert all(abs(score) < 8000 for score in scores) == (scale == 1)
    assert walk(made(file), parse_fen(KIWIPETE), seed, 500)["differing"] == 0


def test_a_network_that_could_overflow_is_refused() -> None:
    file = random_network(16, 1)
    first_bytes = 2 * (FEATURES + 1) * 16
    for bias in (31, -31, 32, -32):  # with 32 pieces of 1023 each the 16 bits are full, or one too few
        first = struct.pack("<h", -1023) + bytes(first_bytes - 34) + struct.pack("<h", bias)
        edge = file._replace(weights=first + file.weights[len(first) :])
        if abs(bias) == 31:
            made(edge)
        else:
            with pytest.raises(NetworkError, match="first layer are too large"):
                made(edge)
    second = array("h", [32767, -32767] + [0] * 30).tobytes()
    largest_bias = 2**31 - 1 - 2 * 32767 * 181**2
    for bias, fits in ((largest_bias, True), (-largest_bias, True), (largest_bias + 1, False)):
        edge = file._replace(weights=file.weights[:first_bytes] + second + struct.pack("<i", bias))
        if fits:
            made(edge)
        else:
            with pytest.raises(NetworkError, match="second layer are too large"):
                made(edge)


def test_a_file_comes_back_as_it_was_written(tmp_path: Path) -> None:
    file = random_network()
    content = render_network(file)
    assert parse_network("a test", content) == file
    (tmp_path / "a.net").write_bytes(content)
    loaded = load_network(str(tmp_path / "a.net"))
    assert loaded.digest == file.digest()
    assert loaded.name == file.digest()[:8]


def test_damaged_truncated_and_foreign_files_get_a_clear_message() -> None:
    content = render_network(random_network(16, 1))
    for wrong, message in (
        (b"", "this is not a NowChess UCI network"),
        (b"hello", "this is not a NowChess UCI network"),
        (b"NowChess" + content[8:], "this is not a NowChess UCI network"),
        (MAGIC + struct.pack("<I", 9) + content[12:], "version 9 of the format"),
        (content[:12] + struct.pack("<I", 17) + content[16:], "header is invalid"),
        (content[:20] + struct.pack("<I", 0) + content[24:], "header is invalid"),
        (content[:24] + struct.pack("<I", 1 << 15) + content[28:], "header is invalid"),
        (content[:-1], "bytes of weights expected"),
        (content + b"\0", "bytes of weights expected"),
        (content[:20] + struct.pack("<I", 401) + content[24:], "content is damaged"),
        (content[: HEAD_BYTES + 9] + b"\x55" + content[HEAD_BYTES + 10 :], "content is damaged"),
        (content[: HEAD_BYTES - 1] + b"\x55" + content[HEAD_BYTES:], "content is damaged"),
    ):
        with pytest.raises(NetworkError, match=f"^a test: .*{message}"):
            Network("a test", wrong)


@pytest.mark.parametrize(
    ("content", "reason"), [(None, "No such file or directory"), (b"NowChNet", "this is not a NowChess UCI network")]
)
def test_an_engine_whose_own_network_is_broken_says_so(
    content: bytes | None, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if content is not None:
        (tmp_path / "default.net").write_bytes(content)
    monkeypatch.setattr(network, "_default", None)
    monkeypatch.setattr(network, "DEFAULT_FILE", str(tmp_path / "default.net"))
    with pytest.raises(OSError, match=f"own network cannot be used .*{reason}.*install the engine again"):
        Evaluator()
    assert loop.run_stdin() == 1
    assert cli.run(["--version"]) == 1
