"""A lone king is mated before the 50-move rule, by playing the game out against the engine's own defence.

The last one was drawn as long as the search believed mates of its table that came too late for the clock.
"""

import chess
import pytest

from nowchess_uci.rules.fen import parse_fen
from nowchess_uci.rules.move import render_move
from nowchess_uci.rules.movegen import play
from nowchess_uci.search.limits import Limits
from nowchess_uci.search.pool import Pool


@pytest.mark.parametrize(
    ("fen", "nodes"),
    [
        ("8/8/8/3k4/8/8/8/KQ6 w - - 0 1", 30_000),
        ("8/8/8/3k4/8/8/8/KR6 w - - 0 1", 30_000),
        ("8/8/8/3k4/8/8/8/KBB5 w - - 0 1", 30_000),
        ("8/8/8/3k4/8/8/8/KBN5 w - - 0 1", 30_000),
        ("8/4k3/8/2N5/5K2/8/8/2B5 w - - 0 1", 300_000),
    ],
)
def test_a_lone_king_is_mated(fen: str, nodes: int) -> None:
    board = chess.Board(fen)
    position = parse_fen(fen)
    pools = (Pool(16, 1), Pool(16, 1))
    while not board.is_game_over() and board.halfmove_clock < 100:
        pool = pools[board.ply() % 2]
        pool.prepare(Limits(nodes=nodes))
        move = pool.think(position, lambda report: None).move
        board.push_uci(render_move(move))
        play(position, move)
    assert board.is_checkmate()
