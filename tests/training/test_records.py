"""Recorded games are believed only if every byte makes sense."""

import random

import pytest

from nowchess_uci.training.records import Judgement, RecordError, Replay
from nowchess_uci.training.samples import HELD_OUT_EVERY, Samples
from nowchess_uci.training.selfplay import SelfPlay, Settings

GAMES = 6
OPENING = 8  # bytes before the opening's moves
SETTINGS = Settings(soft_nodes=40)


@pytest.fixture(scope="module")
def data() -> bytes:
    played = SelfPlay(SETTINGS).play(0, GAMES)
    assert played is not None
    return played.games


def first_ply(data: bytes) -> int:
    """Where the first searched ply begins."""
    return OPENING + 2 * data[6]


def test_good_games_pass(data: bytes) -> None:
    Replay(data).check(Judgement(), 0)
    assert Replay(data).tally().games == GAMES
    assert Replay(b"").tally().games == 0


def test_wrong_numbers_are_found(data: bytes) -> None:
    with pytest.raises(RecordError, match="wrong number"):
        Replay(data).check(Judgement(), 1)


def test_bytes_that_end_anywhere_but_after_a_game_are_refused(data: bytes) -> None:
    ends = [0]
    replay = Replay(data)
    for record in iter(replay.read_game, None):
        ends.append(ends[-1] + OPENING + 2 * len(record.opening) + 5 * len(record.plies))
    assert ends[-1] == len(data)
    for length in range(len(data)):
        if length in ends:
            assert Replay(data[:length]).tally().games == ends.index(length)
        else:
            with pytest.raises(RecordError, match="bytes end inside a game"):
                Replay(data[:length]).tally()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data, ply: data.__setitem__(ply, data[ply] ^ 0xFF), "illegal move"),
        (lambda data, ply: data.__setitem__(OPENING, data[OPENING] ^ 0x3F), "illegal move"),
        (lambda data, ply: data.__setitem__(ply + 4, data[ply + 4] ^ 32), "flag"),
        (lambda data, ply: data.__setitem__(ply + 4, data[ply + 4] ^ 64), "flag"),
        (lambda data, ply: data.__setitem__(7, data[7] ^ 4), "rules nor scores"),
        (lambda data, ply: data.__setitem__(7, 255), "impossible head"),
        (lambda data, ply: data.__setitem__(6, 200), "impossible head"),
        (lambda data, ply: data.__setitem__(slice(4, 6), b"\0\0"), "impossible head"),
    ],
)
def test_what_is_wrong_is_named(data: bytes, change: object, message: str) -> None:
    broken = bytearray(data)
    change(broken, first_ply(data))  # type: ignore[operator]
    with pytest.raises(RecordError, match=message):
        Replay(bytes(broken)).check(Judgement(), 0)


def test_random_damage_never_crashes_and_is_found_where_it_changes_the_game(data: bytes) -> None:
    source = random.Random(1)
    found = 0
    for _ in range(3000):
        broken = bytearray(data)
        broken[source.randrange(len(data))] = source.randrange(256)
        try:
            Replay(bytes(broken)).check(Judgement(), 0)
        except RecordError:
            found += 1
    assert found > 1000  # the rest changed a score or depth, which only the checksum guards, or nothing


def test_only_quiet_positions_become_samples(data: bytes) -> None:
    samples = Samples()
    added = Replay(data).add_to(samples)
    kept = []
    replay = Replay(data)
    for record in iter(replay.read_game, None):
        for ply, (_, score, info) in enumerate(record.plies):
            if not info & (32 | 64) and abs(score) < 2000:
                black = (len(record.opening) + ply) % 2
                kept.append((record.number, score, 2 - record.result if black else record.result))
    assert added == len(samples) == len(kept)
    labels = [(game, *label) for game, label in zip(samples.games(0, added), samples.labels(0, added), strict=True)]
    assert labels == kept


def test_a_broken_game_adds_nothing(data: bytes) -> None:
    samples = Samples()
    with pytest.raises(RecordError):
        Replay(data[:-1]).add_to(samples)
    assert len(samples) == 0


def test_held_out_games_are_whole_games() -> None:
    played = SelfPlay(SETTINGS).play(HELD_OUT_EVERY - 2, 4)
    assert played is not None
    parts = []
    for held_out in (True, False, None):
        samples = Samples()
        Replay(played.games).add_to(samples, held_out)
        parts.append(set(samples.games(0, len(samples))))
    assert parts[0] == {HELD_OUT_EVERY}
    assert parts[0] | parts[1] == parts[2]
    assert parts[0].isdisjoint(parts[1])
