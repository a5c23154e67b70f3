"""A run as a folder: shards, manifest, resuming, and what damage does to it."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import networks
import pytest

from nowchess_uci.training.generate import ShardUnit, generate, keep_shard, missing_shards, only_one, play_unit
from nowchess_uci.training.inspection import check_run, stats_of_run
from nowchess_uci.training.manifest import NAME, Identity, RunError, read_manifest
from nowchess_uci.training.reader import read_samples
from nowchess_uci.training.selfplay import SelfPlay, Settings
from nowchess_uci.training.shards import GAMES, SAMPLES, ShardError, read_shard, write_shard

SCRIPT = Path(__file__).resolve().parent.parent.parent / "scripts" / "training" / "selfplay.py"
BENCH = 4711  # of an engine that is not asked for it here
IDENTITY = Identity("test", BENCH, Settings(soft_nodes=30, sample_every=50), 5)
WANTED = 23  # games: four full shards and one of three


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != ".lock"}


def check(folder: Path, again: int = 0) -> list[str]:
    return check_run(folder, BENCH, again, lambda done, total: None)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run") / "games"
    generate(folder, IDENTITY, WANTED, 1)
    return folder


@pytest.fixture
def run(made: Path, tmp_path: Path) -> Path:
    """A copy that a test may damage."""
    return Path(shutil.copytree(made, tmp_path / "copy"))


def test_a_run_is_right_and_counted(made: Path) -> None:
    assert check(made, again=2) == []
    totals = read_manifest(made).totals()
    assert (totals.number, totals.games, sum(totals.results)) == (5, WANTED, WANTED)
    assert totals.positions == len(read_samples([made], GAMES))
    assert totals.samples == len(read_samples([made], SAMPLES))
    stats = stats_of_run(made, pytest.fail)
    assert stats.openings == WANTED
    assert sum(stats.ends.values()) == WANTED
    assert sum(sum(row) for row in stats.table) == totals.positions
    assert stats.correlation > 0.2


def test_two_workers_write_the_same_bytes_as_one(made: Path, tmp_path: Path) -> None:
    generate(tmp_path, IDENTITY, WANTED, 2)
    assert contents(tmp_path) == contents(made)


def test_the_unit_of_work_needs_nothing_but_its_arguments(made: Path, tmp_path: Path) -> None:
    entry = keep_shard(tmp_path, IDENTITY, 3, 5, play_unit(ShardUnit(IDENTITY.settings, 15, 5)))
    assert entry == read_manifest(made).entries[3]
    assert all(contents(made)[name] == content for name, content in contents(tmp_path).items())


def test_a_run_can_be_made_longer(made: Path, tmp_path: Path) -> None:
    for games in (7, 7, 12, 3, WANTED):
        generate(tmp_path, IDENTITY, games, 2)
    assert contents(tmp_path) == contents(made)


def test_what_is_missing_or_cut_short_is_played_again(run: Path, made: Path) -> None:
    (run / "000001.games").unlink()
    (run / "000003.samples").write_bytes((run / "000003.samples").read_bytes()[:-1])
    assert [number for number, _ in missing_shards(run, read_manifest(run), WANTED)] == [1, 3]
    generate(run, IDENTITY, WANTED, 1)
    assert contents(run) == contents(made)


def test_a_run_of_another_kind_is_not_continued(run: Path) -> None:
    before = contents(run)
    other = IDENTITY._replace(bench=1, settings=IDENTITY.settings._replace(seed=9))
    with pytest.raises(RunError, match=f"bench {BENCH} there, 1 asked for; seed 1 there, 9 asked for"):
        generate(run, other, WANTED, 1)
    assert contents(run) == before


def test_two_runs_cannot_share_a_folder(run: Path) -> None:
    with only_one(run), pytest.raises(RunError, match="another process"):
        generate(run, IDENTITY, WANTED, 1)


def test_a_full_disk_is_an_error_and_leaves_no_half_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(OSError, match="No space left"):
        generate(tmp_path, IDENTITY, WANTED, 2)
    assert contents(tmp_path) == {}


@pytest.mark.parametrize("kind", ["games", "samples"])
@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda data: data[:30], "too short"),
        (lambda data: b"x" + data[1:], "not a training data file"),
        (lambda data: data[:20] + bytes([data[20] ^ 1]) + data[21:], "header is damaged"),
        (lambda data: data[:-1], "bytes expected behind the header"),
        (lambda data: data + b"x", "bytes expected behind the header"),
        (lambda data: data[:-40] + bytes([data[-40] ^ 1]) + data[-39:], "content is damaged"),
    ],
)
def test_a_damaged_shard_is_named_and_skipped(run: Path, kind: str, damage: object, message: str) -> None:
    path = run / f"000002.{kind}"
    path.write_bytes(damage(path.read_bytes()))  # type: ignore[operator]
    with pytest.raises(ShardError, match=f"{path.name}: .*{message}"):
        read_shard(path)
    bad: list[str] = []
    read = read_samples([run], GAMES if kind == "games" else SAMPLES, on_bad=bad.append)
    entries = read_manifest(run).entries
    entries.pop(2)
    left = sum(entry.positions if kind == "games" else entry.samples for entry in entries.values())
    assert len(read) == left
    assert len(bad) == 1
    assert path.name in bad[0]
    assert len(check(run)) == 1


def test_shards_in_each_others_place_are_noticed(run: Path) -> None:
    one, two = run / "000001.games", run / "000002.games"
    spare = one.read_bytes()
    one.write_bytes(two.read_bytes())
    two.write_bytes(spare)
    bad: list[str] = []
    read_samples([run], GAMES, on_bad=bad.append)
    assert len(bad) == 2
    assert all("another run or place" in text for text in bad)


def test_a_later_format_is_not_guessed_at(run: Path) -> None:
    path = run / NAME
    path.write_text(path.read_text().replace('"format": 1', '"format": 2'))
    with pytest.raises(RunError, match="format 2"):
        read_manifest(run)


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"format": 1}', '{"format": 1, "run": {}, "shards": []}', "\0"])
def test_a_damaged_manifest_is_named(run: Path, text: str) -> None:
    (run / NAME).write_text(text)
    with pytest.raises(RunError, match="damaged"):
        read_manifest(run)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (r'"win_plies": \d+', '"win_plies": null'),
        (r'"soft_nodes": \d+', '"soft_nodes": -3'),
        (r'"games_per_shard": \d+', '"games_per_shard": "x"'),
        (r'"bench": \d+', '"bench": 1.5'),
        (r'"engine": "test"', '"engine": null'),
        (r'"number": 1', '"number": "1"'),
        (r'"plies": \d+', '"plies": null'),
        (r'"results": \[\s*\d+,', '"results": ['),
        (r'"hashes": \{[^}]*\}', '"hashes": null'),
        (r'"shards": \[', '"shards": ' + 5000 * "["),
    ],
)
def test_what_does_not_belong_into_a_manifest_is_damage(run: Path, old: str, new: str) -> None:
    path = run / NAME
    damaged = re.sub(old, new, path.read_text())
    assert damaged != path.read_text()
    path.write_text(damaged)
    with pytest.raises(RunError, match="damaged"):
        read_manifest(run)


def test_games_that_cannot_be_read_are_named_once_and_left_out_of_the_stats(run: Path) -> None:
    path = run / "000001.games"
    shard = read_shard(path)
    write_shard(path, shard._replace(payload=shard.payload[:-3]))
    bad: list[str] = []
    assert sum(stats_of_run(run, bad.append).ends.values()) == WANTED - 5
    assert len(bad) == 1


def test_a_folder_without_a_run_says_so(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"there is no manifest.json here"):
        read_manifest(tmp_path)


def test_another_engine_cannot_prove_static_scores(made: Path) -> None:
    (said,) = check_run(made, BENCH + 1, 0, lambda done, total: None)
    assert str(BENCH) in said


def test_a_network_plays_games_of_its_own(made: Path, tmp_path: Path) -> None:
    network = networks.made(networks.sober_network())
    identity = IDENTITY._replace(settings=IDENTITY.settings._replace(network=network.digest))
    generate(tmp_path / "one", identity, 7, 2, network=network)
    generate(tmp_path / "two", identity, 7, 1, network=network)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    assert read_manifest(tmp_path / "one").identity == identity
    assert contents(tmp_path / "one")["000000.games"] != contents(made)["000000.games"]
    proven = check_run(tmp_path / "one", BENCH, 2, lambda done, total: None, network)
    assert proven == []
    (said,) = check_run(tmp_path / "one", BENCH, 2, lambda done, total: None)
    assert f"network {network.name} made these games" in said
    with pytest.raises(RunError, match="network"):
        generate(tmp_path / "one", IDENTITY, 7, 1)
    with pytest.raises(ValueError, match="another network"):
        SelfPlay(identity.settings)


def test_runs_from_before_networks_keep_their_name() -> None:
    assert IDENTITY.digest().hex() == "8e610c7fd47e5c29"


# The command.


def selfplay(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


PLAY = ("--games", "60", "--games-per-shard", "4", "--soft-nodes", "300", "--sample-every", "60")


@pytest.mark.skipif(os.name == "nt", reason="needs signals")
def test_killed_or_interrupted_a_run_goes_on_and_ends_in_the_same_bytes(tmp_path: Path) -> None:
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    assert selfplay("--out", str(whole), *PLAY, "--workers", "2").returncode == 0
    for how, code in ((signal.SIGKILL, -9), (signal.SIGINT, 130)):
        before = shards_there(broken)
        command = [sys.executable, str(SCRIPT), "--out", str(broken), *PLAY, "--workers", "1"]
        # Tests that run in the background have Ctrl-C switched off, and would hand that on.
        process = subprocess.Popen(
            command, stderr=subprocess.PIPE, text=True, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)
        )
        end = time.monotonic() + 60
        while shards_there(broken) < before + 2 and time.monotonic() < end:
            time.sleep(0.005)
        process.send_signal(how)
        process.communicate(timeout=30)
        assert process.returncode == code
        assert before < shards_there(broken) < 15
    result = selfplay("--out", str(broken), *PLAY, "--workers", "2")
    assert result.returncode == 0
    assert "60 games" in result.stdout
    assert {name: data for name, data in contents(broken).items() if "part" not in name} == contents(whole)
    proven = selfplay("check", str(broken), "--again", "1")
    assert (proven.returncode, proven.stdout) == (0, "everything is right\n")


def shards_there(folder: Path) -> int:
    try:
        return len(json.loads((folder / NAME).read_bytes())["shards"])
    except OSError:
        return 0


def test_stats_and_text_show_what_is_there(made: Path) -> None:
    shown = selfplay("stats", str(made))
    assert shown.returncode == 0
    assert f"{WANTED} in 5 shards" in shown.stdout
    assert "correlation" in shown.stdout
    lines = selfplay("text", str(made), "--every", "50").stdout.splitlines()
    assert len(lines) == (read_manifest(made).totals().positions + 49) // 50
    for line in lines:
        fen, result, score = line.split(";")
        assert len(fen.split()) == 6
        assert result in ("0", "0.5", "1")
        assert abs(int(score)) < 2000


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "--out"),
        (("--out", "x", "--games", "0"), "0 is less than 1"),
        (("--out", "x", "--soft-nodes", "many"), "many"),
        (("check", "/nowhere"), "no manifest.json here"),
        (("stats", "/nowhere"), "no manifest.json here"),
        (("check",), "DIR"),
    ],
)
def test_a_wrong_command_is_answered_in_one_line(words: tuple[str, ...], message: str) -> None:
    result = selfplay(*words)
    assert result.returncode in (1, 2)
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_the_help_has_examples() -> None:
    shown = selfplay("--help").stdout
    assert "examples:" in shown
    for word in ("check DIR", "stats DIR", "--sample-every", "--soft-nodes", "resumes"):
        assert word in shown
