"""The positions that speed is measured in: the one every game starts from, and one where much can happen."""

from nowchess_uci.rules.fen import START_FEN

START = ("start position", START_FEN)
KIWIPETE = ("Kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
