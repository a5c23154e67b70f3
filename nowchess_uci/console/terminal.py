"""The way to the player and back: lines in, text out, and what the two streams are good for.

A person at a terminal gets line editing, a history, colours and a sign of thinking. Through a pipe none of these is
there, and what is read is written out too, so that a transcript reads like a terminal.
"""

import contextlib
import io
import os
import shutil
import sys
from collections.abc import Iterator
from typing import TextIO

MAX_LINE = 10_000  # characters that count of a line from a pipe


class Terminal:
    """Standard input and output as they are at the start of a session."""

    def __init__(self, *, ascii_only: bool = False) -> None:
        for stream in (sys.stdin, sys.stdout):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")  # no odd byte may end a game
        shows = sys.stdout.isatty()
        is_dumb = shows and os.environ.get("TERM") == "dumb"
        self.is_person = shows and sys.stdin.isatty()
        """True if somebody is there who can be asked."""
        self.colors = shows and not is_dumb and not os.environ.get("NO_COLOR")
        self.unicode = not ascii_only and not is_dumb and can_print_figures(sys.stdout)
        self._shows_thinking = shows
        self._echoes = not sys.stdin.isatty()
        if self.is_person:
            load_line_editing()

    def read(self, prompt: str) -> str:
        """One line of input without the space around it; raises EOFError if there is none."""
        if self.is_person:
            sys.stdout.flush()
            try:
                return input(f"{prompt} ").strip()
            except (EOFError, KeyboardInterrupt):
                print()  # what comes next begins a line
                raise
        print(prompt, end=" ", flush=True)
        line = read_line(sys.stdin)
        if self._echoes or not line:
            print(printable(line.strip()))
        if not line:
            raise EOFError
        return line.strip()

    @contextlib.contextmanager
    def thinking(self, who: str) -> Iterator[None]:
        """Show that somebody is thinking, and wipe it away afterwards, with what was typed meanwhile."""
        if not self._shows_thinking:
            yield
            return
        print(f"{who} is thinking...", end="", flush=True)
        try:
            yield
        finally:
            blank = " " * (shutil.get_terminal_size().columns - 1)  # works on every terminal, unlike an escape
            print(f"\r{blank}\r", end="", flush=True)


def load_line_editing() -> None:
    """Let `input` edit lines and remember them, where Python was built with it."""
    try:
        import readline
    except ImportError:
        return
    readline.parse_and_bind("set enable-bracketed-paste off")  # would write escapes around every prompt


def read_line(stream: TextIO) -> str:
    """The next line, of which only so much is kept that no input can fill the memory; empty at the end."""
    line = part = stream.readline(MAX_LINE)
    while part and not part.endswith("\n"):
        part = stream.readline(MAX_LINE)
    return line


def printable(text: str) -> str:
    """A text of the player's without what would steer the terminal."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def can_print_figures(stream: TextIO) -> bool:
    """True if the stream's encoding has the chess figures."""
    try:
        "\N{WHITE CHESS KING}".encode(stream.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
