"""Reads PGN files game by game, as they are in the wild.

Understands comments (`{}`, `;`), escape lines (`%`), marks (`$14`, `!?`), variations to any depth, missing tags and
sloppy SAN. What cannot be understood is noted with line and column in the game where it stands: an error in a
variation ends that variation, an error in the main line ends the game, and the next game is read as usual.
"""

import re
from collections.abc import Iterator

from nowchess_uci.game.pgn_game import UNKNOWN_RESULT, PgnError, PgnGame, PgnLine, PgnMove
from nowchess_uci.game.pgn_text import Source, read_pieces
from nowchess_uci.rules import movegen
from nowchess_uci.rules.fen import FenError, shown
from nowchess_uci.rules.notation import MoveTextError, parse_move
from nowchess_uci.rules.position import Position

MARKERS = {"1-0": "1-0", "0-1": "0-1", "1/2-1/2": "1/2-1/2", "1/2": "1/2-1/2", "*": "*"}
MARKS = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}

TAG = re.compile(r'\[\s*(\w+)\s*"((?:[^"\\]|\\.)*)"\s*\]\s*', re.ASCII)
# Programs forget to escape quotes: then all up to the last one belongs to the value.
SLOPPY_TAG = re.compile(r'\[\s*(\w+)\s*"(.*)"\s*\]\s*', re.ASCII)
ESCAPED = re.compile(r"\\(.)")

TOKEN = re.compile(
    r"""
      e\.p\.                                                            # what means nothing, as below
    | (?:[0-9]+\.[.\s]*)?([a-h]x[a-h][36](?=e\.p\.)|[A-Za-z0-9][\w+\#=:/-]*|\*|--)    # 1: a move or a result
    | [0-9]+\.+ | \.+ | <[^<>]*>                                        # a number alone, dots, reserved brackets
    | (\$[0-9]{1,3}(?![0-9]) | [!?]{1,2})                               # 2: a mark
    | \{([^}]*)(\}?) | ;(.*)                                            # 3, 4, 5: a comment, perhaps open at the end
    | (\() | (\))                                                       # 6, 7
    | (\S)                                                              # 8: what does not belong here
    """,
    re.VERBOSE | re.ASCII,
)
WORD, MARK, CLOSED_COMMENT, LINE_COMMENT, OPEN, CLOSE = 1, 2, 4, 5, 6, 7


def read_games(source: Source, *, keep_variations: bool = True) -> Iterator[PgnGame]:
    """The games of a PGN file one after another; only one is in memory at a time."""
    reader = Reader(keep_variations)
    for number, column, text in read_pieces(source):
        yield from reader.feed(number, column, text)
    yield from reader.finish()


class Waiting:
    """What stands after a move and belongs to it: gathered in lists, because there may be very much of it."""

    __slots__ = ("comments", "has_any", "nags", "variations")

    def __init__(self) -> None:
        self.has_any = False
        self.nags: list[int] = []
        self.comments: list[str] = []
        self.variations: list[PgnLine] = []


class Reader:
    """The game being read and what the text seen so far means for the text to come."""

    def __init__(self, keep_variations: bool) -> None:
        self.keep_variations = keep_variations
        self.number = 0
        self.offset = 1  # column of the first character of the piece
        self.in_line_comment = False
        self.after_blank_line = False
        self.reset()

    def reset(self) -> None:
        """Expect another game."""
        self.game = PgnGame()
        self.in_moves = False
        self.position = Position()
        self.tag_places: dict[str, tuple[int, int]] = {}
        self.line = self.game.line
        self.waiting = Waiting()
        # Lines interrupted by the current one, what waits there, and where the current one began.
        self.parents: list[tuple[PgnLine, Waiting, int, int]] = []
        self.skipped = 0  # open brackets inside what is skipped
        self.is_lost = False  # nothing more of the current line can be read
        self.comment: list[str] | None = None  # parts of a comment that is still open
        self.comment_place = (0, 0)

    def feed(self, number: int, offset: int, text: str) -> Iterator[PgnGame]:
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

    def finish(self) -> Iterator[PgnGame]:
        """The last game, if the file ends without its result."""
        if self.comment is not None:
            self.fail(*self.comment_place, "the comment is not closed")
        if self.has_content():
            yield self.end_game()

    def has_content(self) -> bool:
        """True if there is a game. A comment alone belongs to the game that follows, if one does."""
        return bool(self.game.tags or self.game.line.moves or self.game.errors)

    # Tags.

    def read_tags(self, text: str) -> Iterator[PgnGame]:
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
            self.game.tags[name] = ESCAPED.sub(r"\1", value) if "\\" in value else value
            self.tag_places[name] = (self.number, self.offset + column)
        if start < len(stripped):
            reason = f"{shown(stripped[start:])} is not a tag"
            self.game.errors.append(PgnError(self.number, self.offset + start, reason))

    # Moves.

    def read_moves(self, text: str, start: int) -> Iterator[PgnGame]:
        """Moves, and what stands between them, from a place in the piece on."""
        for token in TOKEN.finditer(text, start):
            kind = token.lastindex
            if kind is None:
                continue
            if not self.in_moves:
                self.begin_moves()
            if kind == WORD:
                word = token[1]
                if word not in MARKERS:
                    if not self.skipped and not self.is_lost:
                        self.read_word(word, token.start(1))
                elif not self.parents and not self.skipped:
                    self.set_result(MARKERS[word])
                    yield self.end_game()
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
                self.add_mark(token[2])
            elif kind == OPEN:
                self.open_variation(token.start())
            elif kind == CLOSE:
                self.close_variation(token.start())
            else:
                self.fail_here(token.start(), f"{shown(token[0])} is not expected here")

    def begin_moves(self) -> None:
        """Set up the position that the tags name."""
        self.in_moves = True
        try:
            self.position = self.game.start()
        except ValueError as error:
            self.fail(*self.tag_places["FEN" if isinstance(error, FenError) else "Variant"], str(error))

    def read_word(self, word: str, start: int) -> None:
        """A move, or something that should be one."""
        try:
            move = parse_move(self.position, word)
        except MoveTextError as error:
            if not word.isdecimal():  # a number without its dot tells nothing
                self.fail_here(start, str(error))
            return
        movegen.play(self.position, move)
        if self.waiting.has_any:
            self.settle()
        self.line.moves.append(PgnMove(move))

    def add_mark(self, text: str) -> None:
        """A mark for the last move."""
        if self.line.moves and not self.skipped and not self.is_lost:
            self.waiting.nags.append(MARKS.get(text) or int(text[1:]))
            self.waiting.has_any = True

    def add_comment(self, text: str) -> None:
        """A comment on the last move, or before the first one."""
        text = " ".join(text.split())
        if not text or self.skipped or self.is_lost:
            return
        self.waiting.comments.append(text)
        self.waiting.has_any = True

    def settle(self) -> None:
        """What was said after the last move of the line belongs to it, or to the line if it has no move."""
        place = self.line.moves[-1] if self.line.moves else self.line
        place.comment = " ".join(self.waiting.comments)
        if isinstance(place, PgnMove):
            place.nags = tuple(self.waiting.nags)
            place.variations = tuple(self.waiting.variations)
        self.waiting = Waiting()

    def read_comment(self, text: str) -> Iterator[PgnGame]:
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

    # Variations. The position goes back one move, follows the variation, and returns to the line it left.

    def open_variation(self, start: int) -> None:
        """An opening bracket."""
        if self.skipped or self.is_lost or not self.keep_variations:
            self.skipped += 1
        elif not self.line.moves:
            self.fail_here(start, "there is no move to which this could be a variation")
            self.skipped += 1
        else:
            movegen.undo(self.position)
            self.parents.append((self.line, self.waiting, self.number, self.offset + start))
            self.line = PgnLine()
            self.waiting = Waiting()

    def close_variation(self, start: int) -> None:
        """A closing bracket."""
        if self.skipped:
            self.skipped -= 1
        elif self.parents:
            for _ in self.line.moves:
                movegen.undo(self.position)
            self.is_lost = False  # the line that is gone back to was not, or this one would not have been read
            self.leave_variation()
            movegen.play(self.position, self.line.moves[-1].move)
        elif not self.is_lost:
            self.fail_here(start, "no variation is open here")

    def leave_variation(self) -> None:
        """Go back to the line that a variation interrupted, and keep the variation unless it is empty."""
        self.settle()
        variation = self.line
        self.line, self.waiting, _, _ = self.parents.pop()
        if variation.moves or variation.comment:
            self.waiting.variations.append(variation)
            self.waiting.has_any = True

    # Ends.

    def fail(self, line: int, column: int, reason: str) -> None:
        """Note what is wrong and give up the current line: the variation, or else the game."""
        self.game.errors.append(PgnError(line, column, reason))
        self.is_lost = True

    def fail_here(self, start: int, reason: str) -> None:
        """Note what is wrong at a place of the piece, unless this line is lost already."""
        if not self.skipped and not self.is_lost:
            self.fail(self.number, self.offset + start, reason)

    def set_result(self, marker: str) -> None:
        """The result is the marker's, but `*` does not overrule a tag that knows better."""
        tag = self.game.tags.get("Result", "")
        self.game.result = MARKERS[tag] if marker == UNKNOWN_RESULT and tag in MARKERS else marker

    def end_game(self) -> PgnGame:
        """The game as far as it could be read."""
        game = self.game
        if not self.in_moves:
            self.begin_moves()
        if self.parents:
            self.fail(*self.parents[0][2:], "the variation is not closed")
        while self.parents:
            self.leave_variation()
        self.settle()
        if game.result == UNKNOWN_RESULT:
            self.set_result(UNKNOWN_RESULT)
        self.reset()
        return game
