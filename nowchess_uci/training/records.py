"""Whole games as bytes: eight bytes a game and five a searched ply, and the way back from bytes to positions.

`Replay` plays each game again and believes nothing: a move must be legal, a game must end where its bytes do.
"""
# mypy: disable-error-code="attr-defined"

from typing import NamedTuple

import cython
from cython.cimports.libc.string import memcpy
from cython.cimports.nowchess_uci.rules.constants import MAX_MOVES
from cython.cimports.nowchess_uci.rules.draws import is_dead_position, repetitions
from cython.cimports.nowchess_uci.rules.move import Move
from cython.cimports.nowchess_uci.rules.movegen import TACTICAL, generate, has_legal_move, is_legal
from cython.cimports.nowchess_uci.rules.position import Position
from cython.cimports.nowchess_uci.training.records import (
    BAD_END,
    BAD_FLAG,
    BAD_HEAD,
    BAD_MOVE,
    BAD_NUMBER,
    BLACK_WON,
    CHECKMATE,
    DEAD_POSITION,
    DRAWN,
    FIFTY_MOVES,
    GOOD,
    IN_CHECK,
    JUDGED_DRAWN,
    JUDGED_WON,
    MAX_GAME_PLIES,
    MAX_OPENING_PLIES,
    REPETITION,
    STALEMATE,
    TACTICAL_MOVE,
    TOO_LONG,
    TRUNCATED,
    WHITE_WON,
    GameHead,
    Judge,
    PlyRecord,
    is_kept,
)
from cython.cimports.nowchess_uci.training.samples import HELD_OUT, Sample, Samples, pack_sample, relative_result

END_NAMES = (
    "checkmate",
    "stalemate",
    "dead position",
    "50-move rule",
    "threefold repetition",
    "judged won",
    "judged drawn",
    "too long",
)
WRONG = (
    "",
    "the bytes end inside a game",
    "a game with an impossible head",
    "an illegal move",
    "a flag that does not fit the position",
    "an end that neither rules nor scores bear out",
    "a game with the wrong number",
)
NO_END = cython.declare(cython.int, -1)


class Judgement(NamedTuple):
    """When a game is decided before its end: scores in centipawns, lengths in plies."""

    win_score: int = 1500
    win_plies: int = 5
    draw_score: int = 8
    draw_plies: int = 10
    draw_from: int = 80
    """No draw is judged before this ply, the opening counted."""


class Tally(NamedTuple):
    """What a number of games amounts to."""

    games: int
    plies: int
    positions: int
    """Those worth training on."""
    results: tuple[int, int, int]
    """Games won by White, drawn, won by Black."""
    ends: tuple[int, ...]
    """In the order of END_NAMES."""
    depth: int
    """Summed over the plies."""
    openings: tuple[int, ...]
    """The hash key of each game's position after the random moves."""
    white_results: bytes
    """Of each game, for White: 0 lost, 1 drawn, 2 won."""


class GameRecord(NamedTuple):
    """One game: the random moves, then move, score and flags of each searched ply."""

    number: int
    opening: tuple[int, ...]
    plies: tuple[tuple[int, int, int], ...]
    result: int
    """For White: 0 lost, 1 drawn, 2 won."""
    end: str


class RecordError(ValueError):
    """Games that cannot be read, or are not what they say."""


def end_by_rule(position: Position) -> cython.int:
    """How the game has ended by the rules, times four plus the result for White; -1 if it goes on.

    A draw that a player could claim (50 moves, third repetition) ends a training game.
    """
    if not has_legal_move(position):
        if position.state.checkers == 0:
            return 4 * STALEMATE + DRAWN
        return 4 * CHECKMATE + (BLACK_WON if position.side == 0 else WHITE_WON)
    if is_dead_position(position):
        return 4 * DEAD_POSITION + DRAWN
    if position.state.half_move_clock >= 100:
        return 4 * FIFTY_MOVES + DRAWN
    if repetitions(position) >= 3:
        return 4 * REPETITION + DRAWN
    return NO_END


def start_judge(judge: cython.pointer[Judge], judgement: Judgement) -> cython.int:
    """Make ready for a game."""
    judge.win_score, judge.win_plies = judgement.win_score, judgement.win_plies
    judge.draw_score, judge.draw_plies = judgement.draw_score, judgement.draw_plies
    judge.draw_from = judgement.draw_from
    judge.winning = judge.level = 0
    return 0


def judged_end(judge: cython.pointer[Judge], white_score: cython.int, ply: cython.int) -> cython.int:
    """How the game is judged after a ply (counted from 1) with this score, as `end_by_rule` tells it."""
    if white_score >= judge.win_score:
        judge.winning = max(judge.winning, 0) + 1
    elif white_score <= -judge.win_score:
        judge.winning = min(judge.winning, 0) - 1
    else:
        judge.winning = 0
    judge.level = judge.level + 1 if abs(white_score) <= judge.draw_score else 0
    if abs(judge.winning) >= judge.win_plies:
        return 4 * JUDGED_WON + (WHITE_WON if judge.winning > 0 else BLACK_WON)
    if judge.level >= judge.draw_plies and ply >= judge.draw_from:
        return 4 * JUDGED_DRAWN + DRAWN
    return NO_END


class Replay:
    """Plays the games of some bytes again, one after the other.

    From C: `while next_game(): while next_ply(): ...`; inside, `position` is the one before the move of `ply`, and
    after the inner loop the one that the game ended in. `wrong` tells whether all was well.
    """

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.here = cython.cast(cython.pointer[cython.const[cython.uchar]], cython.cast(cython.p_const_char, data))
        self.stop = self.here + len(data)
        self.position = Position()
        self.position.reserve(MAX_OPENING_PLIES + MAX_GAME_PLIES + 8)
        self.wrong = GOOD

    def next_game(self) -> cython.bint:
        """Read a game's head and play its opening; False at the end, or if something is wrong."""
        while self.position.ply() > 0:
            self.position.unmake()
        if self.wrong != GOOD or self.here == self.stop:
            return False
        if self.stop - self.here < cython.sizeof(GameHead):
            self.wrong = TRUNCATED
            return False
        memcpy(cython.address(self.head), self.here, cython.sizeof(GameHead))
        self.here += cython.sizeof(GameHead)
        self.number = 0
        if (
            self.head.plies == 0
            or self.head.plies > MAX_GAME_PLIES
            or self.head.opening_plies > MAX_OPENING_PLIES
            or self.head.end & 3 > WHITE_WON
            or self.head.end >> 2 > TOO_LONG
        ):
            self.wrong = BAD_HEAD
            return False
        size: cython.size_t = self.head.opening_plies * cython.sizeof(Move) + self.head.plies * cython.sizeof(PlyRecord)
        if cython.cast(cython.size_t, self.stop - self.here) < size:
            self.wrong = TRUNCATED
            return False
        move: Move = 0
        for _ in range(self.head.opening_plies):
            memcpy(cython.address(move), self.here, cython.sizeof(Move))
            self.here += cython.sizeof(Move)
            if not is_legal(self.position, move):
                self.wrong = BAD_MOVE
                return False
            self.position.make(move)
        return True

    def next_ply(self) -> cython.bint:
        """Make the last ply's move and read the next one; False at the game's end, or if something is wrong."""
        if self.wrong != GOOD:
            return False
        if self.number > 0:
            self.position.make(self.ply.move)
        if self.number == self.head.plies:
            return False
        memcpy(cython.address(self.ply), self.here, cython.sizeof(PlyRecord))
        self.here += cython.sizeof(PlyRecord)
        self.number += 1
        if not is_legal(self.position, self.ply.move):
            self.wrong = BAD_MOVE
            return False
        return True

    def has_right_flags(self) -> cython.bint:
        """True if the ply's flags are what the position says."""
        moves = cython.declare(Move[MAX_MOVES])
        count: cython.int = generate(self.position, TACTICAL, moves)
        tactical: cython.bint = False
        index: cython.int
        for index in range(count):
            tactical = tactical or moves[index] == self.ply.move
        in_check: cython.bint = self.position.state.checkers != 0
        return (self.ply.info & IN_CHECK != 0) == in_check and (self.ply.info & TACTICAL_MOVE != 0) == tactical

    def proven_end(self, judged: cython.int) -> cython.int:
        """GOOD if the game ended as its head says: by rule after the last move, as it was judged, or by its length."""
        found: cython.int = end_by_rule(self.position)
        if found == NO_END:
            found = judged
        if found == NO_END and self.head.plies == MAX_GAME_PLIES:
            found = 4 * TOO_LONG + DRAWN
        return GOOD if found == self.head.end else BAD_END

    # For Python callers.

    def check(self, judgement: Judgement, first: int) -> None:
        """Prove every move, flag, result and judgement of games numbered from `first`; raises RecordError."""
        number: cython.uint = first
        judge = cython.declare(Judge)
        with cython.nogil:
            while self.next_game():
                with cython.gil:
                    start_judge(cython.address(judge), judgement)
                if self.head.number != number:
                    self.wrong = BAD_NUMBER
                number += 1
                end: cython.int = NO_END
                while self.next_ply():
                    if end != NO_END or end_by_rule(self.position) != NO_END:
                        self.wrong = BAD_END  # it went on after its end
                    elif not self.has_right_flags():
                        self.wrong = BAD_FLAG
                    score: cython.int = self.ply.score if self.position.side == 0 else -self.ply.score
                    end = judged_end(cython.address(judge), score, self.head.opening_plies + self.number)
                if self.wrong == GOOD:
                    self.wrong = self.proven_end(end)
        self._raise_if_wrong()

    def tally(self) -> Tally:
        """Count everything; raises RecordError at the first game that cannot be read."""
        games = plies = positions = depth = 0
        white_results = bytearray()
        ends = [0] * len(END_NAMES)
        openings = []
        while self.next_game():
            games += 1
            openings.append(self.position.key)
            kept: cython.int = 0
            deep: cython.int = 0
            with cython.nogil:
                while self.next_ply():
                    kept += is_kept(self.ply.info, self.ply.score)
                    deep += self.ply.info & 31
            plies += self.number
            positions += kept
            depth += deep
            white_results.append(self.head.end & 3)
            ends[self.head.end >> 2] += 1
        self._raise_if_wrong()
        results = (white_results.count(WHITE_WON), white_results.count(DRAWN), white_results.count(BLACK_WON))
        return Tally(games, plies, positions, results, tuple(ends), depth, tuple(openings), bytes(white_results))

    def add_to(self, samples: Samples, held_out: bool | None = None) -> int:
        """Add the positions worth training on, or only those of games that are (not) held out; returns how many.

        If a game cannot be read, nothing is added and RecordError is raised.
        """
        wanted: cython.int = -1 if held_out is None else int(held_out)
        # A ply takes five bytes, so there cannot be more positions than that.
        target: cython.pointer[Sample] = samples.room_for((self.stop - self.here) // cython.sizeof(PlyRecord) + 1)
        added: cython.size_t = 0
        with cython.nogil:
            while self.next_game():
                chosen: cython.bint = wanted < 0 or (self.head.number % HELD_OUT == 0) == wanted
                while self.next_ply():
                    if chosen and is_kept(self.ply.info, self.ply.score):
                        pack_sample(self.position, self.ply.score, self.head.number, target + added)
                        target[added].result = relative_result(self.head.end & 3, self.position.side)
                        added += 1
        self._raise_if_wrong()
        samples.count += added
        return added

    def read_game(self) -> GameRecord | None:
        """The next game as Python values, or None at the end; raises RecordError if it cannot be read."""
        if not self.next_game():
            self._raise_if_wrong()
            return None
        moves = []
        while self.position.ply() > 0:
            moves.append(self.position.last_move)
            self.position.unmake()
        opening = tuple(reversed(moves))
        for move in opening:
            self.position.make(move)
        plies = []
        while self.next_ply():
            plies.append((self.ply.move, self.ply.score, self.ply.info))
        self._raise_if_wrong()
        return GameRecord(self.head.number, opening, tuple(plies), self.head.end & 3, END_NAMES[self.head.end >> 2])

    def _raise_if_wrong(self) -> None:
        if self.wrong != GOOD:
            raise RecordError(f"game {self.head.number}, ply {self.number}: {WRONG[self.wrong]}")
