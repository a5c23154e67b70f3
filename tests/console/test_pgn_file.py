"""A file that several sessions write to loses nothing."""

import threading
from pathlib import Path

from nowchess_uci.console.pgn_file import PgnFile
from nowchess_uci.game.game import Game
from nowchess_uci.pgn import read_pgn
from nowchess_uci.pgn.tree import PgnGame


def game(white: str, *moves: str) -> PgnGame:
    return PgnGame.of(Game.from_fen().after(*moves), {"White": white})


def players(path: Path) -> list[tuple[str, int]]:
    return [(found.tags["White"], len(found.moves())) for found in read_pgn(path)]


def test_what_another_session_added_meanwhile_stays(tmp_path: Path) -> None:
    path = tmp_path / "g.pgn"
    a, b = PgnFile(str(path)), PgnFile(str(path))
    a.save({0: game("A0", "e4")})
    b.save({0: game("B0", "d4")})
    a.save({0: game("A0", "e4", "e5")})
    assert players(path) == [("A0", 2), ("B0", 1)]
    a.save({1: game("A1", "c4")})
    b.save({0: game("B0", "d4", "d5")})
    assert sorted(players(path)) == [("A0", 2), ("A1", 1), ("B0", 2)]


def test_games_that_somebody_has_edited_are_his(tmp_path: Path) -> None:
    path = tmp_path / "g.pgn"
    file = PgnFile(str(path))
    file.save({0: game("A", "e4")})
    path.write_text(path.read_text().replace('"A"', '"Edited"'))
    file.save({0: game("A", "e4", "e5")})
    assert players(path) == [("Edited", 1), ("A", 2)]


def test_many_sessions_at_once(tmp_path: Path) -> None:
    path = tmp_path / "g.pgn"

    def session(number: int) -> None:
        file = PgnFile(str(path))
        for step in range(10):
            file.save({step: game(f"{number}-{step}", "e4")})

    threads = [threading.Thread(target=session, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(name for name, _ in players(path)) == sorted(f"{n}-{s}" for n in range(6) for s in range(10))


def test_a_file_without_a_last_line_end_is_continued(tmp_path: Path) -> None:
    path = tmp_path / "g.pgn"
    path.write_bytes(b'[White "Old"]\n\n1. e4 *')
    PgnFile(str(path)).save({0: game("New", "d4")})
    assert players(path) == [("Old", 1), ("New", 1)]
