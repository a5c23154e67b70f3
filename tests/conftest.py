import nowchess_uci


def pytest_report_header() -> str:
    return f"nowchess_uci from {nowchess_uci.__file__}"
