"""`nowchess-uci analyse --cluster`: the same bytes as on one machine, whoever dies on the way."""

import os
from pathlib import Path

import pytest
from analysis_runs import collection, entries, kill, run, start, wait_until

pytest.importorskip("distributed", reason="a cluster needs dask.distributed")
import clusters

NODES = ("--nodes", 10_000)
GAMES = 24


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("input") / "games.pgn"
    path.write_text(collection(GAMES))
    return path


@pytest.fixture(scope="module")
def whole(games: Path) -> bytes:
    out = games.with_name("whole.pgn")
    assert run(games, *NODES, "--out", out, "--workers", 1).returncode == 0
    return out.read_bytes()


@pytest.mark.skipif(os.name == "nt", reason="needs signals")
def test_killed_workers_and_killed_runs_do_not_change_a_byte(games: Path, whole: bytes, tmp_path: Path) -> None:
    out, journal = tmp_path / "out.pgn", tmp_path / "out.pgn.journal"
    with clusters.scheduler() as scheduler:
        doomed, _ = scheduler.worker(), scheduler.worker()
        words = (games, *NODES, "--out", out, "--cluster", scheduler.address)
        process = start(*words)
        wait_until(lambda: entries(journal) >= 1)
        doomed.kill()
        wait_until(lambda: entries(journal) >= 2)
        kill(process.pid)
        process.communicate(timeout=60)
        assert not out.exists()
        done = entries(journal)
        assert done < GAMES
        result = run(*words, "--resume")
    assert result.returncode == 0, result.stderr
    assert f"resuming: {done} done before" in result.stderr
    assert out.read_bytes() == whole


def test_a_scheduler_that_dies_ends_the_run_and_nothing_is_lost(games: Path, whole: bytes, tmp_path: Path) -> None:
    out, journal = tmp_path / "out.pgn", tmp_path / "out.pgn.journal"
    with clusters.scheduler() as scheduler:
        scheduler.worker()
        process = start(games, *NODES, "--out", out, "--cluster", scheduler.address)
        wait_until(lambda: entries(journal) >= 2)
        scheduler.process.kill()
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "nowchess-uci analyse: the scheduler at" in errors
    assert "is gone; --resume goes on from here" in errors
    assert "Traceback" not in errors
    result = run(games, *NODES, "--out", out, "--resume")
    assert result.returncode == 0, result.stderr
    assert out.read_bytes() == whole


def test_a_local_cluster_writes_the_same(games: Path, whole: bytes, tmp_path: Path) -> None:
    out = tmp_path / "out.pgn"
    result = run(games, *NODES, "--out", out, "--cluster", "local", "--workers", 2)
    assert result.returncode == 0, result.stderr
    assert out.read_bytes() == whole
    assert "2 workers now" in result.stderr


@pytest.mark.parametrize(
    ("address", "message"), [("here", "'here' is no address of a scheduler"), ("tls://127.0.0.1:9", "certificates")]
)
def test_a_bad_address_is_answered_in_one_line(address: str, message: str, games: Path) -> None:
    result = run(games, *NODES, "--cluster", address)
    assert result.returncode in (1, 2)
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1
