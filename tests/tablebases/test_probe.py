"""What the prober says of positions, compared with python-chess's prober on the same files."""

import random
import threading
from pathlib import Path

import pytest
from oracle import Prober, chess, en_passant_square, random_ending
from shared.syzygy_files import POSITIONS

from nowchess_uci.rules.epd import parse_epd
from nowchess_uci.rules.fen import parse_fen, render_fen
from nowchess_uci.rules.position import Position
from nowchess_uci.tablebases.probe import dtz_of, table_value, wdl_of
from nowchess_uci.tablebases.tables import Tables

Values = tuple[int | None, int | None]


@pytest.fixture(scope="module")
def tables(tables_folder: Path) -> Tables:
    return Tables([str(tables_folder)])


@pytest.fixture(scope="module")
def referee(tables_folder: Path) -> Prober:
    return Prober(tables_folder)


def values(tables: Tables, fen: str) -> Values:
    position = parse_fen(fen)
    return wdl_of(tables, position), dtz_of(tables, position)


def compare(tables: Tables, referee: Prober, board: chess.Board) -> None:
    fen = board.fen(en_passant="fen")
    assert values(tables, fen) == (referee.wdl(board), referee.dtz(board)), fen


def test_all_tables_of_three_and_four_men_are_found(tables: Tables) -> None:
    assert (tables.wdl_count, tables.dtz_count, tables.largest) == (35, 35, 4)
    assert tables.problems == []


def test_every_position_of_the_oracle(tables: Tables) -> None:
    lines = POSITIONS.read_text().splitlines()
    assert len(lines) == 200
    for line in lines:
        position, operations = parse_epd(line)
        wanted = tuple(int(operations[name][0]) for name in ("wdl_table", "wdl", "dtz"))
        assert (table_value(tables, position), wdl_of(tables, position), dtz_of(tables, position)) == wanted, line


def test_random_positions_of_all_tables(tables: Tables, referee: Prober) -> None:
    source = random.Random(1)
    for _ in range(80):
        for name in referee.names:
            compare(tables, referee, random_ending(source, name))


@pytest.mark.long
def test_a_hundred_thousand_random_positions(tables: Tables, referee: Prober) -> None:
    source = random.Random(2)
    for _ in range(100_000 // len(referee.names) + 1):
        for name in referee.names:
            compare(tables, referee, random_ending(source, name))


def test_files_read_piece_by_piece_say_the_same(tables: Tables, tables_folder: Path, referee: Prober) -> None:
    in_pieces = Tables([str(tables_folder)], whole_bytes=0)
    source = random.Random(3)
    for _ in range(20):
        for name in referee.names:
            fen = random_ending(source, name).fen(en_passant="fen")
            assert values(in_pieces, fen) == values(tables, fen), fen
    assert in_pieces.problems == []


@pytest.mark.parametrize(
    ("fen", "wdl", "dtz"),
    [
        ("8/8/8/k2Pp3/8/8/8/4K3 w - e6 0 1", 2, 1),  # the table, which knows no en passant, says a draw
        ("8/8/8/8/2pP4/2K5/4k3/8 b - d3 0 1", 2, 1),
        ("8/8/8/8/2pP4/2K5/4k3/8 b - - 0 1", -2, None),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", 0, 0),
        ("8/8/8/8/8/5k2/7q/7K w - - 0 1", 0, 0),  # the queen can be taken
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", -2, -1),  # mate
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0, 0),  # stalemate
    ],
)
def test_what_tables_alone_do_not_know(tables: Tables, fen: str, wdl: int, dtz: int | None) -> None:
    found = values(tables, fen)
    assert found[0] == wdl
    assert dtz is None or found[1] == dtz


def test_en_passant_in_every_position_of_two_pawns(tables: Tables, referee: Prober) -> None:
    source = random.Random(4)
    compared = 0
    while compared < 400:
        board = chess.Board(None)
        file, step = source.randrange(8), source.choice((-1, 1))
        if not 0 <= file + step < 8:
            continue
        board.turn = source.random() < 0.5
        rank = 4 if board.turn == chess.WHITE else 3
        board.set_piece_at(chess.square(file, rank), chess.Piece(chess.PAWN, board.turn))
        board.set_piece_at(chess.square(file + step, rank), chess.Piece(chess.PAWN, not board.turn))
        for color in chess.COLORS:
            board.set_piece_at(
                source.choice([s for s in chess.SQUARES if not board.piece_at(s)]), chess.Piece(6, color)
            )
        board.ep_square = en_passant_square(board)
        if board.ep_square is not None and board.is_valid():
            compare(tables, referee, board)
            compared += 1


@pytest.mark.parametrize(
    ("fen", "chess960"),
    [
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", False),
        ("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", True),
        ("1rk5/8/8/8/8/8/8/5K2 w b - 0 1", True),
    ],
)
def test_positions_with_castling_rights_are_not_known(tables: Tables, fen: str, chess960: bool) -> None:
    position = parse_fen(fen, chess960)
    assert wdl_of(tables, position) is None
    assert dtz_of(tables, position) is None
    without = " ".join([fen.split()[0], fen.split()[1], "- - 0 1"])
    assert values(tables, without)[0] is not None


def test_more_men_than_there_are_tables_for_are_not_known(tables: Tables) -> None:
    assert values(tables, "4k3/8/8/8/8/8/8/QRBNK3 w - - 0 1") == (None, None)
    assert values(tables, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1") == (None, None)


def test_a_missing_table_makes_unknown_what_needs_it(tables_folder: Path, tmp_path: Path) -> None:
    for name in ("KQvKR.rtbw", "KQvKR.rtbz", "KQvK.rtbw", "KQvK.rtbz"):
        (tmp_path / name).write_bytes((tables_folder / name).read_bytes())
    few = Tables([str(tmp_path)])
    assert values(few, "8/8/8/8/8/2k5/1r1Q4/K7 b - - 0 1") == (None, None)  # taking the queen leads to KRvK
    assert values(few, "7k/8/8/8/8/1r6/8/K2Q4 w - - 0 1") == (2, 1)  # taking the rook leads to KQvK
    (tmp_path / "KQvKR.rtbz").unlink()
    no_dtz = Tables([str(tmp_path)])
    assert values(no_dtz, "8/8/8/8/3k4/3r4/8/K5Q1 b - - 0 1")[0] == -2
    assert values(no_dtz, "8/8/8/8/3k4/3r4/8/K5Q1 b - - 0 1")[1] is None


def test_probing_leaves_the_position_as_it_was(tables: Tables) -> None:
    source = random.Random(5)
    for name in ("KPvKP", "KQvKR", "KRvKP"):
        position: Position = parse_fen(random_ending(source, name).fen(en_passant="fen"))
        before = (position.snapshot(), render_fen(position))
        wdl_of(tables, position)
        dtz_of(tables, position)
        assert (position.snapshot(), render_fen(position)) == before


def test_threads_that_open_and_probe_at_once_agree(tables_folder: Path, tables: Tables) -> None:
    source = random.Random(6)
    names = sorted({path.stem for path in tables_folder.iterdir()})
    fens = [random_ending(source, name).fen(en_passant="fen") for _ in range(30) for name in names]
    wanted = [values(tables, fen) for fen in fens]
    for whole_bytes in (0, 1 << 20):
        fresh = Tables([str(tables_folder)], whole_bytes=whole_bytes)
        found: list[list[Values]] = [[] for _ in range(8)]
        start = threading.Barrier(8)

        def probe(number: int, fresh: Tables = fresh, start: threading.Barrier = start) -> None:
            start.wait()
            found[number] = [values(fresh, fen) for fen in fens]  # noqa: B023

        threads = [threading.Thread(target=probe, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert all(values_of_one == wanted for values_of_one in found)
        assert fresh.problems == []
