"""NowChess UCI: a chess engine whose source is Python and whose speed is C's.

For scripts: `Board` knows the rules, `Engine` searches, `Tablebases` looks endings up, `Game` is one game as played,
`read_pgn` and `write_pgn` are for files, `analyse_game` and `analyse_pgn` judge whole games. docs/python.md has
examples. Everything that is not in `__all__` may change from one version to the next.
"""

from nowchess_uci.engine.analysis import Analysis, Line
from nowchess_uci.engine.engine import Engine, EngineBusyError, EngineClosedError
from nowchess_uci.engine.tablebases import Tablebases
from nowchess_uci.rules.board import Board
from nowchess_uci.rules.draws import Status
from nowchess_uci.rules.fen import START_FEN, FenError
from nowchess_uci.rules.notation import MoveTextError
from nowchess_uci.search.limits import Limits
from nowchess_uci.search.score import Score
from nowchess_uci.version import VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from nowchess_uci.analysis.api import analyse_game, analyse_pgn
    from nowchess_uci.analysis.model import GameAnalysis
    from nowchess_uci.game.game import Game
    from nowchess_uci.pgn import read_pgn, write_pgn

__version__ = VERSION
__all__ = [
    "START_FEN",
    "Analysis",
    "Board",
    "Engine",
    "EngineBusyError",
    "EngineClosedError",
    "FenError",
    "Game",
    "GameAnalysis",
    "Limits",
    "Line",
    "MoveTextError",
    "Score",
    "Status",
    "Tablebases",
    "__version__",
    "analyse_game",
    "analyse_pgn",
    "read_pgn",
    "write_pgn",
]

# Imported when first asked for: a GUI waits for the engine to start, and needs none of it.
_LATER = {
    "Game": "nowchess_uci.game.game",
    "GameAnalysis": "nowchess_uci.analysis.model",
    "analyse_game": "nowchess_uci.analysis.api",
    "analyse_pgn": "nowchess_uci.analysis.api",
    "read_pgn": "nowchess_uci.pgn",
    "write_pgn": "nowchess_uci.pgn",
}


def __getattr__(name: str) -> object:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_LATER[name]), name)
