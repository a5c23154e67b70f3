"""PGN in: what real files hold, what broken ones hold, and how much memory it takes."""

import gc
import io
import random
import time
import tracemalloc
from pathlib import Path
from typing import IO, cast

import oracle
import pytest
from games import random_pgn

from nowchess_uci.pgn.read import read_pgn
from nowchess_uci.pgn.text import MAX_PIECE
from nowchess_uci.pgn.tree import PgnError, PgnGame
from nowchess_uci.pgn.write import render_pgn
from nowchess_uci.rules.fen import render_fen


def read(text: str, *, keep_variations: bool = True) -> list[PgnGame]:
    return list(read_pgn(io.StringIO(text), keep_variations=keep_variations))


def moves_of(game: PgnGame) -> str:
    """The moves in one line, as the writer has them."""
    return render_pgn(game).split("\n\n")[1].replace("\n", " ")


def the_moves(text: str) -> str:
    (game,) = read(text)
    assert game.errors == []
    return moves_of(game)


def the_errors(text: str) -> list[tuple[int, int]]:
    (game,) = read(text)
    return [(error.line, error.column) for error in game.errors]


# What is understood.


def test_tags_moves_and_result() -> None:
    (game,) = read('[Event "x"]\n[White "A \\"B\\" \\\\C"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 1-0\n')
    assert game.tags == {"Event": "x", "White": 'A "B" \\C', "Result": "1-0"}
    assert game.result == "1-0"
    assert moves_of(game) == "1. e4 e5 2. Nf3 1-0"


def test_many_games_with_and_without_tags() -> None:
    games = read('[Event "a"]\n\n1. e4 *\n\n[Event "b"]\n\n1. d4 1-0\n\n1. c4 0-1 1. b4 1/2-1/2\n*\n')
    assert [game.tags.get("Event") for game in games] == ["a", "b", None, None, None]
    assert [moves_of(game) for game in games] == ["1. e4 *", "1. d4 1-0", "1. c4 0-1", "1. b4 1/2-1/2", "*"]


def test_an_empty_file_has_no_game() -> None:
    assert read("") == []
    assert read("\n \n% only an escape\n; only a comment\n\n") == []


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("1.e4 e5 2.Nf3 *", "1. e4 e5 2. Nf3 *"),
        ("1 e4 e5 2 Nf3 *", "1. e4 e5 2. Nf3 *"),
        ("1. e4 1... e5 2. Nf3 *", "1. e4 e5 2. Nf3 *"),
        ("1. e4 1. ... e5 2 .\nNf3 *", "1. e4 e5 2. Nf3 *"),
        ("1. e2e4 e7-e5 2. Ng1-f3 *", "1. e4 e5 2. Nf3 *"),
        ("1. Pe4 d5 2. e4:d5 Nf6 3. Nc3 Nb8d7 *", "1. e4 d5 2. exd5 Nf6 3. Nc3 Nbd7 *"),
        ("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. 0-0 Nf6 *", "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6 *"),
        ("1. e4 a6 2. e5 d5 3. exd6 e.p. *", "1. e4 a6 2. e5 d5 3. exd6 *"),
        ("1. e4 a6 2. e5 d5 3. exd6e.p. *", "1. e4 a6 2. e5 d5 3. exd6 *"),
        ("1. e4 <reserved> e5 *", "1. e4 e5 *"),
        ("1. e4 e5 1/2", "1. e4 e5 1/2-1/2"),
        ("1. f3 e5 2. g4 Qh4++ 0-1", "1. f3 e5 2. g4 Qh4# 0-1"),
    ],
)
def test_lenient_move_texts(text: str, moves: str) -> None:
    assert the_moves(text) == moves


@pytest.mark.parametrize("text", ["e8=Q", "e8Q", "e7e8=Q", "e7e8q", "e7-e8=Q+"])
def test_promotions_with_and_without_the_sign(text: str) -> None:
    fen = '[FEN "7k/4P3/8/8/8/8/8/4K3 w - - 0 1"]\n\n'
    assert the_moves(f"{fen}1. {text} *") == "1. e8=Q+ *"


def test_comments_of_both_kinds_and_escape_lines() -> None:
    text = "{before\nthe first} 1. e4 {one} {two} ; three } and ( four\n%ignored 1. d4 {\n1... e5 {}*"
    assert the_moves(text) == "{before the first} 1. e4 {one two three ) and ( four} 1... e5 *"


def test_a_comment_before_the_tags_belongs_to_the_game() -> None:
    assert the_moves('; collected by hand\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n1. e4 *') == (
        "{collected by hand} 1. e4 *"
    )


def test_marks_as_numbers_and_as_signs() -> None:
    assert the_moves("$3 1. e4! e5?? 2. Nf3!? $14 Nc6?! 3. Bb5 !! a6 $0 4. Ba4? *") == (
        "1. e4 $1 e5 $4 2. Nf3 $5 $14 Nc6 $6 3. Bb5 $3 a6 $0 4. Ba4 $2 *"
    )


def test_marks_that_the_standard_does_not_have_are_kept() -> None:
    assert the_moves("1. e4 $255 $256 $9999 e5 $123456789 *") == "1. e4 $255 $256 $9999 e5 $123456789 *"


@pytest.mark.parametrize("mark", ["$", "$$", "$1234567890", "$" + "9" * 10_000])
def test_a_mark_that_is_none_is_noted_and_the_game_goes_on(mark: str) -> None:
    games = read(f"1. e4 {mark} e5 (1... c5 {mark} 2. d4) 2. Nf3 *\n\n1. d4 *")
    assert [moves_of(game) for game in games] == ["1. e4 e5 (1... c5 2. d4) 2. Nf3 *", "1. d4 *"]
    assert games[0].errors[0].column == 7
    assert "is not a mark" in games[0].errors[0].reason
    assert len(games[0].errors) == 2 * (1 + (mark == "$$"))


@pytest.mark.parametrize("null", ["--", "Z0", "0000", "@@@@"])
def test_a_null_move_ends_its_line_with_a_note_and_nothing_else(null: str) -> None:
    text = f"1. e4 e5 (1... {null} 2. d4 (2. f4) d5) 2. Nf3 (2. {null}) (2. f4) 2... Nc6 {{c}} 1-0\n\n"
    games = read(f"{text}1. d4 1... {null} 2. c4 *\n\n*")
    assert [moves_of(game) for game in games] == ["1. e4 e5 2. Nf3 (2. f4) 2... Nc6 {c} 1-0", "1. d4 *", "*"]
    reason = f"the null move {null} cannot be played; the rest of this line is skipped"
    assert [str(error) for error in games[0].errors] == [
        f"line 1, column 16: {reason}",
        f"line 1, column {text.index('(2. ' + null) + 5}: {reason}",
    ]
    assert [str(error) for error in games[1].errors] == [f"line 3, column 12: {reason}"]
    assert games[2].errors == []


@pytest.mark.parametrize("space", ["\xa0", "\u2003", "\u202f", "\u3000", "\u200b", "\ufeff", "\x85", "\u2028"])
def test_odd_spaces_are_spaces(space: str) -> None:
    lines = ('[White_"A_B"]_', "_", "1._e4_{one_two} e5_$1_(_1..._c5_)_*_", "")
    text = "\n".join(lines).replace("_", space)
    for source in (text.encode(), text.encode("latin-1")) if space < "\x100" else (text.encode(),):
        (game,) = read_pgn(io.BytesIO(source))
        assert game.errors == []
        assert game.tags == {"White": f"A{space}B"}
        assert moves_of(game).replace(space, " ") == "1. e4 {one two} 1... e5 $1 (1... c5) *"


NESTED = "1. e4 e5 (1... c5 2. Nf3 (2. c3 d5 {why (not)} (2... e6)) 2... d6) (1... e6) 2. Nf3 (2. f4) *"


def test_variations_are_kept() -> None:
    assert the_moves(NESTED) == (
        "1. e4 e5 (1... c5 2. Nf3 (2. c3 d5 {why (not)} (2... e6)) 2... d6) (1... e6) 2. Nf3 (2. f4) *"
    )


def test_variations_are_skipped() -> None:
    (game,) = read(NESTED, keep_variations=False)
    assert moves_of(game) == "1. e4 e5 2. Nf3 *"


def test_an_empty_variation_is_dropped_and_a_result_in_a_variation_ends_nothing() -> None:
    assert the_moves("1. e4 () e5 (1... c5 1-0) 2. Nf3 *") == "1. e4 e5 (1... c5) 2. Nf3 *"


def test_a_game_may_end_without_its_result() -> None:
    games = read('[Event "a"]\n[Result "0-1"]\n\n1. e4 e5\n\n[Event "b"]\n\n1. d4')
    assert [(moves_of(game), game.errors) for game in games] == [("1. e4 e5 0-1", []), ("1. d4 *", [])]


def test_a_result_tag_that_knows_more_than_the_marker_wins() -> None:
    assert read('[Result "1-0"]\n\n1. e4 *')[0].result == "1-0"
    assert read('[Result "1-0"]\n\n1. e4 0-1')[0].result == "0-1"
    assert read('[Result "?"]\n\n1. e4 *')[0].result == "*"


def test_tags_in_one_line_and_tags_with_unescaped_quotes() -> None:
    (game,) = read('[White "A"] [Black "B"]\n[Event "the "big" one"]\n\n*')
    assert game.tags == {"White": "A", "Black": "B", "Event": 'the "big" one'}


@pytest.mark.parametrize("variant", ["Chess960", "Fischerandom", "chess 960"])
def test_chess960(variant: str) -> None:
    fen = "rk2r3/pppppppp/8/8/8/8/PPPPPPPP/RK2R3 w KQkq - 0 1"
    assert the_moves(f'[Variant "{variant}"]\n[FEN "{fen}"]\n\n1. O-O O-O-O *') == "1. O-O O-O-O *"


@pytest.mark.parametrize("variant", ["Standard", "From Position"])
def test_names_of_plain_chess(variant: str) -> None:
    assert the_moves(f'[Variant "{variant}"]\n\n1. e4 *') == "1. e4 *"


# Files and encodings.


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_encodings_and_line_ends(tmp_path: Path, encoding: str, end: str) -> None:
    path = tmp_path / "games.pgn"
    lines = ('[White "Müller"]', '[Black "José"]', "", "1. e4 {schön} *", "")
    path.write_bytes(end.join(lines).encode(encoding))
    for source in (path, str(path), io.BytesIO(path.read_bytes())):
        (game,) = read_pgn(source)
        assert game.tags == {"White": "Müller", "Black": "José"}
        assert moves_of(game) == "1. e4 {schön} *"


def test_line_ends_of_all_kinds_in_one_file_are_counted_as_python_counts_them() -> None:
    source = random.Random(4)
    for _ in range(300):
        parts = source.choices(('[White "A"]', "", "1. e4 e5", "2. Nf3 ; c", "{d", "e}", "Zz", "*"), k=12)
        text = "".join(part + source.choice(("\n", "\r\n", "\r", "\r\r\n", "\n\r")) for part in parts)
        universal = io.TextIOWrapper(io.BytesIO(text.encode()))
        expected = [(moves_of(game), game.tags, game.errors) for game in read_pgn(universal)]
        found = [(moves_of(game), game.tags, game.errors) for game in read_pgn(io.BytesIO(text.encode()))]
        assert found == expected


@pytest.mark.parametrize("end", [b"\r", b"\r\n"])
@pytest.mark.parametrize("shift", [-2, -1, 0, 1, 2])
def test_a_line_end_at_the_end_of_a_piece_is_one_line_end(end: bytes, shift: int) -> None:
    filler = b"%" + b"x" * (MAX_PIECE + shift - 1)
    (game,) = read_pgn(io.BytesIO(filler + end + b'[Black "y z"]' + end + end + b"1. e4 e5 Zz *" + end))
    assert game.tags == {"Black": "y z"}
    assert moves_of(game) == "1. e4 e5 *"
    assert [(error.line, error.column) for error in game.errors] == [(4, 10)]


def test_a_large_file_with_bare_returns_is_read_as_one_with_newlines() -> None:
    text = random_pgn(random.Random(6), 40, plies=60, rich=True) * 8
    assert len(text) > 2 * MAX_PIECE
    games = [moves_of(game) for game in read(text)]
    for end in (b"\r", b"\r\n"):
        found = list(read_pgn(io.BytesIO(text.encode().replace(b"\n", end))))
        assert [moves_of(game) for game in found] == games
        assert not [game for game in found if game.errors]


def test_files_that_were_appended_with_their_byte_order_marks() -> None:
    mark = b"\xef\xbb\xbf"
    raw = mark + b'[White "A"]\n\n1. e4 *\n\n' + mark + b'[White "M\xfcller"]\r\r1. d4 *\r' + mark + b"1. c4 *\x1a"
    games = list(read_pgn(io.BytesIO(raw)))
    assert [game.tags.get("White") for game in games] == ["A", "M\xfcller", None]
    assert [moves_of(game) for game in games] == ["1. e4 *", "1. d4 *", "1. c4 *"]
    assert not [game for game in games if game.errors]


def test_python_chess_reads_the_same_moves_in_odd_files() -> None:
    text = '\ufeff[White\xa0"A"]\r\r1.\xa0e4 $300 e5\u20032. Nf3 $9999 (2.\xa0f4 $256) Nc6\r*\r'
    (ours,) = read_pgn(io.BytesIO(text.encode()))
    (theirs,) = oracle.read_pgn(io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8-sig"))
    assert render_fen(ours.end()) == oracle.end_of(theirs)
    assert oracle.count_moves(theirs) == 5
    assert moves_of(ours) == "1. e4 $300 e5 2. Nf3 $9999 (2. f4 $256) 2... Nc6 *"
    assert ours.errors == []


def test_a_text_file_with_a_byte_order_mark_and_one_with_stray_halves_of_characters() -> None:
    (game,) = read('\ufeff[White "A\udc80"]\n\n1. e4 *')
    assert moves_of(game) == "1. e4 *"
    assert game.tags["White"].startswith("A")


def test_a_file_that_does_not_exist_raises_oserror(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        next(read_pgn(tmp_path / "none.pgn"))


def test_a_file_in_one_line_is_read() -> None:
    knights = " ".join(f"{2 * n + 1}. Nf3 Nf6 {2 * n + 2}. Ng1 Ng8" for n in range(10_000))
    text = f"{knights} {{{'long comment ' * 20_000}}} 20001. e4 ; {'rest ' * 30_000}\n20001... e5 1-0"
    assert len(knights) > 3 * MAX_PIECE
    (game,) = read(text)
    assert game.errors == []
    assert len(game.moves()) == 40_002
    assert game.result == "1-0"


def test_a_word_without_end_is_an_error_with_its_column() -> None:
    word = "x" * (3 * MAX_PIECE)
    (game,) = read(f"1. e4 {word} e5 *")
    assert (game.errors[0].line, game.errors[0].column) == (1, 7)
    assert len(game.errors) == 1
    assert moves_of(game) == "1. e4 *"


class Endless(io.RawIOBase):
    """A file that repeats a text without ever holding it all."""

    def __init__(self, text: bytes, times: int) -> None:
        self.lines = text.splitlines(keepends=True)
        self.total = times * len(self.lines)
        self.given = 0

    def readline(self, size: int | None = -1) -> bytes:
        if self.given == self.total:
            return b""
        self.given += 1
        return self.lines[(self.given - 1) % len(self.lines)]


def peak_of(times: int) -> int:
    text = random_pgn(random.Random(3), 10, plies=40, rich=True).encode()
    tracemalloc.start()
    count = sum(1 for _ in read_pgn(cast(IO[bytes], Endless(text, times))))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 10 * times
    return peak


@pytest.mark.exhaustive  # tracing takes memory of its own
def test_memory_does_not_grow_with_the_file() -> None:
    few, many = peak_of(3), peak_of(60)
    assert many - few < 200_000  # the 570 games more would take several megabytes


# What is broken.


def test_an_illegal_move_is_reported_with_its_place_and_the_next_game_is_read() -> None:
    games = read('[Event "a"]\n\n1. e4 e5\n2. Ke3 (2. d4) {c} $1 d5 ( 1-0 ) 0-1\n\n[Event "b"]\n\n1. d4 *')
    assert [moves_of(game) for game in games] == ["1. e4 e5 0-1", "1. d4 *"]
    assert games[0].errors == [PgnError(4, 4, "'Ke3' is not a legal move here")]
    assert str(games[0].errors[0]) == "line 4, column 4: 'Ke3' is not a legal move here"
    assert games[1].errors == []


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("1. e4 blah *", (1, 7)),
        ("1. e4 & e5 *", (1, 7)),
        ("1. e4 & e5 & ( & ) ) *", (1, 7)),
        ("1. e4\n  ) e5 *", (2, 3)),
        ("( 1. e4 ) *", (1, 1)),
        ("1. e4 ((1. d4)) *", (1, 8)),
        ("1. e4 -- *", (1, 7)),
        ("1. e4 $1234567890 e5 *", (1, 7)),
        ("1. e4 $ e5 *", (1, 7)),
        ("1. e4 (1. d4 (1. c4)", (1, 7)),
        ("1. e4 {never closed", (1, 7)),
        ('[Event "a"\n\n1. e4 *', (1, 1)),
        ('[Event "a"] rest\n\n1. e4 *', (1, 13)),
        ('[White "a"]\n[FEN "nonsense"]\n\n1. e4 *', (2, 1)),
        ('[White "a"]\n[FEN "nonsense"]\n', (2, 1)),
        ('[Variant "Atomic"]\n[White "a"]\n\n1. e4 (1. d4) {x} ! ) *', (1, 1)),
    ],
)
def test_what_is_wrong_is_reported_with_line_and_column(text: str, place: tuple[int, int]) -> None:
    assert the_errors(text) == [place]


def test_a_broken_tag_loses_no_moves() -> None:
    (game,) = read('[Event "a"\n[White "b"]\n\n1. e4 *')
    assert game.tags == {"White": "b"}
    assert moves_of(game) == "1. e4 *"


def test_a_bracket_between_moves_is_an_error_and_no_new_game() -> None:
    games = read("1. e4\n[oops\ne5 *")
    assert [(moves_of(game), len(game.errors)) for game in games] == [("1. e4 e5 *", 1)]


def test_an_error_in_a_variation_ends_only_that_variation() -> None:
    (game,) = read("1. e4 e5 (1... c5 2. Zz9 (2. f4) d6) (1... -- 2. d4) 2. Nf3 1-0")
    assert moves_of(game) == "1. e4 e5 (1... c5) 2. Nf3 1-0"
    assert [error.column for error in game.errors] == [22, 44]


def test_a_comment_that_is_never_closed_does_not_swallow_the_next_game() -> None:
    games = read('1. e4 {oops\n[Event "still the comment"]\n\n[Event "b"]\n\n1. d4 *')
    assert [moves_of(game) for game in games] == ["1. e4 *", "1. d4 *"]
    assert [str(error) for error in games[0].errors] == ["line 1, column 7: the comment is not closed"]


def test_a_broken_comment_in_a_broken_game_is_skipped_too() -> None:
    games = read("1. e5 {comment\nof two lines} e5 1-0 1. d4 *")
    assert [(moves_of(game), len(game.errors)) for game in games] == [("1-0", 1), ("1. d4 *", 0)]


@pytest.mark.parametrize("repeated", ["{ab} ", "$1 ", "! ", "(1. d4) ", "(1. d4 ", "; x\n", "( ", "* "])
def test_very_much_of_anything_after_a_move_takes_time_in_proportion(repeated: str) -> None:
    def seconds(count: int) -> float:
        text = "1. e4 " + repeated * count
        gc.disable()  # a collection takes longer the more other tests have left behind
        start = time.process_time()
        for _ in read_pgn(io.StringIO(text)):
            pass
        taken = time.process_time() - start
        gc.enable()
        return taken

    # Ten times as much may take twenty times as long on a busy machine, but not a hundred.
    assert seconds(30_000) < 30 * max(seconds(3_000), 0.01)
