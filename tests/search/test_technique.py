"""A lone king is mated before the 50-move rule, the engine itself defending; python-chess follows the game.

The last position was drawn as long as the search believed mates of its table that came too late for the clock.
"""

import pytest
from oracle import chess
from strength.lone_king import play_out, starts

from nowchess_uci import Limits


def assert_mated(fen: str, nodes: int) -> None:
    board = chess.Board(fen)
    moves, _ = play_out(fen, Limits(nodes=nodes))
    for move in moves:
        assert board.halfmove_clock < 100
        board.push_uci(move)
    assert board.is_checkmate()


@pytest.mark.parametrize("pieces", ["KQ", "KR", "KBB", "KBN"])
def test_a_lone_king_is_mated(pieces: str) -> None:
    source = starts(pieces, seed=1)
    for _ in range(3):
        assert_mated(next(source), 30_000)


def test_a_mate_that_comes_too_late_is_not_believed() -> None:
    assert_mated("8/4k3/8/2N5/5K2/8/8/2B5 w - - 0 1", 300_000)
