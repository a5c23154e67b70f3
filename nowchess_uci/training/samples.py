"""Training positions in memory: packed, shuffled over everything, and as features of a network.

A feature is one piece on one square as one side sees it: its own pieces before the other's, Black's view turned
upside down, and each view mirrored so that its own king stands on the e- to h-file.
"""
# mypy: disable-error-code="attr-defined,has-type"

import hashlib
from collections.abc import Sequence

import cython
from cython.cimports.libc.stdlib import free, realloc
from cython.cimports.libc.string import memset
from cython.cimports.nowchess_uci.evaluation.evaluate import Evaluator, evaluate
from cython.cimports.nowchess_uci.evaluation.network import feature_of, turn_of
from cython.cimports.nowchess_uci.rules.bits import U64, high_half, lsb, next_random, popcount
from cython.cimports.nowchess_uci.rules.constants import EMPTY, KING, NO_SQUARE
from cython.cimports.nowchess_uci.rules.position import Position
from cython.cimports.nowchess_uci.training.samples import (
    BLACK_TO_MOVE,
    CASTLING_SHIFT,
    HELD_OUT,
    MAX_PIECES,
    Sample,
    relative_result,
)

from nowchess_uci.rules.fen import render_fen

SAMPLE_BYTES = cython.sizeof(Sample)
HELD_OUT_EVERY = HELD_OUT
"""Every 64th game is held out: by its number, so that all runs and both kinds of files leave out the same games."""
CASTLING_ROOKS = (7, 0, 63, 56)
STEP = 1 << 16


def pack_sample(
    position: Position, score: cython.int, game: cython.uint, sample: cython.pointer[Sample]
) -> cython.void:
    """Write a position down; its result is not known yet."""
    left: U64 = position.occupied()
    sample.occupied = left
    memset(sample.pieces, 0, cython.sizeof(sample.pieces))
    index: cython.int = 0
    while left and index < MAX_PIECES:
        sample.pieces[index >> 1] |= position.board[lsb(left)] << (4 * (index & 1))
        left &= left - 1
        index += 1
    sample.score = score
    sample.result = 1
    sample.flags = position.side | position.state.castling << CASTLING_SHIFT
    sample.game = game


def features_of(
    sample: cython.pointer[cython.const[Sample]], own: cython.pointer[cython.short], other: cython.pointer[cython.short]
) -> cython.int:
    """The features as the side to move and as the other side sees them; returns how many pieces there are."""
    side: cython.int = sample.flags & BLACK_TO_MOVE
    pieces = cython.declare(cython.int[32])
    squares = cython.declare(cython.int[32])
    turns = cython.declare(cython.int[2])
    left: U64 = sample.occupied
    count: cython.int = 0
    piece: cython.int
    while left and count < MAX_PIECES:
        piece = sample.pieces[count >> 1] >> (4 * (count & 1)) & 15
        pieces[count] = piece
        squares[count] = lsb(left)
        if piece >> 1 == KING:
            turns[piece & 1] = turn_of(piece & 1, squares[count])
        left &= left - 1
        count += 1
    index: cython.int
    for index in range(count):
        own[index] = feature_of(side, pieces[index], squares[index], turns[side])
        other[index] = feature_of(side ^ 1, pieces[index], squares[index], turns[side ^ 1])
    return count


def unpack_board(sample: cython.pointer[cython.const[Sample]], board: cython.pointer[cython.uchar]) -> cython.void:
    """The 64 piece codes from a1."""
    memset(board, EMPTY, 64)
    left: U64 = sample.occupied
    index: cython.int = 0
    while left and index < MAX_PIECES:
        board[lsb(left)] = sample.pieces[index >> 1] >> (4 * (index & 1)) & 15
        left &= left - 1
        index += 1


def is_well_formed(sample: cython.pointer[cython.const[Sample]]) -> cython.bint:
    """True if the pieces exist, there are at most 32, and each side has one king; if result and flags exist, too."""
    count: cython.int = popcount(sample.occupied)
    if count > MAX_PIECES or sample.result > 2 or sample.flags >> CASTLING_SHIFT > 15:
        return False
    kings = cython.declare(cython.int[2], (0, 0))
    index: cython.int
    for index in range(count):
        piece: cython.int = sample.pieces[index >> 1] >> (4 * (index & 1)) & 15
        if piece >= EMPTY:
            return False
        if piece >> 1 == KING:
            kings[piece & 1] += 1
    return kings[0] == 1 and kings[1] == 1


class Samples:
    """Many positions, one after the other. Grows as files are added."""

    def __dealloc__(self) -> None:
        free(self.items)

    def __len__(self) -> int:
        return self.count

    def room_for(self, more: U64) -> cython.pointer[Sample]:
        """Where the next samples go, with room for so many; the caller adds to `count`."""
        if self.items == cython.NULL or self.count + more > self.capacity:
            wanted: U64 = self.count + more + STEP
            if wanted < self.capacity + self.capacity // 2:
                wanted = self.capacity + self.capacity // 2
            grown: cython.pointer[Sample] = cython.cast(
                cython.pointer[Sample], realloc(self.items, wanted * cython.sizeof(Sample))
            )
            if grown == cython.NULL:
                raise MemoryError(f"no memory for {wanted} training positions")
            self.items = grown
            self.capacity = wanted
        return self.items + self.count

    def add(self, data: bytes, held_out: bool | None = None) -> int:
        """Add samples as they stand in a file, or only those of the games that are (not) held out; returns how many.

        Raises ValueError, and adds none, if one of them is no position: too many pieces, or not one king a side.
        """
        if len(data) % SAMPLE_BYTES:
            raise ValueError(f"{len(data)} bytes are no whole number of samples")
        source: cython.pointer[cython.const[Sample]] = cython.cast(
            cython.pointer[cython.const[Sample]], cython.cast(cython.p_const_char, data)
        )
        total: U64 = len(data) // SAMPLE_BYTES
        malformed: U64 = 0
        index: U64
        with cython.nogil:
            for index in range(total):
                malformed += not is_well_formed(source + index)
        if malformed:
            raise ValueError(f"{malformed} of {total} samples are no positions")
        target: cython.pointer[Sample] = self.room_for(total)
        wanted: cython.int = -1 if held_out is None else int(held_out)
        added: U64 = 0
        with cython.nogil:
            for index in range(total):
                if wanted < 0 or (source[index].game % HELD_OUT == 0) == wanted:
                    target[added] = source[index]
                    added += 1
        self.count += added
        return added

    def tobytes(self) -> bytes:
        """All of them as they stand in a file."""
        return cython.cast(cython.p_const_char, self.items)[: self.count * SAMPLE_BYTES]

    def shuffle(self, seed: int) -> None:
        """Bring all samples into a random order (Fisher and Yates), the same for the same seed."""
        state: U64 = seed & (2**64 - 1)
        spare: Sample
        index: U64
        with cython.nogil:
            for index in range(1, self.count):
                other: U64 = high_half(next_random(cython.address(state)), index + 1)
                spare = self.items[index]
                self.items[index] = self.items[other]
                self.items[other] = spare

    def features(self, first: int, own: cython.short[:, ::1], other: cython.short[:, ::1]) -> list[int]:
        """Fill two arrays with the features of the samples from `first` on, a row each; returns the counts of pieces.

        Rows have at least 32 columns, and those behind the last piece hold -1.
        """
        rows: cython.Py_ssize_t = own.shape[0]
        if first < 0 or first + rows > len(self) or not rows:
            raise IndexError(f"samples {first} to {first + rows - 1} of {self.count}")
        if own.shape[1] < MAX_PIECES or other.shape[1] < MAX_PIECES or other.shape[0] != rows:
            raise ValueError("two arrays of equally many rows and at least 32 columns are needed")
        start: U64 = first
        memset(cython.address(own[0, 0]), 255, rows * own.shape[1] * cython.sizeof(cython.short))
        memset(cython.address(other[0, 0]), 255, rows * other.shape[1] * cython.sizeof(cython.short))
        row: cython.Py_ssize_t
        with cython.nogil:
            for row in range(rows):
                features_of(self.items + start + row, cython.address(own[row, 0]), cython.address(other[row, 0]))
        return [popcount(self.items[start + row].occupied) for row in range(rows)]

    def labels(self, first: int, count: int) -> list[tuple[int, int]]:
        """Score and result (0 lost, 1 drawn, 2 won) for the side to move."""
        return [(self.items[index].score, self.items[index].result) for index in self._span(first, count)]

    def games(self, first: int, count: int) -> list[int]:
        """The number of the game that each sample comes from."""
        return [self.items[index].game for index in self._span(first, count)]

    def fen(self, index: int) -> str:
        """The position as a FEN. Clock, move number and en passant are not kept with it."""
        self._span(index, 1)
        return render_fen(position_of(self.items[index]))

    def digest(self) -> str:
        """The sha256 of all of them, in their order."""
        found = hashlib.sha256()
        data: cython.p_const_char = cython.cast(cython.p_const_char, self.items)
        size: U64 = self.count * cython.sizeof(Sample)
        start: U64
        for start in range(0, size, STEP):
            found.update(data[start : min(start + STEP, size)])
        return found.hexdigest()

    def wrong_static_scores(self, evaluator: Evaluator) -> list[int]:
        """The samples whose score is not what an evaluation says."""
        wrong = []
        index: U64
        for index in range(self.count):
            if evaluate(position_of(self.items[index]), cython.address(evaluator.memory)) != self.items[index].score:
                wrong.append(index)
        return wrong

    def wrong_results(self, first: int, white_results: bytes) -> int:
        """How many samples have another result than their game, or come from none of the games from `first` on."""
        offset: cython.longlong = first
        games: cython.longlong = len(white_results)
        results: cython.p_const_uchar = white_results
        wrong: U64 = 0
        index: U64
        with cython.nogil:
            for index in range(self.count):
                sample: cython.pointer[Sample] = self.items + index
                game: cython.longlong = sample.game - offset
                if not 0 <= game < games or relative_result(results[game], sample.flags & 1) != sample.result:
                    wrong += 1
        return wrong

    def tally(self, width: int, buckets: int) -> list[tuple[int, int, int]]:
        """Lost, drawn and won samples by score; bucket `i` begins at `(i - buckets // 2) * width` centipawns."""
        counts = cython.declare(U64[3][512])  # by bucket, then by result
        if not 0 < buckets <= 512 or width < 1:
            raise ValueError("1 to 512 buckets of at least one centipawn")
        memset(counts, 0, cython.sizeof(counts))
        last: cython.int = buckets - 1
        half: cython.int = buckets // 2
        step: cython.int = width
        index: U64
        with cython.nogil:
            for index in range(self.count):
                bucket: cython.int = (self.items[index].score + half * step) // step
                bucket = 0 if bucket < 0 else (last if bucket > last else bucket)
                counts[bucket][self.items[index].result] += 1
        return [(counts[i][0], counts[i][1], counts[i][2]) for i in range(buckets)]

    def _span(self, first: int, count: int) -> Sequence[int]:
        if first < 0 or count < 0 or first + count > self.count:
            raise IndexError(f"samples {first} to {first + count - 1} of {self.count}")
        return range(first, first + count)


@cython.cfunc
def position_of(sample: Sample) -> Position:
    """The position of a sample."""
    board = cython.declare(cython.uchar[64])
    unpack_board(cython.address(sample), board)
    rights: cython.int = sample.flags >> CASTLING_SHIFT
    squares = bytes(board[:64])
    rooks = tuple([rook if rights >> right & 1 else NO_SQUARE for right, rook in enumerate(CASTLING_ROOKS)])
    position: Position = Position()
    position.set_up(squares, sample.flags & BLACK_TO_MOVE, rooks, NO_SQUARE, 0, 1, False)
    return position
