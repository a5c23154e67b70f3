"""A UCI engine in a process of its own: lines in, lines out, with a deadline on everything.

For scripts and tests, and for other engines as well as ours. A thread reads what the engine says and notes when each
line came, so that measured times are the engine's and not ours. What it writes to stderr goes to a file: a pipe that
nobody reads would block it once full.
"""

import contextlib
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from types import TracebackType

ENGINE_COMMAND = (sys.executable, "-P", "-m", "nowchess_uci")


class EngineError(Exception):
    """An engine that did not start, did not answer in time, or ended too early; reported in one line."""


def limit_memory(mib: int | None) -> Callable[[], None] | None:
    """What a new process has to do so that it gets no more than so much memory, stacks of threads included."""
    if mib is None:
        return None
    import resource  # not on every system

    return lambda: resource.setrlimit(resource.RLIMIT_AS, (mib << 20, mib << 20))


class EngineProcess:
    """An engine started through pipes, as a GUI does it; leaving the `with` block ends it, whatever it is doing."""

    def __init__(self, command: Sequence[str] = ENGINE_COMMAND, address_space_mib: int | None = None) -> None:
        self.is_ours = tuple(command) == ENGINE_COMMAND
        self.arrived = 0.0  # when the line that was read last came, by time.perf_counter()
        self._said: queue.Queue[tuple[bytes, float]] = queue.Queue()
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  (close() closes it)
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
        try:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                env=environment,
                preexec_fn=limit_memory(address_space_mib),
            )
        except OSError as error:
            self._errors.close()
            raise EngineError(f"cannot start {command[0]}: {error}") from error
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._said.put((line, time.perf_counter()))
        self._said.put((b"", time.perf_counter()))

    def __enter__(self) -> "EngineProcess":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the process at once, if it has not ended yet."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.kill()
        self.process.wait()
        with contextlib.suppress(OSError):  # what was sent and never read is lost with the process
            self.process.stdin.close()
        # A one-file executable runs the engine in a child of the process killed; it ends now, with its input.
        self._reader.join(5.0)
        if not self._reader.is_alive():
            self.process.stdout.close()
        self._errors.close()

    def send(self, *lines: str) -> None:
        self.send_bytes("".join(f"{line}\n" for line in lines).encode())

    def send_bytes(self, data: bytes) -> None:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(data)
            self.process.stdin.flush()
        except OSError as error:
            raise EngineError(f"the engine does not read any more: {error}") from error

    def read_line(self, seconds: float = 10.0) -> str:
        """The next line, without its end."""
        try:
            line, self.arrived = self._said.get(timeout=max(seconds, 0.001))
        except queue.Empty:
            raise EngineError("the engine says nothing") from None
        if not line:
            self._said.put((line, self.arrived))  # for whoever asks again
            code, errors = self.end()
            raise EngineError(f"the engine has ended with exit code {code}; on stderr: {errors.strip()[-500:]!r}")
        if self.is_ours and not (line.isascii() and line.endswith(b"\n") and b"\r" not in line):
            raise EngineError(f"not a line of ASCII with a line feed at its end: {line!r}")
        return line.decode("utf-8", "replace").rstrip("\r\n")

    def read_until(self, start: str, seconds: float = 10.0) -> list[str]:
        """All lines up to the first one that starts so."""
        found: list[str] = []
        begin = time.monotonic()
        while not found or not found[-1].startswith(start):
            try:
                found.append(self.read_line(begin + seconds - time.monotonic()))
            except EngineError as error:
                waited = time.monotonic() - begin
                raise EngineError(f"no {start!r} in {waited:.1f} s, only {found[-5:]}: {error}") from None
        return found

    def best_move(self, seconds: float = 10.0) -> str:
        return self.read_until("bestmove", seconds)[-1].split()[1]

    def settled(self) -> list[str]:
        """Everything said until an `isready` is answered."""
        self.send("isready")
        return self.read_until("readyok")[:-1]

    def end(self, seconds: float = 5.0) -> tuple[int, str]:
        """Wait for the process to end; its exit code and what it wrote to stderr."""
        try:
            code = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise EngineError(f"the engine has not ended within {seconds:g} s") from None
        self._errors.seek(0)
        return code, self._errors.read().decode("utf-8", "replace")

    def quit(self, seconds: float = 10.0) -> float:
        """Seconds from `quit` to the end of the process."""
        start = time.perf_counter()
        self.send("quit")
        self.end(seconds)
        return time.perf_counter() - start

    def close_input(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()


def seconds_to_start(command: Sequence[str] = ENGINE_COMMAND) -> float:
    """From starting a process to its `uciok`."""
    start = time.perf_counter()
    with EngineProcess(command) as engine:
        engine.send("uci")
        engine.read_until("uciok", 60.0)
        engine.quit()
        return engine.arrived - start
