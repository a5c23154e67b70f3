"""The command that trains networks: both stages, going on where it was, and what it says of wrong input."""

import subprocess
import sys
from pathlib import Path

import pytest

from nowchess_uci.evaluation.network import load_network
from nowchess_uci.training.generate import generate
from nowchess_uci.training.manifest import Identity
from nowchess_uci.training.selfplay import Settings

SCRIPT = Path(__file__).resolve().parent.parent.parent / "scripts" / "training" / "train.py"
SMALL = ("--neurons", "16", "--epochs", "2", "--batch", "256", "--threads", "2")


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run") / "games"
    generate(folder, Identity("test", 4711, Settings(soft_nodes=30, sample_every=50), 35), 70, 2)
    return folder


def train(*words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_both_stages_give_networks_that_can_be_used(games: Path, tmp_path: Path) -> None:
    first = train(games, "--static", *SMALL, "--out", tmp_path / "a")
    assert first.returncode == 0, first.stderr
    assert [line.split(":")[0] for line in first.stdout.splitlines()[:2]] == ["epoch 1", "epoch 2"]
    network = load_network(str(tmp_path / "a.net"))
    assert first.stdout.splitlines()[-1].startswith(network.name)
    weights = tmp_path / "a.weights"
    second = train(games, "--games", "--mix", "0.2", "--init", weights, *SMALL, "--out", tmp_path / "b")
    assert second.returncode == 0, second.stderr
    assert load_network(str(tmp_path / "b.net")).digest != network.digest


def test_the_same_command_gives_the_same_network_and_does_nothing_twice(games: Path, tmp_path: Path) -> None:
    arguments = (games, "--static", "--shards", "1", *SMALL, "--out")
    assert train(*arguments, tmp_path / "one").returncode == 0
    assert train(*arguments, tmp_path / "two", "--threads", "1").returncode == 0
    before = (tmp_path / "one.net").read_bytes()
    assert before == (tmp_path / "two.net").read_bytes()
    again = train(*arguments, tmp_path / "one")
    assert "already complete" in again.stderr
    assert (tmp_path / "one.net").read_bytes() == before
    other = train(*arguments, tmp_path / "one", "--seed", "2")
    assert other.returncode == 1
    assert "another fit, which differs in seed, start" in other.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--static", "--neurons", "20"), "multiple of 16"),
        (("--static", "--rate", "7"), "rate must be from 0 to 1"),
        (("--games", "--init", SCRIPT), "not the weights of 128 neurons"),
        (("--static", "--init", "/nonono"), "No such file"),
    ],
)
def test_wrong_input_gets_one_clear_line(games: Path, tmp_path: Path, words: tuple[object, ...], message: str) -> None:
    said = train(games, *words, "--out", tmp_path / "x")
    assert said.returncode == 1
    assert message in said.stderr
    assert len(said.stderr.splitlines()) == 1


@pytest.mark.parametrize("words", [("--static",), ("--games", "--mix", "0.5")])
def test_static_samples_that_were_not_kept_are_missed(tmp_path: Path, words: tuple[str, ...]) -> None:
    identity = Identity("test", 1, Settings(soft_nodes=20), 5)
    generate(tmp_path / "games", identity, 5, 1)
    said = train(tmp_path / "games", *words, *SMALL, "--out", tmp_path / "x")
    assert said.returncode == 1
    assert "no static samples that can be read; selfplay.py keeps static ones with --sample-every" in said.stderr


def test_a_folder_without_games_is_named(tmp_path: Path) -> None:
    said = train(tmp_path, "--static", "--out", tmp_path / "x")
    assert said.returncode == 1
    assert "no manifest.json here" in said.stderr
