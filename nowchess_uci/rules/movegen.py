"""Legal moves: generation by stage, counting, and the test of a single move.

Every move that comes out is legal; nothing is made and unmade to find out. A piece that shields its king stays on
the line between king and attacker; in check, a move must take the checker or step in between.
Functions named `add_*` append to `moves` and return the new count; with `moves` NULL they only count.
"""

import cython
from cython.cimports.nowchess_uci.rules.attacks import bishop_attacks, rook_attacks, tables
from cython.cimports.nowchess_uci.rules.bits import U64, bit, has_several, lsb, popcount
from cython.cimports.nowchess_uci.rules.constants import (
    BISHOP,
    EMPTY,
    KNIGHT,
    MAX_MOVES,
    NO_SQUARE,
    PAWN,
    QUEEN,
    ROOK,
    WHITE,
    file_mask,
    rank_mask,
    rank_of,
    type_of,
)
from cython.cimports.nowchess_uci.rules.move import (
    CASTLING,
    EN_PASSANT,
    NORMAL,
    PROMOTION,
    Move,
    captured_pawn_square,
    castled_king_square,
    castled_rook_square,
    kind_of,
    origin_of,
    pack,
    pack_promotion,
    promotion_of,
    target_of,
)
from cython.cimports.nowchess_uci.rules.movegen import ALL, QUIET, TACTICAL
from cython.cimports.nowchess_uci.rules.position import Position


def generate(position: Position, stage: cython.int, moves: cython.pointer[Move]) -> cython.int:
    """Write the legal moves of a stage to `moves` (room for MAX_MOVES) and return how many there are."""
    us: cython.int = position.side
    own: U64 = position.by_color[us]
    enemy: U64 = position.by_color[us ^ 1]
    checkers: U64 = position.state.checkers
    wanted: U64 = 0
    if stage & TACTICAL:
        wanted |= enemy
    if stage & QUIET:
        wanted |= ~(own | enemy)
    count: cython.int = add_king(position, wanted, moves, 0)
    if has_several(checkers):
        return count  # a double check leaves only the king

    allowed: U64 = ~own
    king: cython.int = position.king_square(us)
    if checkers:
        allowed = tables.between[king][lsb(checkers)] | checkers
    elif stage & QUIET and position.state.castling >> (2 * us) & 3:
        count = add_castling(position, moves, count)

    pawns: U64 = position.by_type[PAWN] & own
    pinned_pawns: U64 = pawns & position.state.pinned
    count = add_pawns(position, stage, pawns ^ pinned_pawns, allowed, moves, count)
    while pinned_pawns:
        pawn: cython.int = lsb(pinned_pawns)
        pinned_pawns &= pinned_pawns - 1
        count = add_pawns(position, stage, bit(pawn), allowed & tables.line[king][pawn], moves, count)
    if stage & TACTICAL and position.state.en_passant != NO_SQUARE:
        count = add_en_passant(position, moves, count)
    return add_pieces(position, wanted & allowed, moves, count)


def count_moves(position: Position) -> cython.int:
    """How many legal moves there are, without writing them down."""
    return generate(position, ALL, cython.NULL)


def has_legal_move(position: Position) -> cython.bint:
    """False if it is checkmate or stalemate."""
    return count_moves(position) > 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def add_targets(origin: cython.int, targets: U64, moves: cython.pointer[Move], count: cython.int) -> cython.int:
    """Append a normal move to each target."""
    if moves == cython.NULL:
        return count + popcount(targets)
    while targets:
        moves[count] = pack(origin, lsb(targets), NORMAL)
        count += 1
        targets &= targets - 1
    return count


def add_pieces(position: Position, wanted: U64, moves: cython.pointer[Move], count: cython.int) -> cython.int:
    """Moves of knights, bishops, rooks and queens to the wanted squares."""
    own: U64 = position.by_color[position.side]
    occupied: U64 = position.occupied()
    pinned: U64 = position.state.pinned
    king: cython.int = position.king_square(position.side)
    origin: cython.int
    targets: U64
    pieces: U64 = position.by_type[KNIGHT] & own & ~pinned  # a pinned knight has no move
    while pieces:
        origin = lsb(pieces)
        pieces &= pieces - 1
        count = add_targets(origin, tables.knight[origin] & wanted, moves, count)
    pieces = (position.by_type[BISHOP] | position.by_type[QUEEN]) & own
    while pieces:
        origin = lsb(pieces)
        pieces &= pieces - 1
        targets = bishop_attacks(origin, occupied) & wanted
        if pinned & bit(origin):
            targets &= tables.line[king][origin]
        count = add_targets(origin, targets, moves, count)
    pieces = (position.by_type[ROOK] | position.by_type[QUEEN]) & own
    while pieces:
        origin = lsb(pieces)
        pieces &= pieces - 1
        targets = rook_attacks(origin, occupied) & wanted
        if pinned & bit(origin):
            targets &= tables.line[king][origin]
        count = add_targets(origin, targets, moves, count)
    return count


def add_king(position: Position, wanted: U64, moves: cython.pointer[Move], count: cython.int) -> cython.int:
    """King steps to wanted squares that no enemy attacks, the king itself being no shield."""
    us: cython.int = position.side
    king: cython.int = position.king_square(us)
    occupied: U64 = position.occupied() ^ bit(king)
    targets: U64 = tables.king[king] & wanted
    while targets:
        target: cython.int = lsb(targets)
        targets &= targets - 1
        if not position.is_attacked(target, us ^ 1, occupied):
            if moves != cython.NULL:
                moves[count] = pack(king, target, NORMAL)
            count += 1
    return count


def add_castling(position: Position, moves: cython.pointer[Move], count: cython.int) -> cython.int:
    """Both castlings of a side that is not in check (FIDE 3.8.2)."""
    us: cython.int = position.side
    right: cython.int
    for right in range(2 * us, 2 * us + 2):
        if is_castling_legal(position, right):
            if moves != cython.NULL:
                moves[count] = pack(position.king_square(us), position.castling_rook[right], CASTLING)
            count += 1
    return count


def is_castling_legal(position: Position, right: cython.int) -> cython.bint:
    """True if the right exists, the way is free and the king, not in check, crosses no attacked square.

    That the king is not in check now has been seen by the caller.
    """
    occupied: U64 = position.occupied()
    if not position.state.castling >> right & 1 or position.castling_path[right] & occupied:
        return False
    rook: U64 = bit(position.castling_rook[right])
    if position.state.pinned & rook:
        return False  # Chess960: the leaving rook would open the first rank
    walk: U64 = position.castling_walk[right]
    while walk:
        if position.is_attacked(lsb(walk), position.side ^ 1, occupied):
            return False
        walk &= walk - 1
    return True


def add_en_passant(position: Position, moves: cython.pointer[Move], count: cython.int) -> cython.int:
    """The one or two captures of the pawn that has just passed."""
    us: cython.int = position.side
    target: cython.int = position.state.en_passant
    capturers: U64 = tables.pawn[us ^ 1][target] & position.by_type[PAWN] & position.by_color[us]
    while capturers:
        origin: cython.int = lsb(capturers)
        capturers &= capturers - 1
        if position.is_en_passant_legal(origin, target, us):
            if moves != cython.NULL:
                moves[count] = pack(origin, target, EN_PASSANT)
            count += 1
    return count


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def add_pawn_targets(targets: U64, step: cython.int, moves: cython.pointer[Move], count: cython.int) -> cython.int:
    """Append pawn moves that all went the same step; on the last rank each is four promotions."""
    promotions: U64 = targets & (rank_mask(0) | rank_mask(7))
    if moves == cython.NULL:
        return count + popcount(targets) + 3 * popcount(promotions)
    targets ^= promotions
    target: cython.int
    while targets:
        target = lsb(targets)
        targets &= targets - 1
        moves[count] = pack(target - step, target, NORMAL)
        count += 1
    while promotions:
        target = lsb(promotions)
        promotions &= promotions - 1
        moves[count] = pack_promotion(target - step, target, QUEEN)
        moves[count + 1] = pack_promotion(target - step, target, KNIGHT)
        moves[count + 2] = pack_promotion(target - step, target, ROOK)
        moves[count + 3] = pack_promotion(target - step, target, BISHOP)
        count += 4
    return count


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def forward(pawns: U64, color: cython.int, extra: cython.int) -> U64:
    """All pawns one rank ahead, `extra` files to the right (as White sees it)."""
    return pawns << (8 + extra) if color == WHITE else pawns >> (8 - extra)


def add_pawns(
    position: Position, stage: cython.int, pawns: U64, allowed: U64, moves: cython.pointer[Move], count: cython.int
) -> cython.int:
    """Pushes, double pushes, captures and promotions of the given pawns to allowed squares."""
    us: cython.int = position.side
    up: cython.int = 8 if us == WHITE else -8
    enemy: U64 = position.by_color[us ^ 1]
    empty: U64 = ~position.occupied()
    last_rank: U64 = rank_mask(7) if us == WHITE else rank_mask(0)
    third_rank: U64 = rank_mask(2) if us == WHITE else rank_mask(5)
    single: U64 = forward(pawns, us, 0) & empty
    if stage & QUIET:
        double: U64 = forward(single & third_rank, us, 0) & empty & allowed
        count = add_pawn_targets(single & allowed & ~last_rank, up, moves, count)
        count = add_pawn_targets(double, 2 * up, moves, count)
    if stage & TACTICAL:
        left: U64 = forward(pawns & ~file_mask(0), us, -1) & enemy & allowed
        right: U64 = forward(pawns & ~file_mask(7), us, 1) & enemy & allowed
        count = add_pawn_targets(left, up - 1, moves, count)
        count = add_pawn_targets(right, up + 1, moves, count)
        count = add_pawn_targets(single & allowed & last_rank, up, moves, count)
    return count


# The test of one move, for moves that come from a table or from outside.


def is_legal(position: Position, move: Move) -> cython.bint:
    """True if `generate` would produce this very integer, whatever its bits are."""
    us: cython.int = position.side
    origin: cython.int = origin_of(move)
    target: cython.int = target_of(move)
    kind: cython.int = kind_of(move)
    piece: cython.int = position.board[origin]
    own: U64 = position.by_color[us]
    if not own & bit(origin) or (kind != PROMOTION and move & 0x3000):
        return False
    king: cython.int = position.king_square(us)
    checkers: U64 = position.state.checkers
    if kind == CASTLING:
        right: cython.int = 2 * us + (0 if target > origin else 1)
        return (
            origin == king
            and not checkers
            and position.castling_rook[right] == target
            and is_castling_legal(position, right)
        )
    if own & bit(target):
        return False
    if origin == king:
        occupied: U64 = position.occupied() ^ bit(king)
        return (
            kind == NORMAL
            and tables.king[king] & bit(target) != 0
            and not position.is_attacked(target, us ^ 1, occupied)
        )
    if kind == EN_PASSANT:
        return (
            type_of(piece) == PAWN
            and position.state.en_passant == target
            and tables.pawn[us][origin] & bit(target) != 0
            and position.is_en_passant_legal(origin, target, us)
        )
    if position.state.pinned & bit(origin) and not tables.line[king][origin] & bit(target):
        return False
    if checkers and (has_several(checkers) or not (tables.between[king][lsb(checkers)] | checkers) & bit(target)):
        return False
    if type_of(piece) == PAWN:
        return is_pawn_move_legal(position, move)
    if kind != NORMAL:
        return False
    reach: U64
    if type_of(piece) == KNIGHT:
        reach = tables.knight[origin]
    elif type_of(piece) == BISHOP:
        reach = bishop_attacks(origin, position.occupied())
    elif type_of(piece) == ROOK:
        reach = rook_attacks(origin, position.occupied())
    else:
        reach = bishop_attacks(origin, position.occupied()) | rook_attacks(origin, position.occupied())
    return reach & bit(target) != 0


def is_pawn_move_legal(position: Position, move: Move) -> cython.bint:
    """True if a pawn can go there, pins and checks having been looked at already."""
    us: cython.int = position.side
    origin: cython.int = origin_of(move)
    target: cython.int = target_of(move)
    up: cython.int = 8 if us == WHITE else -8
    promotes: cython.bint = rank_of(target) == (7 if us == WHITE else 0)
    if promotes != (kind_of(move) == PROMOTION):
        return False
    if position.board[target] != EMPTY:
        return tables.pawn[us][origin] & bit(target) != 0
    if target == origin + up:
        return True
    return (
        target == origin + 2 * up
        and rank_of(origin) == (1 if us == WHITE else 6)
        and position.board[origin + up] == EMPTY
    )


def gives_check(position: Position, move: Move) -> cython.bint:
    """True if a legal move attacks the enemy king, by the piece that moves or by one behind it."""
    us: cython.int = position.side
    king: cython.int = position.king_square(us ^ 1)
    origin: cython.int = origin_of(move)
    target: cython.int = target_of(move)
    kind: cython.int = kind_of(move)
    occupied: U64 = (position.occupied() & ~bit(origin)) | bit(target)
    if kind == CASTLING:
        rook: cython.int = castled_rook_square(move)
        occupied = (occupied & ~bit(target)) | bit(rook) | bit(castled_king_square(move))
        return rook_attacks(rook, occupied) & bit(king) != 0
    piece_type: cython.int = promotion_of(move) if kind == PROMOTION else type_of(position.board[origin])
    if piece_type == PAWN and tables.pawn[us][target] & bit(king):
        return True
    if piece_type == KNIGHT and tables.knight[target] & bit(king):
        return True
    if piece_type in (BISHOP, QUEEN) and bishop_attacks(target, occupied) & bit(king):
        return True
    if piece_type in (ROOK, QUEEN) and rook_attacks(target, occupied) & bit(king):
        return True
    if kind == EN_PASSANT:
        occupied ^= bit(captured_pawn_square(target, us))
    elif not tables.line[king][origin]:
        return False
    behind: U64 = position.by_color[us] & ~bit(origin)
    queens: U64 = position.by_type[QUEEN]
    return (
        bishop_attacks(king, occupied) & behind & (position.by_type[BISHOP] | queens) != 0
        or rook_attacks(king, occupied) & behind & (position.by_type[ROOK] | queens) != 0
    )


def legal_moves(position: Position, stage: cython.int = ALL) -> list[int]:
    """The legal moves of a stage (1 tactical, 2 quiet, 3 all) as integers."""
    moves = cython.declare(Move[MAX_MOVES])
    count: cython.int = generate(position, stage, moves)
    return [moves[index] for index in range(count)]


def is_legal_move(position: Position, move: int) -> bool:
    """True if the integer is a legal move here."""
    return 0 <= move <= 0xFFFF and is_legal(position, move)


def is_check(position: Position, move: int) -> bool:
    """`gives_check` for Python callers; the move must be legal."""
    return gives_check(position, move)


def play(position: Position, move: int) -> None:
    """Make a move that may come from anywhere; raises ValueError, nothing changed, if it is not legal."""
    if not 0 <= move <= 0xFFFF or not is_legal(position, move):
        raise ValueError(f"move number {move} is not legal here")
    position.reserve(1)
    position.make(move)


def undo(position: Position) -> None:
    """Take back the last move; raises IndexError if there is none."""
    if position.ply() == 0:
        raise IndexError("there is no move to take back")
    position.unmake()
