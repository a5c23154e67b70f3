"""EPD lines: position and operations, quoted values, and what is wrong with a bad one."""

import pytest

from nowchess_uci.rules.epd import EpdError, parse_epd
from nowchess_uci.rules.fen import render_fen

PLACEMENT = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - -"


def test_position_and_operations_are_read() -> None:
    position, operations = parse_epd(f'{PLACEMENT} bm Ra8# Rb1; id "back rank; one"; dm 1;')
    assert render_fen(position) == f"{PLACEMENT} 0 1"
    assert operations == {"bm": ["Ra8#", "Rb1"], "id": ["back rank; one"], "dm": ["1"]}


@pytest.mark.parametrize(
    ("text", "operations"),
    [("", {}), ("noop;", {"noop": []}), ("bm Ra8", {"bm": ["Ra8"]}), ('c0 "";bm Ra8;', {"c0": [""], "bm": ["Ra8"]})],
)
def test_operations_may_be_bare_empty_or_unfinished(text: str, operations: dict[str, list[str]]) -> None:
    assert parse_epd(f"{PLACEMENT} {text}")[1] == operations


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("", "at least placement"),
        ("6k1/8 w -", "at least placement"),
        ("6k1/5ppp/8/8/8/8/5PPP/R5Q1 w - - bm Ra8;", "king"),
        (f'{PLACEMENT} id "never closed;', "no operation"),
        (f"{PLACEMENT} ; bm Ra8;", "no operation"),
    ],
)
def test_a_bad_line_says_what_is_wrong(line: str, complaint: str) -> None:
    with pytest.raises(EpdError, match=complaint):
        parse_epd(line)
