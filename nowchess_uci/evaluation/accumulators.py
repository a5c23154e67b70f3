"""The sums of the network's first layer, kept up to date from move to move without a hook in make or unmake.

An entry belongs to a position if their keys agree, so nothing has to be undone. For a new position the nearest entry
of its line is looked for, and the moves since then are followed; where a side's own king has changed halves of the
board its view is mirrored, and its sums begin anew.
"""

import cython
from cython.cimports.libc.stdlib import free, malloc
from cython.cimports.libc.string import memcmp, memset
from cython.cimports.nowchess_uci.evaluation.accumulators import BEST_SCORE, MOST_STEPS, RING, Accumulators
from cython.cimports.nowchess_uci.evaluation.network import (
    MOST_PIECES,
    MOST_SQUARES,
    Layers,
    Network,
    feature_of,
    move_and_take,
    move_row,
    squared_product,
    sum_rows,
    turn_of,
)
from cython.cimports.nowchess_uci.rules.bits import U64, high_half, lsb, next_random, popcount
from cython.cimports.nowchess_uci.rules.constants import BLACK, EMPTY, KING, MAX_MOVES, ROOK, WHITE, piece_of
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
    promotion_of,
    target_of,
)
from cython.cimports.nowchess_uci.rules.movegen import ALL, generate
from cython.cimports.nowchess_uci.rules.position import Position, State

LINE_BYTES = 64  # of a cache


def use_network(accumulators: cython.pointer[Accumulators], network: Network) -> cython.int:
    """Take a network, which whoever calls keeps alive.

    The first time raises MemoryError if there is no room for the sums of the largest network: another one is then
    never refused, and all threads can change together.
    """
    if accumulators.memory == cython.NULL:
        accumulators.memory = malloc(RING * MOST_SQUARES * cython.sizeof(cython.short) + LINE_BYTES)
        if accumulators.memory == cython.NULL:
            raise MemoryError("no memory for the sums of a network")
        place: cython.size_t = cython.cast(cython.size_t, accumulators.memory)
        place = (place + LINE_BYTES - 1) // LINE_BYTES * LINE_BYTES
        accumulators.sums = cython.cast(cython.p_short, place)
    accumulators.layers = cython.address(network.layers)
    # The system gives the pages now, not one by one in the search.
    memset(accumulators.sums, 0, RING * 2 * network.layers.neurons * cython.sizeof(cython.short))
    forget_sums(accumulators)
    return 0


def forget_sums(accumulators: cython.pointer[Accumulators]) -> cython.void:
    """No entry belongs to a position any more."""
    memset(accumulators.keys, 0, cython.sizeof(accumulators.keys))


def network_score(position: Position, accumulators: cython.pointer[Accumulators]) -> cython.int:
    """What the network thinks of a position, in centipawns for the side to move."""
    layers: cython.pointer[Layers] = accumulators.layers
    own: cython.p_short = view_of(position, accumulators, position.side)
    other: cython.p_short = view_of(position, accumulators, position.side ^ 1)
    bucket: cython.int = (popcount(position.occupied()) - 1) * layers.buckets // MOST_PIECES
    total: cython.int = squared_product(own, other, layers.second + bucket * 2 * layers.neurons, layers.neurons)
    score: cython.longlong = (total + layers.second_biases[bucket]) * layers.scale // layers.units
    return BEST_SCORE if score > BEST_SCORE else (-BEST_SCORE if score < -BEST_SCORE else score)


def update_sums(position: Position, accumulators: cython.pointer[Accumulators]) -> cython.void:
    """Have the sums of a position ready for its score."""
    view_of(position, accumulators, WHITE)
    view_of(position, accumulators, BLACK)


def view_of(position: Position, accumulators: cython.pointer[Accumulators], view: cython.int) -> cython.p_short:
    """The sums of a position as one side sees it."""
    path = cython.declare(cython.pointer[State][MOST_STEPS])
    steps: cython.int = 0
    state: cython.pointer[State] = position.state
    width: cython.int = accumulators.layers.neurons
    slot: cython.int
    while True:
        while state.move == NO_MOVE and state != position.first:  # nothing moved: the sums are those before
            state -= 1
        slot = (state - position.first) & (RING - 1)
        if accumulators.keys[slot][view] == state.key:
            break
        if steps < MOST_STEPS:
            path[steps] = state
        if steps >= MOST_STEPS or state == position.first or turns_view(state, view):
            # Not found: the sums of the position itself, from nothing.
            state = path[0]
            slot = (state - position.first) & (RING - 1)
            begin_anew(position, accumulators.layers, view, accumulators.sums + (2 * slot + view) * width)
            accumulators.keys[slot][view] = state.key
            return accumulators.sums + (2 * slot + view) * width
        steps += 1
        state -= 1
    sums: cython.p_short = accumulators.sums + (2 * slot + view) * width
    if steps:
        turn: cython.int = turn_of(view, position.king_square(view))
        while steps:
            steps -= 1
            state = path[steps]
            slot = (state - position.first) & (RING - 1)
            after: cython.p_short = accumulators.sums + (2 * slot + view) * width
            follow_move(accumulators, state, sums, view, turn, after)
            accumulators.keys[slot][view] = state.key
            sums = after
    return sums


def turns_view(state: cython.pointer[cython.const[State]], view: cython.int) -> cython.bint:
    """True if the move that led here took a side's own king to the other half of the board."""
    if state.moved != piece_of(KING, view):
        return False
    move: Move = state.move
    target: cython.int = castled_king_square(move) if kind_of(move) == CASTLING else target_of(move)
    return (origin_of(move) ^ target) & 4 != 0


def follow_move(
    accumulators: cython.pointer[Accumulators],
    state: cython.pointer[cython.const[State]],
    before: cython.pointer[cython.const[cython.short]],
    view: cython.int,
    turn: cython.int,
    after: cython.p_short,
) -> cython.void:
    """The sums after the move that led to a state."""
    rows: cython.p_short = accumulators.layers.first
    width: cython.int = accumulators.layers.neurons
    move: Move = state.move
    piece: cython.int = state.moved
    origin: cython.int = origin_of(move)
    target: cython.int = target_of(move)
    kind: cython.int = kind_of(move)
    gone: cython.p_short = rows + feature_of(view, piece, origin, turn) * width
    if kind == CASTLING:
        rook: cython.int = piece_of(ROOK, piece & 1)
        move_row(before, gone, rows + feature_of(view, piece, castled_king_square(move), turn) * width, width, after)
        move_row(
            after,
            rows + feature_of(view, rook, target, turn) * width,
            rows + feature_of(view, rook, castled_rook_square(move), turn) * width,
            width,
            after,
        )
        return
    arrived: cython.int = piece_of(promotion_of(move), piece & 1) if kind == PROMOTION else piece
    come: cython.p_short = rows + feature_of(view, arrived, target, turn) * width
    if state.captured == EMPTY:
        move_row(before, gone, come, width, after)
        return
    victim: cython.int = captured_pawn_square(target, piece & 1) if kind == EN_PASSANT else target
    taken: cython.p_short = rows + feature_of(view, state.captured, victim, turn) * width
    move_and_take(before, gone, taken, come, width, after)


def begin_anew(
    position: Position, layers: cython.pointer[Layers], view: cython.int, sums: cython.p_short
) -> cython.void:
    """The sums of a position from nothing."""
    rows = cython.declare(cython.p_short[64])
    turn: cython.int = turn_of(view, position.king_square(view))
    count: cython.int = 0
    left: U64 = position.by_color[WHITE] | position.by_color[BLACK]
    while left:
        square: cython.int = lsb(left)
        left &= left - 1
        rows[count] = layers.first + feature_of(view, position.board[square], square, turn) * layers.neurons
        count += 1
    sum_rows(layers.biases, rows, count, layers.neurons, sums)


# For tests.


def walk(network: Network, start: Position, seed: int, steps: int) -> dict[str, int]:
    """Make and take back random moves, null moves too, and compare the sums that were kept up to date with new ones.

    Returns how many views were compared, how many of them differed, and what kinds of moves were made.
    """
    moves = cython.declare(Move[MAX_MOVES])
    expected = cython.declare(cython.short[1024])
    accumulators = cython.declare(Accumulators)
    memset(cython.address(accumulators), 0, cython.sizeof(Accumulators))
    use_network(cython.address(accumulators), network)
    position: Position = start.copy()
    position.reserve(steps)
    depth: cython.int = position.ply()
    state: U64 = seed
    width: cython.int = network.layers.neurons
    seen = dict.fromkeys(
        ("compared", "differing", "castling", "en passant", "promotion", "null", "undo", "mirrored"), 0
    )
    for _ in range(steps):
        chance: cython.int = high_half(next_random(cython.address(state)), 100)
        count: cython.int = generate(position, ALL, moves)
        if chance < 15 or count == 0:
            back: cython.int = 1 + high_half(next_random(cython.address(state)), 12)
            while back and position.ply() > depth:
                if position.state.move == NO_MOVE:
                    position.unmake_null()
                else:
                    position.unmake()
                back -= 1
            seen["undo"] += 1
        elif chance < 25 and not position.state.checkers:
            position.make_null()
            seen["null"] += 1
        else:
            move: Move = moves[high_half(next_random(cython.address(state)), count)]
            index: cython.int
            for index in range(count):
                if kind_of(moves[index]) and chance < 70:  # they are rare
                    move = moves[index]
            position.make(move)
            name = {CASTLING: "castling", EN_PASSANT: "en passant", PROMOTION: "promotion"}.get(kind_of(move))
            if name:
                seen[name] += 1
            seen["mirrored"] += turns_view(position.state, position.side ^ 1)
        if chance % 3 == 0:
            continue  # as in a search, not every position is evaluated
        view: cython.int
        for view in range(2):
            sums: cython.p_short = view_of(position, cython.address(accumulators), view)
            begin_anew(position, cython.address(network.layers), view, expected)
            seen["compared"] += 1
            seen["differing"] += memcmp(sums, expected, width * cython.sizeof(cython.short)) != 0
    free(accumulators.memory)
    return seen
