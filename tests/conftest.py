import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from shared.syzygy_files import NoTablesError, fetch_games, fetch_tables

import nowchess_uci


def pytest_configure() -> None:
    """Heed the signals that a shell in the background, or nohup, has turned off: our children would ignore them too."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_report_header() -> str:
    return f"nowchess_uci from {nowchess_uci.__file__}"


@pytest.fixture(scope="session")
def tables_folder() -> Path:
    """Real tables of three and four men."""
    return fetched(fetch_tables, "tablebases")


@pytest.fixture(scope="session")
def public_games() -> Path:
    """Odd PGN files that everyone can have."""
    return fetched(fetch_games, "public PGN files")


def fetched(fetch: Callable[[], Path], what: str) -> Path:
    """A folder of files; without them a test is skipped, except where they are required."""
    try:
        return fetch()
    except NoTablesError as error:
        if os.environ.get("NOWCHESS_NEED_TABLES"):
            raise
        pytest.skip(f"no {what} to test with: {error}")
