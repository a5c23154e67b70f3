"""Training games on a cluster: the same bytes as with threads, whoever dies on the way."""

import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import networks
import pytest

from nowchess_uci.cluster.runner import Cluster
from nowchess_uci.evaluation.network_file import render_network
from nowchess_uci.training.generate import generate
from nowchess_uci.training.manifest import NAME, Identity, read_manifest
from nowchess_uci.training.selfplay import Settings

pytest.importorskip("distributed", reason="a cluster needs dask.distributed")
import clusters

SCRIPT = Path(__file__).resolve().parent.parent.parent / "scripts" / "training" / "selfplay.py"
PLAY = ("--games", "60", "--games-per-shard", "4", "--soft-nodes", "400", "--sample-every", "60")


def command(folder: Path, *words: str) -> list[str]:
    return [sys.executable, str(SCRIPT), "--out", str(folder), *PLAY, *words]


def selfplay(folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(command(folder, *words), capture_output=True, text=True, check=False, timeout=120)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.startswith(".")}


def shards_there(folder: Path) -> int:
    return len(read_manifest(folder).entries) if (folder / NAME).exists() else 0


def heed_ctrl_c() -> None:
    """For children of tests that run in the background: these have Ctrl-C switched off, and would hand that on."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def has_grown(folder: Path, before: int) -> bool:
    return shards_there(folder) >= before + 2


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run") / "games"
    assert selfplay(folder).returncode == 0
    return folder


@pytest.mark.skipif(os.name == "nt", reason="needs signals")
def test_killed_workers_and_killed_runs_do_not_change_a_byte(made: Path, tmp_path: Path) -> None:
    with clusters.scheduler() as scheduler:
        doomed, _ = scheduler.worker(), scheduler.worker()
        words = ("--cluster", scheduler.address)
        for how in (signal.SIGKILL, signal.SIGINT):
            before = shards_there(tmp_path)
            run = subprocess.Popen(
                command(tmp_path, *words),
                stderr=subprocess.PIPE,
                text=True,
                preexec_fn=heed_ctrl_c,
            )
            clusters.wait_until(partial(has_grown, tmp_path, before), "two shards are played")
            doomed.kill()
            run.send_signal(how)
            run.communicate(timeout=60)
            assert run.returncode == (130 if how == signal.SIGINT else -how)
            assert before < shards_there(tmp_path) < 15
        result = selfplay(tmp_path, *words)
    assert (result.returncode, result.stdout.split(",")[0]) == (0, "60 games")
    assert contents(tmp_path) == contents(made)


@pytest.mark.skipif(os.name == "nt", reason="needs signals")
def test_a_local_cluster_plays_the_same_games_and_ends_with_its_run(made: Path, tmp_path: Path) -> None:
    psutil = pytest.importorskip("psutil")
    folder, words = tmp_path / "games", ("--cluster", "local", "--workers", "2")
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    for how in (signal.SIGKILL, signal.SIGINT):
        before = shards_there(folder)
        run = subprocess.Popen(
            command(folder, *words),
            env=environment,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            preexec_fn=heed_ctrl_c,
        )
        clusters.wait_until(partial(has_grown, folder, before), "two shards are played")
        children = psutil.Process(run.pid).children(recursive=True)
        assert len(children) >= 2
        if how == signal.SIGKILL:
            run.kill()
        else:
            os.killpg(run.pid, how)  # as a terminal does
        _, said = run.communicate(timeout=60)
        gone, left = psutil.wait_procs(children, timeout=30)
        assert (len(gone), left) == (len(children), [])
        assert "Traceback" not in said
    assert "the same command continues from here" in said
    result = selfplay(folder, *words)
    assert result.returncode == 0, result.stderr
    assert contents(folder) == contents(made)


def test_a_network_plays_the_same_games_on_a_cluster(tmp_path: Path) -> None:
    network = networks.made(networks.sober_network())
    identity = Identity("test", 0, Settings(soft_nodes=30, network=network.digest), games_per_shard=2)
    generate(tmp_path / "threads", identity, 7, 2, network=network)
    with Cluster("local", workers=1, network=render_network(networks.sober_network())) as cluster:
        generate(tmp_path / "cluster", identity, 7, 1, cluster=cluster)
    assert contents(tmp_path / "cluster") == contents(tmp_path / "threads")


@pytest.mark.parametrize(
    ("address", "message"),
    [("here", "'here' is no address of a scheduler"), ("tls://127.0.0.1:9", "TLS needs certificates")],
)
def test_a_bad_address_is_answered_in_one_line(address: str, message: str, tmp_path: Path) -> None:
    result = selfplay(tmp_path, "--cluster", address)
    assert result.returncode in (1, 2)
    assert message in result.stderr
    assert "Traceback" not in result.stderr
