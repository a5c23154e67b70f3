import os
from pathlib import Path

import pytest
from shared.syzygy_files import NoTablesError, fetch_tables

import nowchess_uci


def pytest_report_header() -> str:
    return f"nowchess_uci from {nowchess_uci.__file__}"


@pytest.fixture(scope="session")
def tables_folder() -> Path:
    """Real tables of three and four men; without them a test is skipped, except where they are required."""
    try:
        return fetch_tables()
    except NoTablesError as error:
        if os.environ.get("NOWCHESS_NEED_TABLES"):
            raise
        pytest.skip(f"no tablebases to test with: {error}")
