"""NowChess UCI: a chess engine whose source is Python and whose speed is C's.

For scripts: `Board` knows the rules; see the README for examples.
"""

from nowchess_uci.rules.board import Board
from nowchess_uci.rules.draws import Status
from nowchess_uci.rules.fen import START_FEN, FenError
from nowchess_uci.rules.notation import MoveTextError
from nowchess_uci.version import VERSION

__version__ = VERSION
__all__ = ["START_FEN", "Board", "FenError", "MoveTextError", "Status", "__version__"]
