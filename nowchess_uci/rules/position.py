"""A position: where the pieces stand, whose move it is, and what has to be remembered to take moves back.

Owns make and unmake, the hash key, checkers and pins. It trusts the moves it is given: `movegen` finds and tests
them. Bitboards answer "where are the knights", the mailbox `board` answers "what stands on e4".
"""
# mypy: disable-error-code="attr-defined"
# (The attributes are C fields, declared in position.pxd.)

from __future__ import annotations

from typing import Any

import cython
from cython.cimports.libc.stdlib import free, realloc
from cython.cimports.libc.string import memcpy, memset
from cython.cimports.nowchess_uci.rules.attacks import bishop_attacks, rook_attacks, tables
from cython.cimports.nowchess_uci.rules.bits import U64, bit, has_several, lsb
from cython.cimports.nowchess_uci.rules.constants import (
    ALL_CASTLING,
    BISHOP,
    BLACK,
    CASTLINGS,
    EMPTY,
    KING,
    KING_SIDE,
    KNIGHT,
    NO_SQUARE,
    PAWN,
    QUEEN,
    QUEEN_SIDE,
    ROOK,
    WHITE,
    file_mask,
    piece_of,
    type_of,
)
from cython.cimports.nowchess_uci.rules.move import (
    CASTLING,
    EN_PASSANT,
    NO_MOVE,
    PROMOTION,
    Move,
    captured_pawn_square,
    castled_king_square,
    castled_rook_square,
    kind_of,
    origin_of,
    pack,
    promotion_of,
    target_of,
)
from cython.cimports.nowchess_uci.rules.position import State
from cython.cimports.nowchess_uci.rules.zobrist import keys

# Piece codes of the first rank, a1 to h1, for White.
HOME_RANK = (6, 2, 4, 8, 10, 4, 2, 6)
START_BOARD = bytes(
    [*HOME_RANK, *[0] * 8, *[12] * 32, *[1] * 8, *[piece + 1 for piece in HOME_RANK]],
)
STACK_STEP = 256


class Position:
    """One chess position with its past. A new one is the standard start position."""

    def __cinit__(self) -> None:
        self.first = cython.NULL
        self.state = cython.NULL
        self.capacity = 0
        self.set_up(START_BOARD, WHITE, (7, 0, 63, 56), NO_SQUARE, 0, 1, False)

    def __dealloc__(self) -> None:
        free(self.first)

    def set_up(
        self,
        board: bytes,
        side: cython.int,
        castling_rooks: tuple[int, int, int, int],
        en_passant: cython.int,
        half_move_clock: cython.int,
        full_move_number: cython.int,
        chess960: cython.bint,
    ) -> None:
        """Forget everything and stand as told; `fen.parse_fen` has checked that the values fit each other.

        `board` holds 64 piece codes from a1; `castling_rooks` the rook's square of each right, or NO_SQUARE, in the
        order KQkq; `en_passant` is dropped unless a legal capture goes there.
        """
        if len(board) != 64 or board.count(10) != 1 or board.count(11) != 1:
            raise ValueError("a position needs 64 squares and one king of each colour")
        if self.first == cython.NULL:
            self.reserve(STACK_STEP)
        memset(self.by_type, 0, cython.sizeof(self.by_type))
        memset(self.by_color, 0, cython.sizeof(self.by_color))
        memset(self.board, EMPTY, cython.sizeof(self.board))
        memset(self.castling_kept, ALL_CASTLING, cython.sizeof(self.castling_kept))
        memset(self.castling_rook, NO_SQUARE, cython.sizeof(self.castling_rook))
        self.state = self.first
        memset(self.state, 0, cython.sizeof(State))
        square: cython.int
        for square in range(64):
            if board[square] < EMPTY:
                self.put(board[square], square)
        self.side = side
        self.full_move_number = full_move_number
        self.chess960 = chess960
        right: cython.int
        for right in range(CASTLINGS):
            if castling_rooks[right] != NO_SQUARE:
                self.state.castling |= self.add_castling(right >> 1, castling_rooks[right])
        self.state.half_move_clock = half_move_clock
        self.state.captured = EMPTY
        self.state.move = NO_MOVE
        self.state.en_passant = NO_SQUARE
        if en_passant != NO_SQUARE:
            self.offer_en_passant(en_passant)
        self.find_keys()
        self.find_checks()

    def add_castling(self, color: cython.int, rook: cython.int) -> cython.int:
        """Learn the geometry of one castling; returns its bit."""
        king: cython.int = self.king_square(color)
        right: cython.int = 2 * color + (KING_SIDE if rook > king else QUEEN_SIDE)
        move: Move = pack(king, rook, CASTLING)
        king_end: cython.int = castled_king_square(move)
        rook_end: cython.int = castled_rook_square(move)
        self.castling_rook[right] = rook
        self.castling_walk[right] = (tables.between[king][king_end] | bit(king_end)) & ~bit(king)
        rook_walk: U64 = tables.between[rook][rook_end] | bit(rook_end)
        self.castling_path[right] = (self.castling_walk[right] | rook_walk) & ~(bit(king) | bit(rook))
        self.castling_kept[king] &= ~(1 << right)
        self.castling_kept[rook] &= ~(1 << right)
        return 1 << right

    def reserve(self, plies: cython.int) -> cython.int:
        """Make room for `plies` more moves, so that make never has to allocate."""
        used: cython.int = 0 if self.first == cython.NULL else self.ply() + 1
        if used + plies > self.capacity:
            capacity: cython.int = used + plies + STACK_STEP
            grown: cython.pointer[State] = cython.cast(
                cython.pointer[State], realloc(self.first, capacity * cython.sizeof(State))
            )
            if grown == cython.NULL:
                raise MemoryError(f"no memory for a game of {capacity} moves")
            self.first = grown
            self.state = grown + (used - 1 if used else 0)
            self.capacity = capacity
        return 0

    def copy(self) -> Position:
        """An independent position with the same past."""
        twin: Position = Position()
        twin.by_type = self.by_type
        twin.by_color = self.by_color
        twin.board = self.board
        twin.side = self.side
        twin.full_move_number = self.full_move_number
        twin.chess960 = self.chess960
        twin.castling_rook = self.castling_rook
        twin.castling_path = self.castling_path
        twin.castling_walk = self.castling_walk
        twin.castling_kept = self.castling_kept
        twin.reserve(self.ply() + STACK_STEP)
        memcpy(twin.first, self.first, (self.ply() + 1) * cython.sizeof(State))
        twin.state = twin.first + self.ply()
        return twin

    # Making and unmaking moves.

    def put(self, piece: cython.int, square: cython.int) -> cython.void:
        """Place a piece on an empty square."""
        self.board[square] = piece
        self.by_type[type_of(piece)] |= bit(square)
        self.by_color[piece & 1] |= bit(square)

    def take(self, piece: cython.int, square: cython.int) -> cython.void:
        """Remove the piece that stands there."""
        self.board[square] = EMPTY
        self.by_type[type_of(piece)] ^= bit(square)
        self.by_color[piece & 1] ^= bit(square)

    def make(self, move: Move) -> cython.void:
        """Play a legal move. The caller has reserved room for it."""
        us: cython.int = self.side
        origin: cython.int = origin_of(move)
        target: cython.int = target_of(move)
        kind: cython.int = kind_of(move)
        before: cython.pointer[State] = self.state
        after: cython.pointer[State] = before + 1
        self.state = after
        self.side = us ^ 1
        self.full_move_number += us
        piece: cython.int = self.board[origin]
        after.move = move
        after.moved = piece
        after.captured = EMPTY
        after.en_passant = NO_SQUARE
        after.half_move_clock = before.half_move_clock + 1
        after.pawn_key = before.pawn_key
        after.piece_key = before.piece_key
        after.castling = before.castling & self.castling_kept[origin] & self.castling_kept[target]
        after.key = (
            before.key
            ^ keys.black_to_move
            ^ keys.en_passant[before.en_passant]
            ^ keys.castling[before.castling]
            ^ keys.castling[after.castling]
        )
        if kind == CASTLING:
            self.make_castling(move)
            self.find_checks()
            return

        victim_square: cython.int = captured_pawn_square(target, us) if kind == EN_PASSANT else target
        captured: cython.int = self.board[victim_square]
        if captured != EMPTY:
            self.take(captured, victim_square)
            after.captured = captured
            after.half_move_clock = 0
            gone: U64 = keys.piece[captured][victim_square]
            after.key ^= gone
            if type_of(captured) == PAWN:
                after.pawn_key ^= gone
            else:
                after.piece_key[us ^ 1] ^= gone

        both: U64 = bit(origin) | bit(target)
        self.by_type[type_of(piece)] ^= both
        self.by_color[us] ^= both
        self.board[origin] = EMPTY
        self.board[target] = piece
        moved: U64 = keys.piece[piece][origin] ^ keys.piece[piece][target]
        after.key ^= moved

        if type_of(piece) != PAWN:
            after.piece_key[us] ^= moved
        else:
            after.half_move_clock = 0
            after.pawn_key ^= moved
            if kind == PROMOTION:
                promoted: cython.int = piece_of(promotion_of(move), us)
                self.take(piece, target)
                self.put(promoted, target)
                after.key ^= keys.piece[piece][target] ^ keys.piece[promoted][target]
                after.pawn_key ^= keys.piece[piece][target]
                after.piece_key[us] ^= keys.piece[promoted][target]
            elif (origin ^ target) == 16:
                self.offer_en_passant((origin + target) >> 1)
                after.key ^= keys.en_passant[after.en_passant]
        self.find_checks()

    def unmake(self) -> cython.void:
        """Take back the last move made (not a null move)."""
        undone: cython.pointer[State] = self.state
        move: Move = undone.move
        us: cython.int = self.side ^ 1
        self.state = undone - 1
        self.side = us
        self.full_move_number -= us
        if kind_of(move) == CASTLING:
            self.unmake_castling(move)
            return
        origin: cython.int = origin_of(move)
        target: cython.int = target_of(move)
        if kind_of(move) == PROMOTION:
            self.take(self.board[target], target)
            self.put(piece_of(PAWN, us), target)
        piece: cython.int = self.board[target]
        both: U64 = bit(origin) | bit(target)
        self.by_type[type_of(piece)] ^= both
        self.by_color[us] ^= both
        self.board[target] = EMPTY
        self.board[origin] = piece
        if undone.captured != EMPTY:
            if kind_of(move) == EN_PASSANT:
                target = captured_pawn_square(target, us)
            self.put(undone.captured, target)

    def make_castling(self, move: Move) -> cython.void:
        """Move king and rook. Both leave before either arrives: in Chess960 their squares may overlap."""
        us: cython.int = self.side ^ 1
        king: cython.int = piece_of(KING, us)
        rook: cython.int = piece_of(ROOK, us)
        origin: cython.int = origin_of(move)
        target: cython.int = target_of(move)
        king_end: cython.int = castled_king_square(move)
        rook_end: cython.int = castled_rook_square(move)
        self.take(king, origin)
        self.take(rook, target)
        self.put(king, king_end)
        self.put(rook, rook_end)
        moved: U64 = keys.piece[king][origin] ^ keys.piece[king][king_end]
        moved ^= keys.piece[rook][target] ^ keys.piece[rook][rook_end]
        self.state.key ^= moved
        self.state.piece_key[us] ^= moved

    def unmake_castling(self, move: Move) -> cython.void:
        """Move king and rook back."""
        us: cython.int = self.side
        self.take(piece_of(KING, us), castled_king_square(move))
        self.take(piece_of(ROOK, us), castled_rook_square(move))
        self.put(piece_of(KING, us), origin_of(move))
        self.put(piece_of(ROOK, us), target_of(move))

    def make_null(self) -> cython.void:
        """Pass the move to the other side, who must not be in check; taken back by `unmake_null`."""
        before: cython.pointer[State] = self.state
        after: cython.pointer[State] = before + 1
        after[0] = before[0]
        self.state = after
        self.side ^= 1
        after.move = NO_MOVE
        after.captured = EMPTY
        after.en_passant = NO_SQUARE
        after.half_move_clock += 1
        after.key ^= keys.black_to_move ^ keys.en_passant[before.en_passant]
        self.find_checks()

    def unmake_null(self) -> cython.void:
        """Take back a null move."""
        self.state -= 1
        self.side ^= 1

    # What follows from the placement.

    def attacked_by(self, color: cython.int) -> U64:
        """All squares that a side attacks, its own pieces' included."""
        own: U64 = self.by_color[color]
        occupied: U64 = self.occupied()
        pawns: U64 = own & self.by_type[PAWN]
        # One step ahead, then one to either side; what stands on the edge has but one.
        ahead: U64 = pawns << 8 if color == WHITE else pawns >> 8
        found: U64 = (ahead & ~file_mask(7)) << 1 | (ahead & ~file_mask(0)) >> 1
        found |= tables.king[self.king_square(color)]
        pieces: U64 = own & self.by_type[KNIGHT]
        while pieces:
            found |= tables.knight[lsb(pieces)]
            pieces &= pieces - 1
        pieces = own & (self.by_type[BISHOP] | self.by_type[QUEEN])
        while pieces:
            found |= bishop_attacks(lsb(pieces), occupied)
            pieces &= pieces - 1
        pieces = own & (self.by_type[ROOK] | self.by_type[QUEEN])
        while pieces:
            found |= rook_attacks(lsb(pieces), occupied)
            pieces &= pieces - 1
        return found

    def find_checks(self) -> cython.void:
        """Set checkers and pinned in one pass over the sliders that look towards the king."""
        us: cython.int = self.side
        king: cython.int = self.king_square(us)
        enemy: U64 = self.by_color[us ^ 1]
        occupied: U64 = self.occupied()
        queens: U64 = self.by_type[QUEEN]
        checkers: U64 = enemy & (
            (tables.pawn[us][king] & self.by_type[PAWN]) | (tables.knight[king] & self.by_type[KNIGHT])
        )
        pinned: U64 = 0
        snipers: U64 = enemy & (
            (tables.rook_rays[king] & (self.by_type[ROOK] | queens))
            | (tables.bishop_rays[king] & (self.by_type[BISHOP] | queens))
        )
        while snipers:
            sniper: cython.int = lsb(snipers)
            snipers &= snipers - 1
            shield: U64 = tables.between[king][sniper] & occupied
            if not shield:
                checkers |= bit(sniper)
            elif not has_several(shield):
                pinned |= shield & self.by_color[us]
        self.state.checkers = checkers
        self.state.pinned = pinned

    def offer_en_passant(self, target: cython.int) -> cython.void:
        """Remember the square a double push skipped, but only if the side to move can legally capture there.

        Two positions that differ only in a capture nobody can make are the same position (FIDE 9.2.3).
        Called when the side to move is already the capturing side.
        """
        color: cython.int = self.side
        capturers: U64 = tables.pawn[color ^ 1][target] & self.by_type[PAWN] & self.by_color[color]
        while capturers:
            if self.is_en_passant_legal(lsb(capturers), target, color):
                self.state.en_passant = target
                return
            capturers &= capturers - 1

    def is_en_passant_legal(self, origin: cython.int, target: cython.int, color: cython.int) -> cython.bint:
        """True if the king is safe after the capture: two pawns leave the rank at once, so pins alone do not tell."""
        king: cython.int = self.king_square(color)
        victim: U64 = bit(captured_pawn_square(target, color))
        occupied: U64 = (self.occupied() ^ bit(origin) ^ victim) | bit(target)
        enemy: U64 = self.by_color[color ^ 1] & ~victim
        return not (self.attackers(king, occupied) & enemy)

    def find_keys(self) -> cython.void:
        """Set the hash keys from the placement alone."""
        state: cython.pointer[State] = self.state
        state.key = keys.castling[state.castling] ^ keys.en_passant[state.en_passant]
        if self.side == BLACK:
            state.key ^= keys.black_to_move
        state.pawn_key = 0
        state.piece_key[WHITE] = state.piece_key[BLACK] = 0
        square: cython.int
        for square in range(64):
            piece: cython.int = self.board[square]
            if piece == EMPTY:
                continue
            key: U64 = keys.piece[piece][square]
            state.key ^= key
            if type_of(piece) == PAWN:
                state.pawn_key ^= key
            else:
                state.piece_key[piece & 1] ^= key

    # For Python callers.

    @property
    def key(self) -> int:
        """The hash key: equal for positions that count as the same by FIDE 9.2.3."""
        return self.state.key

    @property
    def half_move_clock(self) -> int:
        """Half-moves since the last pawn move or capture."""
        return self.state.half_move_clock

    @property
    def last_move(self) -> int:
        """The move that led here, or 0."""
        return self.state.move

    @property
    def in_check(self) -> bool:
        """True if the side to move is in check (FIDE 3.9)."""
        return self.state.checkers != 0

    @property
    def en_passant(self) -> int:
        """The square where a pawn can be captured en passant now, or NO_SQUARE (64)."""
        return self.state.en_passant

    def has_castling_right(self, color: cython.int, side: cython.int) -> bool:
        """True if neither king nor rook has moved: colour 0 white, 1 black; side 0 king's, 1 queen's."""
        return 0 <= color <= 1 and 0 <= side <= 1 and self.state.castling >> (2 * color + side) & 1

    def piece_at(self, square: cython.int) -> int:
        """The piece code on a square (type times two plus colour), or EMPTY (12)."""
        if not 0 <= square < 64:
            raise IndexError(f"no square has the number {square}")
        return self.board[square]

    def snapshot(self) -> tuple[object, ...]:
        """Everything that unmake has to restore, to compare before and after."""
        state: State = self.state[0]
        return (
            bytes(self.board[:64]),
            [self.by_type[index] for index in range(6)],
            [self.by_color[index] for index in range(2)],
            (self.side, self.full_move_number, self.ply()),
            (state.key, state.pawn_key, state.piece_key[0], state.piece_key[1], state.checkers, state.pinned),
            (state.half_move_clock, state.castling, state.en_passant, state.captured, state.move),
        )

    def __reduce__(self) -> tuple[object, ...]:
        """For pickle and copy: the oldest position and the moves made since."""
        root: Position = self.copy()
        moves = []
        while root.ply() > 0:
            moves.append(root.state.move)
            root.unmake()
        rooks = tuple(
            [root.castling_rook[right] if root.state.castling >> right & 1 else NO_SQUARE for right in range(CASTLINGS)]
        )
        placed = (bytes(root.board[:64]), root.side, rooks, root.state.en_passant, root.state.half_move_clock)
        return rebuilt, ((*placed, root.full_move_number, root.chess960), moves[::-1])

    def recomputed(self) -> tuple[object, ...]:
        """The snapshot worked out anew from the mailbox, to prove the incremental one."""
        twin: Position = self.copy()
        twin.by_type = [0] * 6
        twin.by_color = [0] * 2
        square: cython.int
        for square in range(64):
            if self.board[square] != EMPTY:
                twin.put(self.board[square], square)
        twin.find_keys()
        twin.find_checks()
        king: cython.int = twin.king_square(twin.side)
        twin.state.checkers = twin.attackers(king, twin.occupied()) & twin.by_color[twin.side ^ 1]
        return twin.snapshot()


def rebuilt(placed: tuple[Any, ...], moves: list[int]) -> Position:
    """The position that `Position.__reduce__` has written down."""
    position: Position = Position()
    position.set_up(*placed)
    position.reserve(len(moves))
    for move in moves:
        position.make(move)
    return position
