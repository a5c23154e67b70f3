"""Files are there whole or not at all."""

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from nowchess_uci.files import write_atomically


def test_a_new_file_and_a_replaced_one(tmp_path: Path) -> None:
    path = tmp_path / "a.pgn"
    write_atomically(path, b"one")
    assert path.read_bytes() == b"one"
    path.chmod(0o640)
    write_atomically(str(path), b"two")
    assert path.read_bytes() == b"two"
    assert path.stat().st_mode & 0o777 == 0o640
    assert os.listdir(tmp_path) == ["a.pgn"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.pgn").write_bytes(b"old")
    (tmp_path / "link.pgn").symlink_to(tmp_path / "real.pgn")
    write_atomically(tmp_path / "link.pgn", b"new")
    assert (tmp_path / "link.pgn").is_symlink()
    assert (tmp_path / "real.pgn").read_bytes() == b"new"


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.pgn"
    path.write_bytes(b"old")

    def fail(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="disk full"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["a.pgn"]


def test_a_folder_that_does_not_exist_raises_oserror(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write_atomically(tmp_path / "none" / "a.pgn", b"x")


@pytest.mark.skipif(os.name == "nt", reason="needs a signal that cannot be caught")
def test_a_kill_at_any_moment_leaves_a_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "a.pgn"
    contents = [letter * 3_000_000 for letter in (b"a", b"b")]
    write_atomically(path, contents[0])
    script = (
        "import sys\n"
        "from nowchess_uci.files import write_atomically\n"
        "print('ready', flush=True)\n"
        "while True:\n"
        "    for letter in (b'a', b'b'):\n"
        "        write_atomically(sys.argv[1], letter * 3_000_000)\n"
    )
    source = random.Random(1)
    for _ in range(8):
        writer = subprocess.Popen([sys.executable, "-P", "-c", script, str(path)], stdout=subprocess.PIPE)
        assert writer.stdout is not None
        writer.stdout.readline()
        time.sleep(source.uniform(0.0, 0.05))
        writer.kill()
        writer.wait()
        writer.stdout.close()
        assert path.read_bytes() in contents


def test_a_device_is_written_to_and_stays_a_device() -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("this system has no such device")
    write_atomically("/dev/null", b"x")
    with pytest.raises(OSError, match="No space left"):
        write_atomically("/dev/full", b"x")
    assert Path("/dev/null").is_char_device()
    assert Path("/dev/full").is_char_device()
