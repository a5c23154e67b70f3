"""What the tools' command lines have in common."""

import argparse

import pytest
from shared.command_line import ProgressLine, render_bar, run, whole_number


def test_whole_numbers_have_a_range() -> None:
    parse = whole_number(1, 20)
    assert (parse("1"), parse("20")) == (1, 20)
    for text, reason in (("0", "less than 1"), ("-3", "less than 1"), ("21", "more than 20")):
        with pytest.raises(argparse.ArgumentTypeError, match=reason):
            parse(text)


def test_what_is_no_number_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=whole_number(1))
    with pytest.raises(SystemExit):
        parser.parse_args(["--games", "many"])
    assert "invalid whole number value: 'many'" in capsys.readouterr().err


def test_progress_is_one_line_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    line = ProgressLine()
    for number in range(1, 4):
        line.show(f"{number} of 3")
    line.end()
    assert capsys.readouterr().err == "\r1 of 3\x1b[K\r3 of 3\x1b[K\n"
    line.show("again")
    line.clear()
    line.clear()
    assert capsys.readouterr().err == "\r\x1b[K"


def test_progress_is_a_line_now_and_then_elsewhere(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    line = ProgressLine()
    for second in range(65):
        now[0] = second
        line.show(f"{second} s")
    line.end()
    assert capsys.readouterr().err == "30 s\n60 s\n"


def test_the_bar_fills_up() -> None:
    assert render_bar(0, 10, 4) == "[....]"
    assert render_bar(5, 10, 4) == "[##..]"
    assert render_bar(12, 10, 4) == "[####]"


@pytest.mark.parametrize(
    ("error", "code"), [(OSError("disk full"), "disk full"), (ValueError("odd"), "odd"), (KeyboardInterrupt(), 130)]
)
def test_what_goes_wrong_is_told_in_one_line(error: BaseException, code: str | int) -> None:
    def main() -> int:
        raise error

    with pytest.raises(SystemExit) as exit_info:
        run(main, ValueError)
    assert exit_info.value.code == code or str(exit_info.value.code).endswith(f": {code}")
