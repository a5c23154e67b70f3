"""What the search learns about the errors of static scores."""

import pytest
from tasks import task

from nowchess_uci.evaluation.network import default_network
from nowchess_uci.rules.fen import parse_fen
from nowchess_uci.search.pool import Pool
from nowchess_uci.search.table import Table
from nowchess_uci.search.thinking import Thinking
from nowchess_uci.search.worker import Worker


@pytest.fixture
def worker() -> Worker:
    return Worker(Table(1), 0, default_network())  # type: ignore[call-arg]  # mypy does not know __cinit__


def learn(worker: Worker, error: int, times: int, depth: int = 15) -> int:
    """Have the search find a static score wrong by `error` before its correction, again and again."""
    for _ in range(times):
        worker.learn_correction(error - worker.correction(), depth)
    return worker.correction()


@pytest.mark.parametrize("error", [-60, -32, -5, 5, 32, 60])
def test_the_correction_converges_to_the_error(worker: Worker, error: int) -> None:
    assert learn(worker, error, 200) == pytest.approx(error, abs=2)
    assert learn(worker, error, 200) == pytest.approx(error, abs=2)


def test_an_error_that_is_gone_is_forgotten(worker: Worker) -> None:
    learn(worker, 40, 200)
    assert learn(worker, 0, 200) == pytest.approx(0, abs=2)


def test_a_deep_search_teaches_more_than_a_shallow_one(worker: Worker) -> None:
    shallow = learn(worker, 60, 1, depth=1)
    worker.forget()
    assert worker.correction() == 0
    assert learn(worker, 60, 1, depth=15) > shallow > 0


def test_the_correction_has_a_limit(worker: Worker) -> None:
    assert 60 < learn(worker, 5_000, 500) < 200


@pytest.mark.parametrize(
    ("fen", "learnt"), [("8/8/4k3/8/8/2BKB3/8/8 w - - 0 1", 0), ("8/4p3/4k3/8/8/2BKB3/8/8 w - - 0 1", 40)]
)
def test_nothing_is_corrected_in_a_search_against_a_lone_king(fen: str, learnt: int) -> None:
    pool = Pool(1)
    Thinking(pool, parse_fen(fen), task(nodes=1_000)).run()
    assert learn(pool.workers[0], 40, 200) == pytest.approx(learnt, abs=2)
