"""PGN files in and out: games with comments, marks and variations, read one by one and written as text."""

from nowchess_uci.pgn.read import read_pgn, visit_games
from nowchess_uci.pgn.tree import PgnError, PgnGame, PgnLine, PgnMove
from nowchess_uci.pgn.walk import Visitor, walk_game
from nowchess_uci.pgn.write import render_game, render_pgn, write_pgn

__all__ = [
    "PgnError",
    "PgnGame",
    "PgnLine",
    "PgnMove",
    "Visitor",
    "read_pgn",
    "render_game",
    "render_pgn",
    "visit_games",
    "walk_game",
    "write_pgn",
]
