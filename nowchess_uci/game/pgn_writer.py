"""Renders games as PGN in the export form: tag roster first, true SAN, lines under 80 characters.

What it writes reads back as the same game. A closing brace inside a comment becomes a bracket, since PGN has no way
to write it there.
"""

from collections.abc import Iterator, Mapping

from nowchess_uci.game.game import Game
from nowchess_uci.game.pgn_game import RESULTS, PgnGame, PgnLine, PgnMove
from nowchess_uci.rules import movegen
from nowchess_uci.rules.notation import render_san
from nowchess_uci.rules.position import Position

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


def render_game(game: Game, tags: Mapping[str, str] | None = None) -> str:
    """A played game as PGN; the `Result` tag is also the termination marker, `*` if there is none."""
    return render_pgn(PgnGame.of(game, tags))


def render_pgn(game: PgnGame) -> str:
    """One game as PGN, with a blank line after it. Raises ValueError for a tag or a result that PGN cannot hold."""
    if game.result not in RESULTS:
        raise ValueError(f"{game.result!a} is not a result; expected one of {', '.join(RESULTS)}")
    return f"{render_tags(game)}\n{fill_lines([*move_words(game), game.result])}\n"


def render_tags(game: PgnGame) -> str:
    """The seven tags of the roster, those of the start position, and then the others in their order."""
    tags = {**ROSTER, **game.tags, "Result": game.result}
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


def move_words(game: PgnGame) -> list[str]:
    """The words of the move text, brackets and braces attached to theirs.

    Walks the variations with a stack of its own, because they may be nested deeper than Python calls may.
    """
    position = game.start()
    words = comment_words(game.line.comment)
    unfinished = [Walk(game.line, position, 0)]
    while unfinished:
        walk = unfinished[-1]
        variation = walk.next_variation()
        if variation is not None:
            movegen.undo(position)
            unfinished.append(Walk(variation, position, len(words)))
            words += comment_words(variation.comment)
        elif not walk.is_done():
            words += walk.next_move()
        else:
            unfinished.pop()
            if unfinished:
                for _ in walk.line.moves:
                    movegen.undo(position)
                movegen.play(position, unfinished[-1].current().move)
                words[walk.first_word] = f"({words[walk.first_word]}"
                words[-1] += ")"
    return words


class Walk:
    """How far one line has been rendered."""

    def __init__(self, line: PgnLine, position: Position, first_word: int) -> None:
        self.line = line
        self.position = position
        self.first_word = first_word
        self.played = 0
        self.variations_done = 0
        self.needs_number = True

    def current(self) -> PgnMove:
        """The last move rendered."""
        return self.line.moves[self.played - 1]

    def is_done(self) -> bool:
        return self.played == len(self.line.moves)

    def next_variation(self) -> PgnLine | None:
        """The next variation of the last move, if there is one left that says something."""
        variations = self.current().variations if self.played else ()
        while self.variations_done < len(variations):
            variation = variations[self.variations_done]
            self.variations_done += 1
            if variation.moves or variation.comment:
                self.needs_number = True
                return variation
        return None

    def next_move(self) -> Iterator[str]:
        """Render the next move with its number, marks and comment, and make it."""
        node = self.line.moves[self.played]
        is_black = self.position.side == 1
        if not is_black or self.needs_number:
            yield f"{self.position.full_move_number}{'...' if is_black else '.'}"
        yield render_san(self.position, node.move)
        movegen.play(self.position, node.move)
        yield from (f"${nag}" for nag in node.nags)
        yield from comment_words(node.comment)
        self.played += 1
        self.variations_done = 0
        self.needs_number = bool(node.comment)


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
