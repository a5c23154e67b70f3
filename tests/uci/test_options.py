"""The option table: what clients need is there, and values are checked."""

import pytest

from nowchess_uci.uci.options import OPTIONS, OptionError, Spin, find, parse_value


def test_every_option_that_clients_set_is_there() -> None:
    names = {option.name for option in OPTIONS}
    assert names >= {
        "Hash", "Clear Hash", "Threads", "Ponder", "MultiPV", "Move Overhead", "UCI_Chess960", "UCI_ShowWDL",
        "UCI_LimitStrength", "UCI_Elo", "UCI_AnalyseMode", "UCI_EngineAbout", "Debug Log File", "SyzygyPath",
        "SyzygyProbeDepth", "Syzygy50MoveRule", "SyzygyProbeLimit",
    }  # fmt: skip


def test_ranges_hold_their_defaults() -> None:
    spins = [option for option in OPTIONS if isinstance(option, Spin)]
    assert all(spin.range.holds(spin.default) and spin.range.high < 1 << 31 for spin in spins)
    assert {spin.name: spin.range.high for spin in spins}["Threads"] >= 4
    assert {spin.name: spin.range.high for spin in spins}["Hash"] >= 512


def test_names_are_found_whatever_their_case() -> None:
    assert find("hAsH").name == "Hash"
    with pytest.raises(OptionError, match="no option"):
        find("Contempt")


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [("Hash", "64", 64), ("Ponder", "TRUE", True), ("Ponder", "false", False), ("Debug Log File", "<empty>", "")],
)
def test_values_are_read(name: str, text: str, value: object) -> None:
    assert parse_value(find(name), text) == value


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Hash", "abc"),
        ("Hash", ""),
        ("Hash", "0"),
        ("Hash", "65537"),
        ("Hash", "9" * 50),
        ("Hash", "1e3"),
        ("Ponder", "1"),
    ],
)
def test_bad_values_are_refused_with_the_range(name: str, text: str) -> None:
    with pytest.raises(OptionError, match=r"takes"):
        parse_value(find(name), text)
