"""The engine against itself: one game is one loop in C, without the GIL, and one player is one thread.

Game `i` is a pure function of engine, settings and seed: table and histories are empty at its start, and only nodes
limit its searches. An iteration that crosses the soft limit is finished, so that every score is exact; the hard limit
is for searches that explode, which keep the score of the last complete iteration.
"""
# mypy: disable-error-code="attr-defined"

from typing import NamedTuple

import cython
from cython.cimports.libc.stdlib import free, malloc
from cython.cimports.nowchess_uci.evaluation.network import Network
from cython.cimports.nowchess_uci.rules.bits import U64, high_half, next_random
from cython.cimports.nowchess_uci.rules.constants import MAX_MOVES
from cython.cimports.nowchess_uci.rules.move import Move
from cython.cimports.nowchess_uci.rules.movegen import ALL, generate
from cython.cimports.nowchess_uci.rules.position import Position
from cython.cimports.nowchess_uci.search.deepening import list_root_moves, run_iteration
from cython.cimports.nowchess_uci.search.ordering import is_tactical
from cython.cimports.nowchess_uci.search.scores import MAX_PLY
from cython.cimports.nowchess_uci.search.shared import load_double, load_u64, store_double, store_int, store_u64
from cython.cimports.nowchess_uci.search.table import Table
from cython.cimports.nowchess_uci.search.worker import Worker
from cython.cimports.nowchess_uci.training.records import (
    CUT_OFF,
    DEPTH_MASK,
    DRAWN,
    IN_CHECK,
    MAX_GAME_PLIES,
    MAX_OPENING_PLIES,
    TACTICAL_MOVE,
    TOO_LONG,
    GameHead,
    PlyRecord,
    end_by_rule,
    is_kept,
    judged_end,
    start_judge,
)
from cython.cimports.nowchess_uci.training.samples import Sample, pack_sample, relative_result
from cython.cimports.nowchess_uci.training.selfplay import MAX_SAMPLES, Sampler

from nowchess_uci.evaluation.network import default_network
from nowchess_uci.training.records import Judgement

NO_LIMIT = cython.declare(U64, ~cython.cast(U64, 0))
NO_END = cython.declare(cython.int, -1)
NEVER = cython.declare(cython.double, 1e300)


class Settings(NamedTuple):
    """Everything that decides what the games are, besides the engine."""

    seed: int = 1
    soft_nodes: int = 400
    hard_factor: int = 8
    """The hard limit of nodes, as a multiple of the soft one."""
    sample_every: int = 0
    """Keep one of so many evaluated positions with its static score; 0 keeps none."""
    opening_plies: int = 8
    """Random half-moves at the start, or one more, as chance has it."""
    opening_limit: int = 500
    """An opening that the first search finds more uneven than this, in centipawns, is drawn anew."""
    hash_mib: int = 2
    judgement: Judgement = Judgement()
    network: str = ""
    """The sha256 of the network that evaluates, if it has to be that one."""


class Played(NamedTuple):
    """Some games in a row, as they go into files."""

    games: bytes
    samples: bytes


class Count(NamedTuple):
    """What a player has played so far."""

    games: int
    positions: int
    results: tuple[int, int, int]
    """Games won by White, drawn, won by Black."""


class SelfPlay:
    """A player of training games. One thread plays; others may look at `count` and `cancel`."""

    def __init__(self, settings: Settings, network: Network | None = None) -> None:
        """The network is the one that the settings name, if they name one."""
        network = default_network() if network is None else network
        if settings.network not in ("", network.digest):
            raise ValueError("another network than the settings name")
        if not 0 <= settings.opening_plies < MAX_OPENING_PLIES:
            raise ValueError(f"0 to {MAX_OPENING_PLIES - 1} random moves can open a game")
        least = 0 if settings.opening_plies >= 4 else 100  # of few openings none may be as even as asked for
        if settings.opening_limit < least:
            raise ValueError(f"with {settings.opening_plies} random moves the opening limit is at least {least}")
        if settings.soft_nodes < 1 or settings.hard_factor < 1 or settings.sample_every < 0:
            raise ValueError("node limits are at least 1, and a sample is taken every 0 or more evaluations")
        self.settings = settings
        self.table = Table(settings.hash_mib)
        self.worker = Worker(self.table, 0, network)
        self.worker.position.reserve(MAX_OPENING_PLIES + MAX_GAME_PLIES + MAX_PLY + 8)
        self.worker.signals = cython.address(self.signals)
        self.signals.deadline = NEVER
        self.signals.pondering = 0
        self.soft_nodes = settings.soft_nodes
        self.hard_nodes = settings.soft_nodes * settings.hard_factor
        self.opening_plies = settings.opening_plies
        self.opening_limit = settings.opening_limit
        self.sampler.every = settings.sample_every
        if self.sampler.every:
            self.sampler.samples = cython.cast(cython.pointer[Sample], malloc(MAX_SAMPLES * cython.sizeof(Sample)))
            if self.sampler.samples == cython.NULL:
                raise MemoryError("no memory for samples")
            self.worker.on_static = take_sample
            self.worker.static_context = cython.address(self.sampler)

    def __dealloc__(self) -> None:
        free(self.sampler.samples)

    def play(self, first: int, count: int) -> Played | None:
        """The games from number `first` on; None if it was cancelled on the way."""
        games = bytearray()
        samples = bytearray()
        seed: U64 = self.settings.seed
        number: cython.uint
        complete: cython.bint
        for number in range(first, first + count):
            start_judge(cython.address(self.judge), self.settings.judgement)
            with cython.nogil:
                complete = self.play_game(number, seed)
            if not complete:
                return None
            games += cython.cast(cython.p_const_char, cython.address(self.head))[: cython.sizeof(GameHead)]
            games += cython.cast(cython.p_const_char, self.opening)[: self.head.opening_plies * cython.sizeof(Move)]
            games += cython.cast(cython.p_const_char, self.plies)[: self.head.plies * cython.sizeof(PlyRecord)]
            if self.sampler.count:
                taken = cython.cast(cython.p_const_char, self.sampler.samples)
                samples += taken[: self.sampler.count * cython.sizeof(Sample)]
        return Played(bytes(games), bytes(samples))

    def cancel(self) -> None:
        """End the running game, and `play` with it, within milliseconds. From any thread, for good."""
        store_double(cython.address(self.signals.deadline), 0)

    def is_cancelled(self) -> cython.bint:
        """True once `cancel` was called: games have no other deadline."""
        return load_double(cython.address(self.signals.deadline)) < NEVER

    def count(self) -> Count:
        """What was played so far. From any thread."""
        results = tuple([load_u64(cython.address(self.told_results[2 - index])) for index in range(3)])
        return Count(load_u64(cython.address(self.told_games)), load_u64(cython.address(self.told_positions)), results)

    # One game.

    def play_game(self, number: cython.uint, seed: U64) -> cython.bint:
        """Play a game into `head`, `opening`, `plies` and `sampler`; False if it was cancelled."""
        self.random_state = next_random(cython.address(seed)) + number
        self.sampler.random_state = next_random(cython.address(self.random_state))
        self.sampler.game = number
        self.head.number = number
        record: cython.pointer[PlyRecord] = self.plies
        while True:
            self.sampler.count = 0
            self.sampler.wait = self.sampler.every
            while not self.play_opening():
                pass
            self.worker.forget()
            self.table.clear_part(0, 1)
            self.table.generation = 0
            self.think(record)
            if self.is_cancelled():
                return False
            if -self.opening_limit <= record.score <= self.opening_limit:
                break
        ply: cython.int = 1
        while True:
            white_score: cython.int = record.score if self.worker.position.side == 0 else -record.score
            self.worker.position.make(record.move)
            end: cython.int = end_by_rule(self.worker.position)
            judged: cython.int = judged_end(cython.address(self.judge), white_score, self.head.opening_plies + ply)
            if end == NO_END:
                end = judged
            if end == NO_END and ply == MAX_GAME_PLIES:
                end = 4 * TOO_LONG + DRAWN
            if end != NO_END:
                self.head.plies = ply
                self.finish(end)
                return True
            record = cython.address(self.plies[ply])
            ply += 1
            self.think(record)
            if self.is_cancelled():  # then there may be no move
                return False

    def play_opening(self) -> cython.bint:
        """Play random moves from the start position; False if they ended the game."""
        moves = cython.declare(Move[MAX_MOVES])
        while self.worker.position.ply() > 0:
            self.worker.position.unmake()
        self.head.opening_plies = self.opening_plies + (next_random(cython.address(self.random_state)) & 1)
        ply: cython.int
        for ply in range(self.head.opening_plies):
            count: cython.int = generate(self.worker.position, ALL, moves)
            if count == 0:
                return False
            self.opening[ply] = moves[high_half(next_random(cython.address(self.random_state)), count)]
            self.worker.position.make(self.opening[ply])
        return end_by_rule(self.worker.position) == NO_END

    def think(self, record: cython.pointer[PlyRecord]) -> cython.void:
        """Search the position and write down the move and the score of the last complete iteration."""
        self.table.new_search()
        store_int(cython.address(self.signals.stop), 0)
        self.signals.node_limit = NO_LIMIT  # the first iteration has to be completed
        self.worker.start()
        list_root_moves(self.worker)
        record.info = 0
        depth: cython.int
        for depth in range(1, MAX_PLY):
            if not run_iteration(self.worker, depth, 1):
                record.info |= CUT_OFF
                break
            record.move = self.worker.root_moves[0].move
            record.score = self.worker.root_moves[0].score
            record.info = min(depth, DEPTH_MASK)
            if self.worker.nodes >= self.soft_nodes:
                break
            self.signals.node_limit = self.hard_nodes
            self.worker.next_check = min(self.worker.next_check, self.hard_nodes)
        if self.worker.position.state.checkers:
            record.info |= IN_CHECK
        if is_tactical(self.worker, record.move):
            record.info |= TACTICAL_MOVE

    def finish(self, end: cython.int) -> cython.void:
        """Write the end into the game and its result into the samples, and count."""
        self.head.end = end
        result: cython.int = end & 3
        index: cython.int
        for index in range(self.sampler.count):
            sample: cython.pointer[Sample] = self.sampler.samples + index
            sample.result = relative_result(result, sample.flags & 1)
        kept: U64 = 0
        for index in range(self.head.plies):
            kept += is_kept(self.plies[index].info, self.plies[index].score)
        store_u64(cython.address(self.told_positions), self.told_positions + kept)
        store_u64(cython.address(self.told_results[result]), self.told_results[result] + 1)
        store_u64(cython.address(self.told_games), self.told_games + 1)


def take_sample(context: cython.p_void, position: Position, score: cython.int) -> cython.void:
    """Keep one of so many evaluated positions on average, at random distances."""
    sampler: cython.pointer[Sampler] = cython.cast(cython.pointer[Sampler], context)
    sampler.wait -= 1
    if sampler.wait == 0:
        sampler.wait = 1 + high_half(next_random(cython.address(sampler.random_state)), 2 * sampler.every - 1)
        if sampler.count < MAX_SAMPLES:
            pack_sample(position, score, sampler.game, sampler.samples + sampler.count)
            sampler.count += 1
