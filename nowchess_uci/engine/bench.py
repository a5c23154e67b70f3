"""A fixed search over fixed positions: its node count is the engine's signature, its speed a first measurement."""

import time
from collections.abc import Callable

from nowchess_uci.engine.job import Interrupted
from nowchess_uci.engine.settings import Range
from nowchess_uci.evaluation.network import Network
from nowchess_uci.rules.fen import parse_fen
from nowchess_uci.search.limits import Limits
from nowchess_uci.search.pool import Pool
from nowchess_uci.search.task import Task
from nowchess_uci.search.thinking import Thinking

DEFAULT_DEPTH = 11
DEFAULT_HASH_MIB = 16
DEPTHS = Range(1, 100)
# From the engine's own games, opening to ending.
POSITIONS = (
    "r1bqkbnr/pp1p1p1p/n3p3/2p2Pp1/8/2N3P1/PPPPP2P/R1BQKBNR w KQkq - 0 5",
    "r2q1b1r/5kp1/1pP1bp2/pN1n4/2pP3p/P4B1P/Q4PPR/R1B2K2 w - - 2 21",
    "2r2b2/4qk1p/p2r1p2/3p2p1/3Nb3/1Q6/PP2BPPP/R1B2RK1 w - - 3 21",
    "4r1k1/3p3p/2n3p1/5p2/2R5/1rBPPP2/5KPP/4R3 b - - 1 28",
    "1r1q3k/pbpp2pp/n1n5/3QP3/1PB1P3/P7/6PP/RNB2K2 w - - 1 16",
    "rnb1k1nr/1pppbppp/p3pq2/P7/8/2P3P1/1P1PPP1P/RNBQKBNR w KQkq - 1 5",
    "r4rk1/1pp1bppp/p1n5/4P3/5P1q/2P4N/PPK1Q2P/R1B2B1R w - - 1 16",
    "r3k1nr/1ppqp2p/p1n1bp1b/3p4/P2P1PP1/1P2P3/2P5/RNBQKBNR w Qkq - 1 11",
    "r2qk3/1pp2pbr/p1b3pp/Q2pP3/4N2P/PP3P2/1BP2PP1/2KR3R w q - 0 16",
    "rn1qkb1r/pbp1pppp/3p1n2/1p6/2P1P2P/3P4/PP3PP1/RNBQKBNR w KQkq - 1 5",
    "2rq1bkr/p5p1/1pb2p1p/n2p4/5P2/P1P1BQP1/1P1N2BP/R3R1K1 w - - 2 21",
    "1r2k2r/1b2pp2/1P2n3/p1P3pP/P5P1/7R/1NP5/R3Kn2 b Qk - 0 28",
    "3rk2r/p3n3/2n4b/1q2p1Np/1Pp1P1bP/2P5/1BQN2P1/R3KB1R w KQk - 5 21",
    "r2qkb1r/1p1bpp2/p1np1n1p/2p5/P3PN2/2NP2P1/1PPBBP1P/R2QK2R w KQkq - 4 11",
    "rn1qk2r/1pp2p1p/4p3/p2p1n2/3P4/P1PQ3P/1P1NP2P/R3KB1R w KQkq - 2 11",
    "r1bqk2r/1p1n1pp1/2p1pn1p/p1bp4/5B1P/PPNPPN2/2P2PP1/R2QKB1R w KQkq - 1 11",
    "rnbqk2r/1p3ppp/3bpn2/pP6/3PN3/P6P/5PP1/R1BQKBNR w KQkq - 1 11",
    "r3k3/ppp1q1p1/3p1p2/5bp1/7r/n1P1BN2/PP1K1P1P/R2Q1B2 w q - 0 21",
    "r1bqkb1r/ppppppp1/2n4p/8/P5n1/5P1P/1PPPP1P1/RNBQKBNR w KQkq - 1 5",
    "r1b2k2/p6p/1pn3n1/2p5/2P1p2b/P1N1P2B/1P1NK2P/R1B5 w - - 0 21",
    "r4r1k/3b3p/2p1pn2/p2pQ1P1/Pq1P3p/1P1B1P2/4N3/3RR2K b - - 0 28",
    "r1bqkb1r/2p2ppp/p1n2n2/3pp3/Pp2P3/1P1P1P2/2P1N1PP/R1BQKBNR w KQkq - 0 8",
    "2b1kb1r/rp3pp1/pqnppn1p/2p5/2P5/1PNBPPPN/PB1P3P/R2Q1RK1 w k - 0 11",
    "1nb2k1r/4n1pp/rp1p4/3P1pq1/2PN2P1/1QNBP2P/P2K4/R6R w - - 1 21",
    "2r1r3/3qb1k1/1p2bpp1/pNp1p2p/PnPpP2P/1P1P1NP1/3BQP1K/2R1R3 w - - 45 46",
    "r1bqk1nr/4ppbp/1n4p1/pP6/Q7/5N2/1P2PPPP/RNB1KB1R w KQkq - 3 11",
    "rn2kbn1/p2p4/q1p2p2/2P5/N3P2r/7p/PB1p1PB1/1R1Q2KR w q - 0 21",
    "rnbqkb1r/ppppp3/8/6Np/3PN1n1/8/PPP1BPPP/R1BQK2R w KQ - 2 11",
    "2rq1r2/5pk1/1p3b1p/p7/P1ppP2P/3P1QP1/1P3PK1/R6R w - - 0 21",
    "rnbqkbnr/pp2p2p/2pp2p1/5p2/2P5/NP3P2/P2PP1PP/R1BQKBNR w KQkq - 0 5",
    "5R2/1P6/5n2/5k2/7p/4p1b1/8/3K4 w - - 6 56",
    "r1b2rk1/pp3p1p/q4np1/3p4/2pNp3/P1B1P2P/1PP2PP1/R2QKB1R w KQ - 0 16",
    "2bqkbnr/r1ppp1p1/ppn5/7p/4P3/PPN1B3/2P2PPP/R2QKBNR w KQk - 0 8",
    "2nk4/7p/1r1p4/p3p3/P3N1P1/1PP1PP2/5K2/1R6 w - - 3 36",
    "2q1kb1r/r2pp1pp/np3p1n/2p5/6P1/7P/PPPPPPB1/R1BQK1NR w KQk - 0 8",
    "r6B/p1pnk2p/1n4p1/1P6/N7/1P6/2PPNK1P/R6b w - - 3 21",
    "r1bqk1nb/pp3p2/2np4/1Bp1p3/4P1p1/PPNP1N2/2P2PP1/R1BQK3 w Qq - 0 11",
    "8/q3r3/2k1p1R1/2npP2P/8/4QP2/8/2R3K1 w - - 3 56",
    "2r4k/3pn3/3p3p/1q1Pp2P/pN4r1/P1P2P2/1PQ5/1K4R1 w - - 0 46",
    "rnb1k2r/1p1pq3/4p3/p1p5/6QP/P1NP3R/1PP5/2RK2N1 w kq - 0 16",
    "r1bqkb1r/pppp1pp1/n3p2p/3nP3/1P6/N1P5/P2P1PPP/R1BQKBNR w - - 3 8",
    "rr6/3k4/nPppbp1b/P3pnpp/8/B3P1P1/5PBP/RN2K1NR w KQ - 3 21",
    "rnbqkb1r/1pp2ppp/8/p4nP1/N3pP2/8/PPP1P2P/R1BQKBNR w KQkq - 0 8",
    "6k1/5pp1/3r1bPp/8/4p2P/4P3/2Q1KP2/8 w - - 0 46",
)


class Bench:
    """A run over all positions, each with an empty memory; `stop` may come from another thread."""

    def __init__(
        self,
        depth: int = DEFAULT_DEPTH,
        threads: int = 1,
        hash_mib: int = DEFAULT_HASH_MIB,
        network: Network | None = None,
    ) -> None:
        self.depth = depth
        self.pool = Pool(hash_mib, threads, network)
        self._thinking: Thinking | None = None
        self.is_stopped = False

    def run(self, report: Callable[[int, int], None] = lambda done, total: None) -> tuple[int, float]:
        """Nodes and seconds; raises Interrupted if it was stopped. `report(done, total)` comes after each position."""
        nodes = 0
        seconds = 0.0
        for done, fen in enumerate(POSITIONS, 1):
            self.pool.forget()
            self._thinking = Thinking(self.pool, parse_fen(fen), Task(Limits(depth=self.depth)))
            if self.is_stopped:
                raise Interrupted
            start = time.perf_counter()
            self._thinking.run()
            seconds += time.perf_counter() - start
            nodes += self.pool.nodes()
            if self.is_stopped:
                raise Interrupted
            report(done, len(POSITIONS))
        return nodes, seconds

    def stop(self) -> None:
        """End it as soon as possible."""
        self.is_stopped = True
        if self._thinking is not None:
            self._thinking.stop()


def signature(network: Network | None = None) -> int:
    """The node count of the bench as it is meant: another one is another engine."""
    return Bench(network=network).run()[0]


def render_bench(nodes: int, seconds: float, network: str) -> str:
    """The network's name, and the last line of a bench as OpenBench reads it."""
    return f"Network {network}\n{nodes} nodes {round(nodes / max(seconds, 1e-9))} nps"
