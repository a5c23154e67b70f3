"""Units of work on a cluster: real schedulers and workers, which come, go and die."""

import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import networks
import pytest

from nowchess_uci.cluster import connection, runner
from nowchess_uci.cluster.connection import ClusterError, parse_address
from nowchess_uci.cluster.runner import IN_FLIGHT, Cluster, GivenUp
from nowchess_uci.evaluation.network_file import render_network
from nowchess_uci.training.generate import ShardUnit, play_unit
from nowchess_uci.training.selfplay import SelfPlay, Settings
from nowchess_uci.version import VERSION

pytest.importorskip("distributed", reason="a cluster needs dask.distributed")
import clusters

ROOT = Path(__file__).resolve().parent.parent.parent
OTHER_ENGINE = """
from nowchess_uci.cluster import remote
remote.VERSION = "0.0.1"
"""
NO_ENGINE = """
from distributed import versions
versions._version_cached = lambda package: None
"""


@pytest.fixture(scope="module")
def two_workers() -> Iterator[clusters.Scheduler]:
    with clusters.scheduler() as scheduler:
        scheduler.worker()
        scheduler.worker()
        yield scheduler


def squares(count: int) -> list[tuple[int, int]]:
    return [(number, number * number) for number in range(count)]


def test_every_unit_comes_back_once_with_its_number(two_workers: clusters.Scheduler) -> None:
    told: list[str] = []
    with Cluster(two_workers.address, tell=told.append) as cluster:
        assert sorted(cluster.run(clusters.square, range(100))) == squares(100)
        clusters.wait_until(lambda: accepted(cluster) == 2, "both are there")
        assert sorted(cluster.run(clusters.square, range(7))) == squares(7)
        assert cluster.status() == (2, 2, 0, 0.0)
        assert list(cluster.run(clusters.square, [])) == []
    assert sum("has come" in text for text in told) == 2


def test_units_are_taken_as_they_are_needed(two_workers: clusters.Scheduler) -> None:
    taken = done = 0
    most = 0

    def units() -> Iterator[int]:
        nonlocal taken
        for number in range(60):
            taken += 1
            yield number

    with Cluster(two_workers.address) as cluster:
        for _ in cluster.run(clusters.square, units()):
            most = max(most, taken - done)
            done += 1
    assert done == 60
    assert most <= 2 * IN_FLIGHT + 1  # one is held ready


def test_what_a_unit_raises_is_raised_here(two_workers: clusters.Scheduler) -> None:
    with Cluster(two_workers.address) as cluster:
        with pytest.raises(ValueError, match="unit 0 is wrong"):
            list(cluster.run(clusters.fail, [0]))
        assert sorted(cluster.run(clusters.square, range(5))) == squares(5)


def test_a_unit_that_nobody_wants_any_more_is_ended(two_workers: clusters.Scheduler, tmp_path: Path) -> None:
    diary = tmp_path / "diary"
    with Cluster(two_workers.address) as cluster:
        running = cluster.run(clusters.write_for_ever, [str(diary)], report=lambda _: stop_if(diary.exists()))
        with pytest.raises(KeyboardInterrupt):
            next(running)
    clusters.wait_until(lambda: is_quiet(diary), "the unit is ended")
    with Cluster(two_workers.address) as cluster:  # and its worker can do something else
        clusters.wait_until(lambda: accepted(cluster) == 2, "both are there")


def stop_if(condition: bool) -> None:
    if condition:
        raise KeyboardInterrupt


def is_quiet(diary: Path) -> bool:
    size = diary.stat().st_size
    time.sleep(0.5)
    return diary.stat().st_size == size


def test_a_network_is_sent_along_and_evaluates(two_workers: clusters.Scheduler) -> None:
    content = render_network(networks.sober_network())
    network = networks.made(networks.sober_network())
    settings = Settings(soft_nodes=30, sample_every=50, network=network.digest)
    with Cluster(two_workers.address, network=content) as cluster:
        units = [ShardUnit(settings, 2 * number, 2) for number in range(3)]
        played = dict(cluster.run(play_unit, units))
    expected = [SelfPlay(settings, network).play(first, 2) for first in (0, 2, 4)]
    assert [played[number] for number in range(3)] == expected


@pytest.mark.parametrize(
    ("what", "reason"),
    [(OTHER_ENGINE, "it has NowChess UCI 0.0.1, bench"), (NO_ENGINE, "it has no NowChess UCI;")],
    ids=["another version", "none"],
)
def test_a_worker_with_another_engine_is_refused(
    what: str, reason: str, two_workers: clusters.Scheduler, tmp_path: Path
) -> None:
    preload = tmp_path / "other_engine.py"
    preload.write_text(what)
    other = two_workers.worker("--no-nanny", "--preload", str(preload))
    told: list[str] = []
    with Cluster(two_workers.address, tell=told.append) as cluster:
        clusters.wait_until(lambda: accepted(cluster) == 2 and "not used" in "".join(told), "all three have come")
        assert sorted(cluster.run(clusters.slow_square, range(12))) == squares(12)
        assert cluster.status().workers == 2
    (refusal,) = [text for text in told if "not used" in text]
    assert reason in refusal
    assert f"here is NowChess UCI {VERSION}" in refusal
    other.terminate()
    other.wait()


def accepted(cluster: Cluster) -> int:
    """How many workers may work, after another look."""
    assert list(cluster.run(clusters.square, [3])) == [(0, 9)]
    return cluster.status().workers


def test_a_new_process_at_an_old_address_is_introduced_before_it_works(two_workers: clusters.Scheduler) -> None:
    told: list[str] = []
    with Cluster(two_workers.address, tell=told.append) as cluster:
        clusters.wait_until(lambda: accepted(cluster) == 2, "both are there")
        cluster._client.run(clusters.forget_introductions)
        assert sorted(cluster.run(clusters.square, range(8))) == squares(8)
    came = [text.split()[1] for text in told if "has come" in text]
    assert len(came) > len(set(came))


# Losses.


def test_the_unit_of_a_killed_worker_is_repeated_and_counted() -> None:
    with clusters.scheduler() as scheduler:
        first, _ = scheduler.worker(), scheduler.worker()
        told: list[str] = []
        with Cluster(scheduler.address, tell=told.append) as cluster:
            clusters.wait_until(lambda: accepted(cluster) == 2, "both are there")
            results = []
            for result in cluster.run(clusters.slow_square, range(16)):
                results.append(result)
                if len(results) == 4:
                    time.sleep(0.15)  # into the middle of a unit
                    first.kill()
            lost, seconds = cluster.status()[2:]
    assert sorted(results) == squares(16)
    assert lost == 1
    assert 0 < seconds < 5
    assert any("is gone, 1 worker left" in text for text in told)


def test_a_run_waits_for_workers_and_survives_the_loss_of_all() -> None:
    with clusters.scheduler() as scheduler:
        told: list[str] = []
        workers: list[Any] = []

        def on_news(text: str) -> None:
            told.append(text)
            if "waiting for workers" in text:
                workers.append(scheduler.worker())

        with Cluster(scheduler.address, tell=on_news) as cluster:
            results = []
            for result in cluster.run(clusters.slow_square, range(12)):
                results.append(result)
                if len(results) == 3:
                    workers[0].kill()
        assert sorted(results) == squares(12)
        assert len(workers) == 2


def test_a_unit_that_kills_its_workers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "MOST_LOSSES", 1)
    with clusters.scheduler() as scheduler:
        scheduler.worker("--nanny")
        with Cluster(scheduler.address) as cluster:
            results = dict(cluster.run(clusters.leave, range(6)))
    assert [results.pop(number) for number in (0, 1, 2, 4, 5)] == [0, 1, 2, 4, 5]
    assert results == {3: GivenUp("1 workers were lost while they worked on it")}


def test_a_scheduler_that_dies_is_an_error_and_what_is_done_is_kept() -> None:
    with clusters.scheduler() as scheduler:
        scheduler.worker()
        results = []
        with Cluster(scheduler.address) as cluster, pytest.raises(ClusterError, match="is gone"):  # noqa: PT012
            for result in cluster.run(clusters.slow_square, range(100)):
                results.append(result)
                if len(results) == 3:
                    scheduler.process.kill()
        assert 3 <= len(results) < 100


def test_nobody_at_the_address_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "CONNECT_SECONDS", 1)
    with pytest.raises(ClusterError, match="no scheduler answers at tcp://127"):
        Cluster(f"tcp://127.0.0.1:{clusters.free_port()}")


@pytest.mark.parametrize("text", ["", "here", "127.0.0.1:8786", "tcp://", "tcp://host", "http://host:1", "tcp://a b:1"])
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no address of a scheduler"):
        parse_address(text)


@pytest.mark.parametrize("text", ["local", "tcp://10.0.0.1:8786", "tls://node-1.example.org:8786", "tcp://[::1]:8786"])
def test_addresses_of_schedulers_are_taken(text: str) -> None:
    assert parse_address(text) == text


@pytest.mark.skipif(sys.platform != "linux" or not shutil.which("openssl"), reason="makes certificates by OpenSSL 3")
def test_tls_works_as_documented(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import dask
    import yaml

    page = (ROOT / "docs" / "cluster.md").read_text(encoding="utf-8")
    for line in page.splitlines():
        if line.startswith(("openssl ", "printf ")):
            subprocess.run(["bash", "-c", line], cwd=tmp_path, check=True, capture_output=True)
    (text,) = re.findall(r"^```yaml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    configuration = text.replace("/etc/chess", str(tmp_path))
    (tmp_path / "tls.yaml").write_text(configuration)
    monkeypatch.setenv("DASK_CONFIG", str(tmp_path))
    merged = dask.config.merge(dask.config.config, yaml.safe_load(configuration))
    with dask.config.set(merged), clusters.scheduler("tls") as scheduler:
        scheduler.worker()
        with Cluster(scheduler.address) as cluster:
            assert sorted(cluster.run(clusters.square, range(9))) == squares(9)
        with pytest.raises(ClusterError, match="requires encryption"):
            Cluster(scheduler.address.replace("tls:", "tcp:"))
    with pytest.raises(ClusterError, match="TLS needs certificates"):
        Cluster("tls://127.0.0.1:9")


# Workers of our own.


def test_a_local_cluster_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    psutil = pytest.importorskip("psutil")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    before = set(psutil.Process().children(recursive=True))
    with Cluster("local", workers=1) as cluster:
        assert sorted(cluster.run(clusters.square, range(10))) == squares(10)
        hosts = {address.split(":")[1] for address in cluster._client.nthreads()}
        assert hosts == {"//127.0.0.1"}
    left = set(psutil.Process().children(recursive=True)) - before
    assert [process.name() for process in left if "resource_tracker" not in " ".join(process.cmdline())] == []
    assert list(tmp_path.iterdir()) == []


def test_without_dask_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ClusterError, match=r"pip install 'nowchess-uci\[cluster\]'"):
        Cluster("local")


def test_an_executable_says_that_it_cannot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    with pytest.raises(ClusterError, match="this executable"):
        Cluster("local")


def test_the_modules_need_nothing_that_an_executable_lacks() -> None:
    lacking = re.search(r"^UNUSED = (\[.*\])$", (ROOT / "build.spec").read_text(), re.MULTILINE)
    assert lacking
    script = f"import sys; sys.modules.update(dict.fromkeys({lacking[1]})); import nowchess_uci.cluster.runner"
    subprocess.run([sys.executable, "-c", script], check=True)
