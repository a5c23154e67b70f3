"""The number of a placement of pieces: its place among all placements of a table, as the Syzygy format counts them.

Positions that mirror each other share a number. Without pawns the head of the placement (three pieces, or the kings)
is brought to the corner a1-d1-d4; with pawns the leading one, nearest to the edge, to the files a to d, which have an
array each. Equal pieces are a combination, counted by the combinatorial number system.
"""

import cython
from cython.cimports.nowchess_uci.rules.attacks import tables
from cython.cimports.nowchess_uci.rules.bits import U64, bit, lsb
from cython.cimports.nowchess_uci.rules.constants import file_of, rank_of, type_of
from cython.cimports.nowchess_uci.rules.position import Position
from cython.cimports.nowchess_uci.tablebases.numbering import (
    MOST_MEN,
    PAWN_FILES,
    PAWNS,
    THREE_PIECES,
    THREE_PIECES_TOTAL,
    TWO_KINGS,
    TWO_KINGS_TOTAL,
    Numbering,
)

# choose[k][n]: ways to choose k of n.
choose = cython.declare(cython.ulonglong[65][MOST_MEN])
# Squares of the corner a1-d1-d4: first those below the diagonal, row by row, then the diagonal.
corner = cython.declare(cython.int[64])
# Squares below the long diagonal, row by row.
below_diagonal = cython.declare(cython.int[64])
# By the first king's number in the corner and the second one's square: pairs that may stand together.
king_pairs = cython.declare(cython.int[64][10])
# How far a pawn is from leading: 47 for a2, 46 for h2, 45 for a3; file by file inwards.
pawn_order = cython.declare(cython.int[64])
# By how many pawns lead and the square of the first: placements before it on its file. And all of a file.
pawns_before = cython.declare(cython.ulonglong[64][MOST_MEN])
pawns_total = cython.declare(cython.ulonglong[PAWN_FILES][MOST_MEN])


def number_of(numbering: cython.pointer[Numbering], squares: cython.pointer[cython.int]) -> U64:
    """The number of the placement; the squares are moved and reordered on the way."""
    number: U64 = number_of_head(numbering, squares) * numbering.factors[0]
    done: cython.int = numbering.sizes[0]
    group: cython.int
    index: cython.int
    earlier: cython.int
    for group in range(1, numbering.groups):
        size: cython.int = numbering.sizes[group]
        first: cython.int = 8 if group == 1 and numbering.has_other_pawns else 0
        sort_squares(squares + done, size)
        combination: U64 = 0
        for index in range(size):
            square: cython.int = squares[done + index]
            free: cython.int = square - first
            for earlier in range(done):
                free -= squares[earlier] < square
            combination += choose[index + 1][free]
        number += combination * numbering.factors[group]
        done += size
    return number


def number_of_head(numbering: cython.pointer[Numbering], squares: cython.pointer[cython.int]) -> U64:
    """Turn the board so that the head stands where it is counted, and count it."""
    index: cython.int
    turn: cython.int = 0
    if file_of(squares[0]) > 3:
        turn = 7
    if numbering.head != PAWNS and rank_of(squares[0]) > 3:
        turn |= 56
    for index in range(numbering.men):
        squares[index] ^= turn
    if numbering.head == PAWNS:
        return number_of_pawns(squares, numbering.sizes[0])

    # Below the diagonal, or on it as far as the head goes.
    for index in range(numbering.sizes[0]):
        if rank_of(squares[index]) != file_of(squares[index]):
            if rank_of(squares[index]) > file_of(squares[index]):
                for index in range(numbering.men):
                    squares[index] = rank_of(squares[index]) | file_of(squares[index]) << 3
            break

    a: cython.int = squares[0]
    b: cython.int = squares[1]
    if numbering.head == TWO_KINGS:
        return king_pairs[corner[a]][b]
    c: cython.int = squares[2]
    free_b: cython.int = b - (b > a)
    free_c: cython.int = c - (c > a) - (c > b)
    if rank_of(a) != file_of(a):
        return (corner[a] * 63 + free_b) * 62 + free_c
    before: cython.int = 6 * 63 * 62
    if rank_of(b) != file_of(b):
        return before + (rank_of(a) * 28 + below_diagonal[b]) * 62 + free_c
    before += 4 * 28 * 62
    two: cython.int = rank_of(a) * 7 + rank_of(b) - (b > a)
    if rank_of(c) != file_of(c):
        return before + two * 28 + below_diagonal[c]
    return before + 4 * 7 * 28 + two * 6 + rank_of(c) - (c > a) - (c > b)


def number_of_pawns(squares: cython.pointer[cython.int], count: cython.int) -> U64:
    """Count the leading pawns, the first of which leads the others and stands on the files a to d."""
    number: U64 = pawns_before[count][squares[0]]
    index: cython.int
    place: cython.int
    for index in range(2, count):  # those after it, the nearest to leading first
        square: cython.int = squares[index]
        place = index
        while place > 1 and pawn_order[squares[place - 1]] < pawn_order[square]:
            squares[place] = squares[place - 1]
            place -= 1
        squares[place] = square
    for index in range(1, count):
        number += choose[count - index][pawn_order[squares[index]]]
    return number


def place_pieces(
    numbering: cython.pointer[Numbering],
    position: Position,
    swapped: cython.bint,
    squares: cython.pointer[cython.int],
) -> cython.void:
    """Where the pieces stand, in the table's order; with colours swapped the board is turned as well."""
    slot: cython.int = 0
    while slot < numbering.men:
        piece: cython.int = numbering.pieces[slot]
        bits: U64 = position.by_type[type_of(piece)] & position.by_color[(piece & 1) ^ swapped]
        while bits:
            squares[slot] = lsb(bits) ^ (56 if swapped else 0)
            bits &= bits - 1
            slot += 1
    if numbering.head == PAWNS:
        put_pawn_first(squares, numbering.sizes[0])


def leading_file(numbering: cython.pointer[Numbering], position: Position, swapped: cython.bint) -> cython.int:
    """The file of the leading pawn, 0 to 3; any of the files' numberings will do, as all begin with these pawns."""
    squares = cython.declare(cython.int[MOST_MEN])
    place_pieces(numbering, position, swapped, squares)
    return min(file_of(squares[0]), 7 - file_of(squares[0]))


def put_pawn_first(squares: cython.pointer[cython.int], count: cython.int) -> cython.void:
    """Swap the leading one of some pawns with the first."""
    leader: cython.int = 0
    index: cython.int
    for index in range(1, count):
        if pawn_order[squares[index]] > pawn_order[squares[leader]]:
            leader = index
    first: cython.int = squares[0]
    squares[0] = squares[leader]
    squares[leader] = first


def sort_squares(squares: cython.pointer[cython.int], count: cython.int) -> cython.void:
    """Lowest first."""
    index: cython.int
    for index in range(1, count):
        square: cython.int = squares[index]
        place: cython.int = index
        while place > 0 and squares[place - 1] > square:
            squares[place] = squares[place - 1]
            place -= 1
        squares[place] = square


def set_factors(
    numbering: cython.pointer[Numbering], file: cython.int, order: cython.int, other_order: cython.int
) -> cython.bint:
    """Work out factors and total: the head comes at place `order` of the product, the other side's pawns at theirs.

    False if the places cannot be.
    """
    if order >= numbering.groups:
        return False
    if numbering.has_other_pawns and (other_order >= numbering.groups or other_order == order):
        return False
    head: cython.int = numbering.sizes[0]
    free: cython.int = 64 - head
    group: cython.int = 1
    if numbering.has_other_pawns:
        free -= numbering.sizes[1]
        group = 2
    product: U64 = 1
    place: cython.int
    for place in range(numbering.groups):
        if place == order:
            numbering.factors[0] = product
            if numbering.head == PAWNS:
                product *= pawns_total[head][file]
            else:
                product *= THREE_PIECES_TOTAL if numbering.head == THREE_PIECES else TWO_KINGS_TOTAL
        elif numbering.has_other_pawns and place == other_order:
            numbering.factors[1] = product
            product *= choose[numbering.sizes[1]][48 - head]
        else:
            numbering.factors[group] = product
            product *= choose[numbering.sizes[group]][free]
            free -= numbering.sizes[group]
            group += 1
    numbering.total = product
    return True


def fill_tables() -> cython.void:
    """Count everything that does not depend on a table."""
    k: cython.int
    n: cython.int
    for n in range(65):
        choose[0][n] = 1
        for k in range(1, MOST_MEN):
            choose[k][n] = 0 if n == 0 else choose[k][n - 1] + choose[k - 1][n - 1]

    square: cython.int
    count: cython.int = 0
    inside: cython.int = 0
    for square in range(64):
        if file_of(square) > rank_of(square):
            below_diagonal[square] = count
            count += 1
            if file_of(square) < 4:
                corner[square] = inside
                inside += 1
        elif file_of(square) == rank_of(square) and file_of(square) < 4:
            corner[square] = 6 + file_of(square)

    # Kings that both stand on the diagonal come last.
    number: cython.int
    other: cython.int
    count = 0
    late: cython.int
    for late in range(2):
        for number in range(10):
            for square in range(64):
                if corner[square] != number or file_of(square) > 3 or file_of(square) < rank_of(square):
                    continue
                for other in range(64):
                    if other == square or tables.king[square] & bit(other):
                        continue
                    if file_of(square) == rank_of(square):
                        if rank_of(other) > file_of(other):
                            continue
                        if (rank_of(other) == file_of(other)) != late:
                            continue
                    elif late:
                        continue
                    king_pairs[number][other] = count
                    count += 1

    rank: cython.int
    file: cython.int
    count = 47
    for file in range(PAWN_FILES):
        for rank in range(1, 7):
            pawn_order[8 * rank + file] = count
            pawn_order[8 * rank + 7 - file] = count - 1
            count -= 2
    for k in range(1, MOST_MEN):
        for file in range(PAWN_FILES):
            pawns_total[k][file] = 0
            for rank in range(1, 7):
                pawns_before[k][8 * rank + file] = pawns_total[k][file]
                pawns_total[k][file] += choose[k - 1][pawn_order[8 * rank + file]]


fill_tables()
