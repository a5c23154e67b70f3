"""Real schedulers and workers on loopback for the tests, and units of work that workers know by name."""

import contextlib
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

TESTS = Path(__file__).resolve().parent
PATIENCE_SECONDS = 60  # on a busy machine
NO_PAGES = ("--dashboard-address", "127.0.0.1:0")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until(condition: Callable[[], object], what: str) -> None:
    end = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < end, f"waited in vain until {what}"
        time.sleep(0.05)


@contextlib.contextmanager
def dask(*words: str) -> Iterator["subprocess.Popen[bytes]"]:
    """A process of Dask's command line, ended with all that it has started and written."""
    command = [sys.executable, "-m", "dask", *words]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        paths = os.pathsep.join(map(str, (TESTS.parent, TESTS)))
        environment = {**os.environ, "PYTHONPATH": paths, "DASK_TEMPORARY_DIRECTORY": folder}
        process = subprocess.Popen(command, env=environment, **quiet)  # type: ignore[call-overload]
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


class Scheduler:
    """A scheduler; `worker` adds workers to it."""

    def __init__(self, stack: contextlib.ExitStack, protocol: str) -> None:
        self.stack = stack
        self.port = free_port()
        self.address = f"{protocol}://127.0.0.1:{self.port}"
        words = ("--protocol", protocol, "--host", "127.0.0.1", "--port", str(self.port))
        self.process = self.start("scheduler", *words, *NO_PAGES)
        wait_until(self.listens, "the scheduler listens")

    def start(self, *words: str) -> "subprocess.Popen[bytes]":
        return self.stack.enter_context(dask(*words))

    def listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def worker(self, *words: str) -> "subprocess.Popen[bytes]":
        """A worker of one thread, without a nanny that would start it again."""
        common = ("--host", "127.0.0.1", "--nthreads", "1", *NO_PAGES)
        return self.start("worker", self.address, *common, *(words or ("--no-nanny",)))


@contextlib.contextmanager
def scheduler(protocol: str = "tcp") -> Iterator[Scheduler]:
    with contextlib.ExitStack() as stack:
        yield Scheduler(stack, protocol)


# Units of work.


def forget_introductions() -> None:
    """What a new process knows."""
    from nowchess_uci.cluster import remote

    remote._passports.clear()


def square(number: int) -> int:
    return number * number


def slow_square(number: int) -> int:
    time.sleep(0.3)
    return number * number


def fail(number: int) -> int:
    raise ValueError(f"unit {number} is wrong")


def leave(number: int) -> int:
    """Kills its worker if the number is 3."""
    if number == 3:
        time.sleep(1)  # so that the results of others have got home
        os._exit(1)
    return number


def write_for_ever(path: str) -> None:
    """Goes on until it is ended from outside."""
    while True:
        with open(path, "a") as file:
            file.write(".")
        time.sleep(0.05)
