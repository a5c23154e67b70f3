"""Reads PGN files game by game, as they are in the wild.

Understands comments (`{}`, `;`), escape lines (`%`), marks (`$14`, `!?`), variations to any depth, missing tags and
sloppy SAN. What cannot be understood is noted with line and column in the game where it stands: an error in a
variation ends that variation, an error in the main line ends the game, and the next game is read as usual. A null move
(`--`) ends its line too, because a tree holds legal moves only.
"""

import re
from collections.abc import Iterator
from typing import Generic

from nowchess_uci.pgn.build import TreeBuilder
from nowchess_uci.pgn.text import Source, read_pieces
from nowchess_uci.pgn.tree import UNKNOWN_RESULT, PgnError, PgnGame, start_of
from nowchess_uci.pgn.walk import T, Visitor, Walk
from nowchess_uci.rules.fen import FenError, shown
from nowchess_uci.rules.notation import MoveTextError, parse_move
from nowchess_uci.rules.position import Position

MARKERS = {"1-0": "1-0", "0-1": "0-1", "1/2-1/2": "1/2-1/2", "1/2": "1/2-1/2", "*": "*"}
NULL_MOVES = ("--", "Z0", "0000", "@@@@")
MAX_NAG_DIGITS = 9
MARKS = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}

# What looks like a space, or like nothing, without being an ASCII space; the last is the end of a DOS file.
SPACES = "\x85\xa0\u1680\u2000-\u200d\u2028\u2029\u202f\u205f\u2060\u3000\ufeff\x1a"
GAP = rf"[\s{SPACES}]*"
TAG = re.compile(rf'\[{GAP}(\w+){GAP}"((?:[^"\\]|\\.)*)"{GAP}\]{GAP}', re.ASCII)
# Programs forget to escape quotes: then all up to the last one belongs to the value.
SLOPPY_TAG = re.compile(rf'\[{GAP}(\w+){GAP}"(.*)"{GAP}\]{GAP}', re.ASCII)
ESCAPED = re.compile(r"\\(.)")

TOKEN = re.compile(
    rf"""
      e\.p\.                                                            # what means nothing, as below
    | (?:[0-9]+\.[.\s]*)?([a-h]x[a-h][36](?=e\.p\.)|[A-Za-z0-9][\w+\#=:/-]*|\*|--|@@@@)    # 1: a move or a result
    | [0-9]+\.+ | \.+ | <[^<>]*>                                        # a number alone, dots, reserved brackets
    | (\$[0-9]* | [!?]{{1,2}})                                           # 2: a mark
    | \{{([^}}]*)(\}}?) | ;(.*)                                          # 3, 4, 5: a comment, perhaps open at the end
    | (\() | (\))                                                       # 6, 7
    | [{SPACES}]+
    | (\S)                                                              # 8: what does not belong here
    """,
    re.VERBOSE | re.ASCII,
)
WORD, MARK, CLOSED_COMMENT, LINE_COMMENT, OPEN, CLOSE = 1, 2, 4, 5, 6, 7

# What can end a game, or hide its end: all that matters in a game that nobody wants.
LANDMARK = re.compile(
    r"""
      ((?<![\w+\#=:/$-])(?:1-0|0-1|1/2-1/2|1/2)(?![\w+\#=:/-])|\*)      # 1: a result
    | \{[^}]*(\}?) | (;) | <[^<>]*>                                      # 2, 3: a comment
    | (\() | (\))                                                       # 4, 5
    """,
    re.VERBOSE | re.ASCII,
)


def read_pgn(source: Source, *, keep_variations: bool = True) -> Iterator[PgnGame]:
    """The games of a PGN file, given as a path or open, one after another; only one is in memory at a time."""
    return visit_games(source, TreeBuilder(keep_variations))


def visit_games(source: Source, visitor: Visitor[T]) -> Iterator[T]:
    """Walk a visitor through the games of a PGN file, and what it makes of each of them."""
    reader = Reader(visitor)
    for number, column, text in read_pieces(source):
        yield from reader.feed(number, column, text)
    yield from reader.finish()


class Reader(Generic[T]):
    """The game being read and what the text seen so far means for the text to come."""

    def __init__(self, visitor: Visitor[T]) -> None:
        self.visitor = visitor
        self.walk = Walk(visitor)
        self.number = 0
        self.offset = 1  # column of the first character of the piece
        self.in_line_comment = False
        self.after_blank_line = False
        self.reset()

    def reset(self) -> None:
        """Expect another game."""
        self.tags: dict[str, str] = {}
        self.tag_places: dict[str, tuple[int, int]] = {}
        self.has_errors = False
        self.is_unwanted = False  # the visitor skips the moves
        self.in_moves = False  # something that is no tag has been read
        self.has_begun = False  # the visitor knows of the game
        self.walk.start(Position())
        self.opened: list[tuple[int, int]] = []  # where the open variations began
        self.skipped = 0  # open brackets inside what is skipped
        self.is_lost = False  # nothing more of the current line can be read, or is wanted
        self.preface: list[str] = []  # comments before there was anything else of the game
        self.comment: list[str] | None = None  # parts of a comment that is still open
        self.comment_place = (0, 0)

    def feed(self, number: int, offset: int, text: str) -> Iterator[T]:
        """Read one line, or one piece of a very long one; yields the games that end in it."""
        self.number = number
        self.offset = offset
        begins_line = offset == 1
        was_blank = self.after_blank_line
        self.after_blank_line = begins_line and not text.strip()
        if self.comment is not None:
            if not (was_blank and text.startswith('[Event "')):
                yield from self.read_comment(text)
                return
            # A comment that is never closed must not swallow the games that follow.
            self.fail(*self.comment_place, "the comment is not closed")
            yield self.end_game()
        if begins_line:
            self.in_line_comment = text.startswith("%")
        if self.in_line_comment or self.after_blank_line:
            return
        if begins_line and text.startswith("["):
            yield from self.read_tags(text)
        else:
            yield from self.read_moves(text, 0)

    def finish(self) -> Iterator[T]:
        """The last game, if the file ends without its result."""
        if self.comment is not None:
            self.fail(*self.comment_place, "the comment is not closed")
        if self.has_content():
            yield self.end_game()

    def has_content(self) -> bool:
        """True if there is a game. A comment alone belongs to the game that follows, if one does."""
        return bool(self.tags or self.has_errors or self.is_unwanted or self.walk.played or self.opened)

    # Tags.

    def read_tags(self, text: str) -> Iterator[T]:
        """A line that begins with a bracket."""
        found = []
        start = 0
        stripped = text.rstrip()
        while start < len(stripped):
            tag = TAG.match(text, start) or SLOPPY_TAG.match(text, start)
            if tag is None:
                break
            found.append((start, tag[1], tag[2]))
            start = tag.end()
        if found and self.in_moves:
            if self.has_content():
                yield self.end_game()
            self.in_moves = False
        for column, name, value in found:
            self.tags[name] = ESCAPED.sub(r"\1", value) if "\\" in value else value
            self.tag_places[name] = (self.number, self.offset + column)
        if start < len(stripped):
            reason = f"{shown(stripped[start:])} is not a tag"
            self.note(self.number, self.offset + start, reason)

    # Moves.

    def read_moves(self, text: str, start: int) -> Iterator[T]:
        """Moves, and what stands between them, from a place in the piece on."""
        if self.is_unwanted:
            yield from self.skip_moves(text, start)
            return
        walk = self.walk
        for token in TOKEN.finditer(text, start):
            kind = token.lastindex
            if kind is None:
                continue
            if not self.has_begun:
                self.in_moves = True
                if self.has_content() or not self.is_preface(token):
                    self.begin_moves()
                if self.is_unwanted:
                    yield from self.skip_moves(text, token.start())
                    return
            if kind == WORD:
                word = token[1]
                if word in MARKERS:
                    if not self.opened and not self.skipped:
                        yield self.end_game(MARKERS[word])
                elif not self.skipped and not self.is_lost:
                    try:
                        move = parse_move(walk.position, word)
                    except MoveTextError as error:
                        if word in NULL_MOVES:
                            reason = f"the null move {word} cannot be played; the rest of this line is skipped"
                            self.fail_here(token.start(WORD), reason)
                        elif not word.isdecimal():  # a number without its dot tells nothing
                            self.fail_here(token.start(WORD), str(error))
                    else:
                        walk.play(move)
            elif kind == CLOSED_COMMENT:
                if token[4]:
                    self.add_comment(token[3])
                else:
                    self.comment = [token[3]]
                    self.comment_place = (self.number, self.offset + token.start())
            elif kind == LINE_COMMENT:
                self.in_line_comment = True
                self.add_comment(token[5])
            elif kind == MARK:
                self.add_mark(token.start(), token[2])
            elif kind == OPEN:
                self.open_variation(token.start())
            elif kind == CLOSE:
                self.close_variation(token.start())
            else:
                self.fail_here(token.start(), f"{shown(token[0])} is not expected here")

    def skip_moves(self, text: str, start: int) -> Iterator[T]:
        """The moves of a game that nobody wants: several times as fast as reading them."""
        for token in LANDMARK.finditer(text, start):
            kind = token.lastindex
            if kind == 1 and not self.skipped:
                yield self.end_game(MARKERS[token[1]])
                yield from self.read_moves(text, token.end())
                return
            if kind == 2 and not token[2]:
                self.comment = []
                self.comment_place = (self.number, self.offset + token.start())
            elif kind == 3:
                self.in_line_comment = True
                return
            elif kind == 4:
                self.skipped += 1
            elif kind == 5 and self.skipped:
                self.skipped -= 1

    def is_preface(self, token: re.Match[str]) -> bool:
        """True for what may stand before the tags of a game without being a game itself."""
        kind = token.lastindex
        if self.skipped or (kind == OPEN and not self.visitor.keeps_variations):
            return True
        return kind in (CLOSED_COMMENT, LINE_COMMENT, MARK) or (kind == WORD and token[WORD].isdecimal())

    def begin_moves(self) -> None:
        """Set up the position that the tags name."""
        self.has_begun = True
        try:
            self.walk.start(start_of(self.tags))
        except ValueError as error:
            self.fail(*self.tag_places["FEN" if isinstance(error, FenError) else "Variant"], str(error))
        if self.visitor.begin(self.tags, self.walk.position):
            for text in self.preface:
                self.visitor.comment(text)
        else:
            self.is_unwanted = self.is_lost = True

    def add_mark(self, start: int, text: str) -> None:
        """A mark for the last move; the standard has them up to `$255`, programs have more."""
        if not self.walk.played or self.skipped or self.is_lost:
            return
        digits = text[1:]
        if text in MARKS:
            self.visitor.mark(MARKS[text])
        elif 0 < len(digits) <= MAX_NAG_DIGITS:
            self.visitor.mark(int(digits))
        else:
            self.note(self.number, self.offset + start, f"{shown(text)} is not a mark")

    def add_comment(self, text: str) -> None:
        """A comment on the last move, or before the first one."""
        text = " ".join(text.split())
        if not text or self.skipped or self.is_lost:
            return
        if self.has_begun:
            self.visitor.comment(text)
        else:
            self.preface.append(text)

    def read_comment(self, text: str) -> Iterator[T]:
        """More of a comment that began in an earlier piece."""
        assert self.comment is not None
        end = text.find("}")
        if not self.skipped and not self.is_lost:
            self.comment.append(text if end < 0 else text[:end])
        if end >= 0:
            comment = " ".join(self.comment)
            self.comment = None
            self.add_comment(comment)
            yield from self.read_moves(text, end + 1)

    # Variations.

    def open_variation(self, start: int) -> None:
        """An opening bracket."""
        if self.skipped or self.is_lost or not self.visitor.keeps_variations:
            self.skipped += 1
        elif not self.walk.played:
            self.fail_here(start, "there is no move to which this could be a variation")
            self.skipped += 1
        else:
            self.opened.append((self.number, self.offset + start))
            self.walk.open_variation()

    def close_variation(self, start: int) -> None:
        """A closing bracket."""
        if self.skipped:
            self.skipped -= 1
        elif self.opened:
            self.is_lost = False  # the line that is gone back to was not, or this one would not have been read
            self.opened.pop()
            self.walk.close_variation()
        elif not self.is_lost:
            self.fail_here(start, "no variation is open here")

    # Ends.

    def note(self, line: int, column: int, reason: str) -> None:
        """Tell what is wrong."""
        self.has_errors = True
        self.visitor.error(PgnError(line, column, reason))

    def fail(self, line: int, column: int, reason: str) -> None:
        """Tell what is wrong and give up the current line: the variation, or else the game."""
        self.note(line, column, reason)
        self.is_lost = True

    def fail_here(self, start: int, reason: str) -> None:
        """Tell what is wrong at a place of the piece, unless this line is lost already."""
        if not self.skipped and not self.is_lost:
            self.fail(self.number, self.offset + start, reason)

    def end_game(self, marker: str = UNKNOWN_RESULT) -> T:
        """The game as far as it could be read; a `*` does not overrule a result tag that knows better."""
        if not self.has_begun:
            self.begin_moves()
        if self.opened:
            self.fail(*self.opened[0], "the variation is not closed")
        for _ in self.opened:
            self.walk.close_variation()
        tag = self.tags.get("Result", "")
        result = MARKERS[tag] if marker == UNKNOWN_RESULT and tag in MARKERS else marker
        self.reset()
        return self.visitor.end(result)
