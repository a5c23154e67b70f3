"""An engine process under test: lines in, lines out, with a deadline on everything."""

import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from types import TracebackType


def limit_memory(mib: int | None) -> Callable[[], None] | None:
    """What a new process has to do so that it gets no more than so much memory, stacks of threads included."""
    if mib is None:
        return None
    import resource  # not on every system

    return lambda: resource.setrlimit(resource.RLIMIT_AS, (mib << 20, mib << 20))


class EngineProcess:
    """The engine started through pipes, as a GUI does it."""

    def __init__(self, *arguments: str, address_space_mib: int | None = None) -> None:
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "nowchess_uci", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            preexec_fn=limit_memory(address_space_mib),
        )
        self.lines: queue.Queue[str] = queue.Queue()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            assert line.endswith(b"\n")
            assert b"\r" not in line
            self.lines.put(line.decode("ascii").rstrip("\n"))

    def __enter__(self) -> "EngineProcess":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()

    def send(self, *lines: str) -> None:
        self.send_bytes("".join(f"{line}\n" for line in lines).encode())

    def send_bytes(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def read_until(self, start: str, seconds: float = 10.0) -> list[str]:
        """All lines up to the first one that starts so."""
        found = []
        deadline = time.monotonic() + seconds
        while True:
            try:
                found.append(self.lines.get(timeout=max(deadline - time.monotonic(), 0.001)))
            except queue.Empty:
                raise AssertionError(f"no {start!r} within {seconds} s, only {found[-5:]}") from None
            if found[-1].startswith(start):
                return found

    def best_move(self, seconds: float = 10.0) -> str:
        return self.read_until("bestmove", seconds)[-1].split()[1]

    def settled(self) -> list[str]:
        """Everything said until an `isready` is answered."""
        self.send("isready")
        return self.read_until("readyok")[:-1]

    def end(self, seconds: float = 5.0) -> tuple[int, str]:
        """Wait for the process to end; its exit code and what it wrote to stderr."""
        code = self.process.wait(seconds)
        assert self.process.stderr is not None
        return code, self.process.stderr.read().decode()

    def close_input(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
