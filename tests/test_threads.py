"""Threads are started until the system refuses, and what was changed for them is put back."""

import signal
import threading
from collections.abc import Callable, Iterator
from functools import partial

import pytest

from nowchess_uci.threads import Thread, start_threads, wait_for

NO_THREAD = RuntimeError("can't start new thread")


def refuse_after(count: int, monkeypatch: pytest.MonkeyPatch, refusal: Exception = NO_THREAD) -> None:
    """Let the system give so many threads and no more."""
    given = 0
    start = Thread.start

    def limited(thread: Thread) -> None:
        nonlocal given
        if given == count:
            raise refusal
        given += 1
        start(thread)

    monkeypatch.setattr(Thread, "start", limited)


def test_each_job_gets_a_thread_of_its_own() -> None:
    met = threading.Barrier(4)  # passed only if three threads and this one wait at the same time
    threads = start_threads([lambda: met.wait(5)] * 3)
    met.wait(5)
    for thread in threads:
        assert thread.wait(5)
    assert len(threads) == 3


@pytest.mark.parametrize("refusal", [NO_THREAD, MemoryError()])
@pytest.mark.parametrize("given", [0, 1, 3])
def test_a_refusal_leaves_the_threads_that_run(given: int, refusal: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    refuse_after(given, monkeypatch, refusal)
    done: list[int] = []
    threads = start_threads([partial(done.append, number) for number in range(5)])
    for thread in threads:
        thread.wait(5)
    assert sorted(done) == list(range(given))


def test_the_threads_are_known_even_if_starting_them_is_interrupted() -> None:
    def jobs() -> Iterator[Callable[[], None]]:
        yield lambda: None
        raise KeyboardInterrupt

    started: list[Thread] = []
    with pytest.raises(KeyboardInterrupt):
        start_threads(jobs(), started=started)
    assert len(started) == 1
    started[0].wait(5)


@pytest.mark.parametrize("given", [0, 2])
def test_the_stack_size_of_later_threads_stays_as_it_was(given: int, monkeypatch: pytest.MonkeyPatch) -> None:
    before = threading.stack_size()
    refuse_after(given, monkeypatch)
    for thread in start_threads([lambda: None] * 3, stack_bytes=1 << 20):
        thread.wait(5)
    assert threading.stack_size() == before


def test_waiting_may_end_before_the_job() -> None:
    go_on = threading.Event()
    (thread,) = start_threads([lambda: go_on.wait(5)])
    assert not thread.wait(0.01)
    assert not thread.wait(0)
    go_on.set()
    assert thread.wait(5)
    assert thread.wait()


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="needs signals")
def test_an_interrupt_does_not_end_the_waiting_but_is_not_lost() -> None:
    go_on = threading.Event()
    over: list[bool] = []

    def job() -> None:
        go_on.wait(5)
        over.append(True)

    def interrupt() -> None:
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        go_on.set()

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        threads = start_threads([job])
        timer = threading.Timer(0.1, interrupt)
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            wait_for(threads)
        assert over == [True]
    finally:
        signal.signal(signal.SIGINT, before)
