"""What the command lines of several tools have in common: numbers in a range, a line of progress, the exit."""

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

REDRAW_SECONDS = 0.1
LINE_SECONDS = 30  # between two lines of progress where the terminal cannot overwrite one


def whole_number(low: int, high: int = 2**63 - 1) -> Callable[[str], int]:
    """An argparse type for whole numbers from `low` to `high`."""

    def parse(text: str) -> int:
        number = int(text)
        if number < low:
            raise argparse.ArgumentTypeError(f"{number} is less than {low}")
        if number > high:
            raise argparse.ArgumentTypeError(f"{number} is more than {high}")
        return number

    parse.__name__ = "whole number"  # what argparse calls it when `int` refuses
    return parse


class ProgressLine:
    """Shows on stderr how far the work is: one line that changes on a terminal, one now and then elsewhere."""

    def __init__(self) -> None:
        self.on_terminal = sys.stderr.isatty()
        self.text = ""
        self.next = time.monotonic() + (0 if self.on_terminal else LINE_SECONDS)

    def show(self, text: str) -> None:
        """Show this, unless the last text is still fresh."""
        self.text = text
        now = time.monotonic()
        if now < self.next:
            return
        self.next = now + (REDRAW_SECONDS if self.on_terminal else LINE_SECONDS)
        self._draw()

    def end(self) -> None:
        """Leave the last text standing and begin a new line."""
        if self.on_terminal and self.text:
            self._draw()
            print(file=sys.stderr)
        self.text = ""

    def clear(self) -> None:
        """Take the line away, so that something else can be printed in its place."""
        if self.on_terminal and self.text:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
        self.text = ""

    def _draw(self) -> None:
        if self.on_terminal:
            print(f"\r{self.text}\x1b[K", end="", file=sys.stderr, flush=True)
        else:
            print(self.text, file=sys.stderr, flush=True)


def render_bar(done: int, total: int, width: int = 30) -> str:
    """A bar that fills up, such as `[####......]`."""
    full = width * min(done, total) // max(total, 1)
    return f"[{'#' * full}{'.' * (width - full)}]"


def run(main: Callable[[], int], *expected: type[Exception]) -> NoReturn:
    """Run a script's `main` and exit with its code; expected errors are reported in one line on stderr."""
    errors: tuple[type[Exception], ...] = (OSError, *expected)
    try:
        sys.exit(main())
    except errors as error:
        sys.exit(f"{Path(sys.argv[0]).name}: {error}")
    except KeyboardInterrupt:
        print(f"{Path(sys.argv[0]).name}: stopped", file=sys.stderr)
        sys.exit(130)
