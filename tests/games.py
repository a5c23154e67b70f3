"""Games for the tests, made with our own rules and writer; whether they are right is the oracle's to say.

`played` plays given moves; `random_games` and `random_pgn` make games and files of them.
"""

import random
from collections.abc import Iterator

from nowchess_uci.game.game import Game
from nowchess_uci.pgn.tree import PgnGame, PgnLine, PgnMove
from nowchess_uci.pgn.write import render_pgn
from nowchess_uci.rules import draws, fen, movegen
from nowchess_uci.rules.position import Position

STARTS = (
    fen.START_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "4k3/1P4P1/8/3pP3/8/8/1p4p1/4K3 b - - 12 40",
    "8/2k5/3p4/p2P1p2/P2P1P2/8/8/4K3 b - - 3 57",
)
WORDS = ("best", "loses a pawn", "[%clk 0:01:12]", "häßlich", "was a ( bracket", "semi; colon", "50 % sure", "♞ jumps")


def played(*moves: str, fen: str = fen.START_FEN, chess960: bool = False) -> Game:
    """The game after these moves."""
    game = Game.from_fen(fen, chess960=chess960)
    for text in moves:
        game = game.after(text)
    return game


def random_line(source: random.Random, position: Position, plies: int, rich: bool, depth: int = 0) -> PgnLine:
    """Legal moves from a position, which stands where it stood afterwards."""
    line = PgnLine(source.choice(WORDS) if rich and source.random() < 0.2 else "")
    for _ in range(plies):
        if draws.status(position).is_over:
            break
        node = PgnMove(source.choice(movegen.legal_moves(position)))
        if rich and source.random() < 0.1:
            node.comment = source.choice(WORDS)
            node.nags = (source.randrange(1, 140),)
        if rich and depth < 4 and source.random() < 0.06:
            node.variations += (random_line(source, position, source.randrange(1, 12), rich, depth + 1),)
        movegen.play(position, node.move)
        line.moves.append(node)
    for _ in line.moves:
        movegen.undo(position)
    return line


def random_games(source: random.Random, count: int, *, plies: int = 80, rich: bool = False) -> Iterator[PgnGame]:
    """Games with tags; rich ones with comments, marks and variations, and from all kinds of positions."""
    for number in range(count):
        tags = {"Event": "random games", "Round": str(number + 1), "White": "Müller, A.", "Black": 'O"Hara \\ Son'}
        if rich and source.random() < 0.5:
            tags["FEN"] = source.choice(STARTS[1:])
        game = PgnGame(tags)
        game.line = random_line(source, game.start(), source.randrange(plies + 1) if rich else plies, rich)
        game.result = source.choice(("1-0", "0-1", "1/2-1/2", "*"))
        yield game


def random_pgn(source: random.Random, count: int, *, plies: int = 80, rich: bool = False) -> str:
    """The text of a PGN file."""
    return "".join(render_pgn(game) for game in random_games(source, count, plies=plies, rich=rich))
