"""Renders games as PGN in the export form: tag roster first, true SAN, lines under 80 characters.

What it writes reads back as the same game. A closing brace inside a comment becomes a bracket, since PGN has no way
to write it there.
"""

import os
from collections.abc import Iterable, Mapping
from typing import IO

from nowchess_uci.files import write_atomically
from nowchess_uci.game.game import Game
from nowchess_uci.pgn.tree import RESULTS, PgnGame
from nowchess_uci.pgn.walk import Visitor, walk_game
from nowchess_uci.rules.constants import BLACK
from nowchess_uci.rules.notation import render_san
from nowchess_uci.rules.position import Position

Target = str | os.PathLike[str] | IO[str]
ROSTER = {
    "Event": "?",
    "Site": "?",
    "Date": "????.??.??",
    "Round": "?",
    "White": "?",
    "Black": "?",
    "Result": "*",
}
SET_UP_TAGS = ("Variant", "SetUp", "FEN")
MAX_LINE = 79


def write_pgn(games: Game | PgnGame | Iterable[Game | PgnGame], target: Target) -> None:
    """Write one game or several to a path, whose file appears whole or not at all, or to a file opened for text.

    An existing file at the path is replaced. Raises ValueError for a game that PGN cannot hold, and OSError.
    """
    several = (games,) if isinstance(games, Game | PgnGame) else games
    texts = (render_game(game) if isinstance(game, Game) else render_pgn(game) for game in several)
    if isinstance(target, str | os.PathLike):
        write_atomically(target, "".join(texts).encode())
    else:
        for text in texts:
            target.write(text)


def render_game(game: Game, tags: Mapping[str, str] | None = None) -> str:
    """A played game as PGN; the `Result` tag is also the termination marker, `*` if there is none."""
    return render_pgn(PgnGame.of(game, tags))


def render_pgn(game: PgnGame) -> str:
    """One game as PGN, with a blank line after it. Raises ValueError for a tag or a result that PGN cannot hold."""
    return walk_game(game, TextBuilder())


class TextBuilder(Visitor[str]):
    """Gathers the words of the move text, brackets and braces attached to theirs."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Expect another game."""
        self.tags: Mapping[str, str] = {}
        self.words: list[str] = []
        self.opened: list[int] = []  # the place of each open variation's first word
        self.needs_number = True

    def begin(self, tags: Mapping[str, str], position: Position) -> bool:
        self.tags = tags
        return True

    def move(self, position: Position, move: int) -> None:
        is_black = position.side == BLACK
        if not is_black or self.needs_number:
            self.words.append(f"{position.full_move_number}{'...' if is_black else '.'}")
        self.words.append(render_san(position, move))
        self.needs_number = False

    def mark(self, nag: int) -> None:
        self.words.append(f"${nag}")

    def comment(self, text: str) -> None:
        self.words += comment_words(text)
        self.needs_number = True

    def open_variation(self) -> None:
        self.opened.append(len(self.words))
        self.needs_number = True

    def close_variation(self) -> None:
        first = self.opened.pop()
        if first < len(self.words):  # else it said nothing
            self.words[first] = f"({self.words[first]}"
            self.words[-1] += ")"
        self.needs_number = True

    def end(self, result: str) -> str:
        if result not in RESULTS:
            raise ValueError(f"{result!a} is not a result; expected one of {', '.join(RESULTS)}")
        text = f"{render_tags(self.tags, result)}\n{fill_lines([*self.words, result])}\n"
        self.reset()
        return text


def render_tags(tags: Mapping[str, str], result: str) -> str:
    """The seven tags of the roster, those of the start position, and then the others in their order."""
    tags = {**ROSTER, **tags, "Result": result}
    if "FEN" in tags:
        tags["SetUp"] = "1"
    names = [*ROSTER, *(name for name in SET_UP_TAGS if name in tags)]
    names += [name for name in tags if name not in names]
    return "".join(render_tag(name, tags[name]) for name in names)


def render_tag(name: str, value: str) -> str:
    """One tag pair on a line of its own."""
    if not (name.isascii() and name.replace("_", "x").isalnum()):
        raise ValueError(f"{name!a} is not a tag name; only letters, digits and underscores can be")
    escaped = " ".join(value.split()).replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]\n'


def comment_words(comment: str) -> list[str]:
    """A comment as words, the braces attached to the first and the last."""
    words = comment.replace("}", ")").split()
    return f"{{{' '.join(words)}}}".split() if words else []


def fill_lines(words: list[str]) -> str:
    """The words with spaces between them, or line ends where a line would get too long."""
    lines: list[str] = []
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > MAX_LINE:
            lines.append(line)
            line = word
        else:
            line += f" {word}" if line else word
    return "\n".join([*lines, line]) + "\n"
