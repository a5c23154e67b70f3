"""Training positions in memory: packed, shuffled, and turned into features."""

import itertools
from array import array

import oracle
import pytest

from nowchess_uci.training.records import Replay
from nowchess_uci.training.samples import HELD_OUT_EVERY, SAMPLE_BYTES, Samples
from nowchess_uci.training.selfplay import SelfPlay, Settings

COLUMNS = 32


@pytest.fixture(scope="module")
def played() -> Samples:
    games = SelfPlay(Settings(soft_nodes=40)).play(HELD_OUT_EVERY - 10, 20)
    assert games is not None
    samples = Samples()
    Replay(games.games).add_to(samples)
    return samples


def copied(samples: Samples) -> Samples:
    twin = Samples()
    twin.add(samples.tobytes())
    return twin


def feature_rows(samples: Samples, first: int, rows: int) -> tuple[list[set[int]], list[set[int]], list[int]]:
    """The features as sets, through the buffers that a trainer would hand in."""
    buffers = [array("h", bytes(2 * rows * COLUMNS)) for _ in range(2)]
    own, other = (memoryview(buffer).cast("B").cast("h", (rows, COLUMNS)) for buffer in buffers)
    counts = samples.features(first, own, other)
    rows_of = [[list(view[row * COLUMNS : (row + 1) * COLUMNS]) for row in range(rows)] for view in buffers]
    assert all(row[count:] == [-1] * (COLUMNS - count) for row, count in zip(rows_of[0], counts, strict=True))
    sets = [[{feature for feature in row if feature >= 0} for row in view] for view in rows_of]
    return sets[0], sets[1], counts


def test_features_are_what_their_definition_says(played: Samples) -> None:
    own, other, counts = feature_rows(played, 0, len(played))
    for index in range(len(played)):
        assert (own[index], other[index]) == oracle.expected_features(played.fen(index))
        assert len(own[index]) == counts[index]


def test_features_outside_of_the_samples_are_refused(played: Samples) -> None:
    with pytest.raises(IndexError):
        feature_rows(played, len(played), 1)
    with pytest.raises(IndexError):
        feature_rows(played, -1, 1)
    with pytest.raises(IndexError):
        feature_rows(Samples(), 0, 1)
    narrow = memoryview(bytearray(2 * 8)).cast("h", (1, 8))
    with pytest.raises(ValueError, match="32 columns"):
        played.features(0, narrow, narrow)


def test_a_shuffle_keeps_everything_and_mixes_it(played: Samples) -> None:
    one, two, other = copied(played), copied(played), copied(played)
    one.shuffle(1)
    two.shuffle(1)
    other.shuffle(2)
    before = split(played.tobytes())
    assert sorted(split(one.tobytes())) == sorted(before)
    assert one.tobytes() == two.tobytes() != other.tobytes()
    games = one.games(0, len(one))
    runs = sum(a != b for a, b in itertools.pairwise(games))
    assert runs > 0.9 * len(games) * (1 - 1 / 20)  # neighbours of one game are as rare as chance has it


def split(data: bytes) -> list[bytes]:
    return [data[index : index + SAMPLE_BYTES] for index in range(0, len(data), SAMPLE_BYTES)]


def test_held_out_samples_come_from_held_out_games(played: Samples) -> None:
    held, rest = Samples(), Samples()
    assert held.add(played.tobytes(), True) + rest.add(played.tobytes(), False) == len(played)
    assert set(held.games(0, len(held))) == {HELD_OUT_EVERY}
    assert HELD_OUT_EVERY not in rest.games(0, len(rest))


def test_samples_that_are_no_positions_are_refused(played: Samples) -> None:
    samples = Samples()
    with pytest.raises(ValueError, match="no whole number"):
        samples.add(bytes(SAMPLE_BYTES + 1))
    with pytest.raises(ValueError, match="2 of 3 samples are no positions"):
        samples.add(bytes(SAMPLE_BYTES) + b"\xff" * SAMPLE_BYTES + played.tobytes()[:SAMPLE_BYTES])
    assert len(samples) == 0
    good = played.tobytes()[:SAMPLE_BYTES]
    for place, value in ((26, 3), (27, 32), (8, 0xCC)):  # a result, a flag and two pieces that do not exist
        with pytest.raises(ValueError, match="1 of 1 samples"):
            samples.add(good[:place] + bytes([value]) + good[place + 1 :])
    with pytest.raises(IndexError):
        played.labels(len(played) - 1, 2)


def test_the_tally_counts_every_sample_once(played: Samples) -> None:
    table = played.tally(50, 82)
    assert sum(sum(row) for row in table) == len(played)
    expected = [[0, 0, 0] for _ in range(82)]
    for score, result in played.labels(0, len(played)):
        expected[min(max((score + 41 * 50) // 50, 0), 81)][result] += 1
    assert table == [tuple(row) for row in expected]
    with pytest.raises(ValueError, match="buckets"):
        played.tally(50, 513)
