"""Properties of everything that reads from outside, tried with input made up by hypothesis and with the fuzz corpus.

Derandomized: every run tries the same inputs. The long search for new ones is tests/tools/fuzz.py.
"""

import contextlib
import random
import string
from collections.abc import Iterator

import fuzzing
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from oracle import chess

from nowchess_uci.rules.fen import FenError, parse_fen, render_fen
from nowchess_uci.rules.movegen import legal_moves
from nowchess_uci.rules.notation import MoveTextError, parse_move
from nowchess_uci.rules.position import Position
from nowchess_uci.uci.options import OPTIONS, OptionError, Spin, find, parse_value
from nowchess_uci.uci.parse import (
    GO_NUMBERS,
    CommandError,
    parse_go,
    parse_line,
    parse_number,
    parse_position,
    parse_set_option,
)

few = settings(max_examples=150, deadline=None, derandomize=True, database=None)
slow = settings(few, max_examples=40, suppress_health_check=[HealthCheck.too_slow])

any_bytes = st.binary(max_size=200)
any_text = st.text(max_size=80)


def words_of(name: str) -> st.SearchStrategy[bytes]:
    """Words of a format in any order, with the wrong separators between them now and then."""
    separators = st.sampled_from([b" ", b" ", b" ", b"\n", b"", b"\t", b"\r\n", b"\0"])
    pair = st.tuples(st.sampled_from(fuzzing.WORDS[name]) | st.binary(max_size=4), separators)
    return st.lists(pair, max_size=30).map(lambda pairs: b"".join(word + gap for word, gap in pairs))


# The corpus: what the fuzzer found once must never fail again.


@pytest.mark.parametrize("data", fuzzing.read_corpus("position"), ids=lambda data: ascii(data[:30]))
def test_the_corpus_of_positions(data: bytes) -> None:
    fuzzing.check_position(data)


@pytest.mark.parametrize("data", fuzzing.read_corpus("pgn"), ids=lambda data: ascii(data[:30]))
def test_the_corpus_of_pgn(data: bytes) -> None:
    fuzzing.check_pgn(data)


@pytest.mark.parametrize("data", fuzzing.read_corpus("training"), ids=lambda data: ascii(data[:8]))
def test_the_corpus_of_training_data(data: bytes) -> None:
    fuzzing.check_training(data)


@pytest.mark.parametrize("data", fuzzing.read_corpus("network"), ids=lambda data: ascii(data[:30]))
def test_the_corpus_of_networks(data: bytes) -> None:
    fuzzing.check_network(data)


def test_damaged_networks_are_used_or_refused() -> None:
    source = random.Random(1)
    corpus = fuzzing.read_corpus("network")
    for _ in range(1000):
        fuzzing.check_network(fuzzing.mutate(source.choice(corpus), source, "network", corpus))


@pytest.fixture(scope="module")
def uci_target() -> Iterator[fuzzing.UciTarget]:
    target = fuzzing.UciTarget()
    yield target
    target.close()


@pytest.mark.parametrize("data", fuzzing.read_corpus("uci"), ids=lambda data: ascii(data[:30]))
def test_the_corpus_of_uci_lines(data: bytes, uci_target: fuzzing.UciTarget) -> None:
    uci_target(data)


# UCI lines.


@slow
@given(data=any_bytes | words_of("uci"))
def test_any_lines_are_obeyed_or_ignored(data: bytes, uci_target: fuzzing.UciTarget) -> None:
    uci_target(data)


@few
@given(line=any_text)
def test_any_line_is_parsed(line: str) -> None:
    command = parse_line(line)
    assert not set(" \t") & set(command.word)
    for parse in (parse_position, parse_set_option):
        with contextlib.suppress(CommandError):
            parse(command.rest)
    assert all(isinstance(text, str) for text in parse_go(command.rest).limits.search_moves)


@few
@given(
    numbers=st.dictionaries(st.sampled_from(list(GO_NUMBERS)), st.integers(-(10**30), 10**30)), infinite=st.booleans()
)
def test_go_numbers_are_read_whatever_their_order_and_size(numbers: dict[str, int], infinite: bool) -> None:
    text = " ".join([*(f"{name} {value}" for name, value in numbers.items()), *(["infinite"] if infinite else [])])
    go = parse_go(text)
    assert go.limits.infinite == infinite
    for name, value in numbers.items():
        kept = value if abs(value) < 10**18 else (1 << 62) * (1 if value > 0 else -1)
        read = go.perft if name == "perft" else getattr(go.limits, GO_NUMBERS[name])
        if name in ("depth", "nodes", "mate"):
            assert read == max(kept, 1)
        elif name == "movestogo":
            assert read == (kept if kept > 0 else None)
        else:
            assert read == kept


@few
@given(text=st.text(alphabet="+-0123456789٣²x ", min_size=1, max_size=30))
def test_a_number_is_one_or_is_not(text: str) -> None:
    number = parse_number(text)
    assert number is None or (text.isascii() and abs(number) <= 1 << 62)


# Options.


@few
@given(name=st.sampled_from([option.name for option in OPTIONS]), text=any_text | st.integers().map(str))
def test_an_option_takes_a_value_in_its_range_or_refuses_it(name: str, text: str) -> None:
    option = find(name.upper())
    try:
        value = parse_value(option, text)
    except OptionError:
        return
    if isinstance(option, Spin):
        assert isinstance(value, int)
        assert option.range.holds(value)


# FEN and EPD.


@few
@given(data=any_bytes | words_of("position"))
def test_any_bytes_are_a_position_or_are_refused(data: bytes) -> None:
    fuzzing.check_position(data)


@st.composite
def placements(draw: st.DrawFn) -> str:
    """Boards with one king each and anything else."""
    squares = draw(st.permutations(range(64)))
    board = chess.Board(None)
    board.set_piece_at(squares[0], chess.Piece.from_symbol("K"))
    board.set_piece_at(squares[1], chess.Piece.from_symbol("k"))
    for square, letter in zip(squares[2:], draw(st.text(alphabet="QRBNPqrbnp", max_size=30)), strict=False):
        board.set_piece_at(square, chess.Piece.from_symbol(letter))
    board.turn = draw(st.booleans())
    return board.board_fen() + (" w" if board.turn else " b")


@few
@given(placement=placements(), clock=st.integers(0, 150), number=st.integers(1, 900))
def test_positions_and_their_moves_are_those_of_the_oracle(placement: str, clock: int, number: int) -> None:
    text = f"{placement} - - {clock} {number}"
    board = chess.Board(text)
    # The oracle minds a few more things, such as checks that no move can have given.
    wrong = ~(chess.STATUS_IMPOSSIBLE_CHECK | chess.STATUS_TOO_MANY_CHECKERS)
    try:
        position = parse_fen(text)
    except FenError:
        assert board.status() & wrong
        return
    assert not board.status() & wrong
    assert render_fen(position) == text
    assert len(legal_moves(position)) == board.legal_moves.count()


@few
@given(placement=placements(), operations=st.text(alphabet=string.printable, max_size=30))
def test_an_epd_is_a_fen_of_four_fields_and_nothing_more(placement: str, operations: str) -> None:
    """EPD has operations where FEN has its counters: what is no counter is refused, never misread."""
    text = f"{placement} - - {operations}"
    try:
        position = parse_fen(text)
    except FenError:
        return
    extra = operations.split()
    assert len(extra) <= 2
    assert all(word.isdecimal() for word in extra)
    assert render_fen(position).split()[0] == placement.split()[0]


# Moves.


@few
@given(text=any_text | st.text(alphabet="KQRBNPabcdefgh12345678xX=+#-O0!? .:", max_size=12))
def test_any_text_is_a_legal_move_or_is_refused(text: str) -> None:
    position = Position()
    try:
        move = parse_move(position, text)
    except MoveTextError:
        return
    assert move in legal_moves(position)


# PGN.


@few
@given(data=any_bytes | words_of("pgn"))
def test_any_bytes_are_games_with_errors_or_without(data: bytes) -> None:
    fuzzing.check_pgn(data)
