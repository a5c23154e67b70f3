"""Attack sets: where each piece could capture from each square.

Sliders use "fancy magic bitboards": the factors below were found by scripts/maintenance/find_magics.py, and the
840 KiB of tables are filled at import by walking rays, which takes about two milliseconds.
"""

import cython
from cython.cimports.nowchess_uci.rules.attacks import Magic, Steps, bishop_attacks, rook_attacks, tables
from cython.cimports.nowchess_uci.rules.bits import U64, bit, popcount
from cython.cimports.nowchess_uci.rules.constants import BLACK, WHITE

# fmt: off
BISHOP_FACTORS = (
    0x3408301048890011, 0x0004210204010125, 0x4008020042100080, 0x0004440080280901,
    0x0004042000601000, 0x006E301008100402, 0x082482300222021B, 0x8002004C08880800,
    0x8810061802480600, 0x2200044408020823, 0x0620080081120280, 0x000C490401040000,
    0x0048308820000000, 0x0000010120105000, 0x2010090088A00800, 0x0280122A11100800,
    0x0840001010C20080, 0x0008104401042C02, 0x204C006804202204, 0x8420440C01002124,
    0x2804001201212080, 0x0080401A00500400, 0x012500208088A040, 0x000040042C020800,
    0x0188080040024800, 0x0444124025080800, 0x4021100431084200, 0x0021080004004010,
    0x100101000AD04000, 0x02500100020A8A00, 0x5008009204440440, 0x4003220800404404,
    0x0808044010863834, 0x9008413000080200, 0x2211280800040820, 0x04000401080C0100,
    0x22A8020400061010, 0x0081204200410120, 0x0802008200092800, 0x0001005A04408201,
    0x1020842020010810, 0x00108421A8002000, 0x002A010401104204, 0x0422004208000081,
    0x0412A10214002203, 0x2240102040801910, 0x0002020812008100, 0x40101208410A0040,
    0x0002010460042802, 0x0042020101081800, 0x0001009148180002, 0x0824010084040000,
    0x0002004013820040, 0x000D591010009000, 0x2840940808A10100, 0x0008891404005000,
    0x0007084100884004, 0x0011008080882000, 0x0060010549082108, 0x0840002224208800,
    0x2000211004A08200, 0x1000002002028204, 0x0510408808011840, 0x01206040A2008920,
)
ROOK_FACTORS = (
    0x0080008E10204000, 0x8540004110002000, 0x008010008020000C, 0x2080100204080080,
    0x4600020008500421, 0x9600481001040200, 0x4080020000800100, 0x210002284E018100,
    0x0001800220400080, 0x0C48402000401002, 0x0021002000410810, 0x0203002090010008,
    0x0120808008000400, 0x090A000804220050, 0x2201010200040100, 0x0001000041002082,
    0xA040088000902040, 0x2000820040220100, 0x0202020040208011, 0x002212000821C200,
    0x0242020004081020, 0x0500808004000201, 0x0080040008010210, 0x0020020001008044,
    0x1400400380008030, 0x4010005040002000, 0x000A208200160040, 0x4040100080080080,
    0x0C14000808008040, 0x0032000200040810, 0x0431000900040A00, 0x8000806600040289,
    0x8008854202002300, 0x5002108102002040, 0x0220801001802008, 0x0008001000808008,
    0x0424008024802800, 0x0000040080800200, 0x004001380C000290, 0x40800C0042000891,
    0x1060904008208000, 0x0410005820004002, 0x0090040068012000, 0xB200100008008080,
    0x0020080004008080, 0x0082008490020008, 0x2010021001040008, 0x000400488102002C,
    0x0040810200402200, 0x0800804000200880, 0x821490824200A200, 0x006010400A002200,
    0x0014008008000480, 0x0045000204008900, 0x0440081051028400, 0x0008244405008200,
    0x2120402080010011, 0x880A022100401582, 0x0A00082010820042, 0x00026D0030012029,
    0x70A1001148000515, 0x008A00B001042802, 0x5084100108008244, 0x004C008100440022,
)
# fmt: on

# The step counts of a piece in files and ranks, as pairs.
KNIGHT_STEPS = (1, 2, 2, 1, 2, -1, 1, -2, -1, -2, -2, -1, -2, 1, -1, 2)
BISHOP_STEPS = (1, 1, 1, -1, -1, -1, -1, 1)
ROOK_STEPS = (1, 0, 0, -1, -1, 0, 0, 1)

# Every square's table lies in one of these two, one after the other.
bishop_store = cython.declare(U64[5248])
rook_store = cython.declare(U64[102400])


def walk(square: cython.int, steps: Steps, pairs: cython.int, reach: cython.int, blockers: U64) -> U64:
    """Squares reached from `square` in each direction, at most `reach` steps, the first blocker included."""
    reached: U64 = 0
    pair: cython.int
    for pair in range(pairs):
        file: cython.int = square & 7
        rank: cython.int = square >> 3
        for _ in range(reach):
            file += steps[2 * pair]
            rank += steps[2 * pair + 1]
            if file < 0 or file > 7 or rank < 0 or rank > 7:
                break
            reached |= bit(8 * rank + file)
            if blockers & bit(8 * rank + file):
                break
    return reached


def fill_magic(magic: cython.pointer[Magic], square: cython.int, steps: Steps) -> cython.int:
    """Fill one square's slider table, `factor` and `attacks` being set; returns the number of entries."""
    rank_edges: U64 = cython.cast(U64, 0xFF000000000000FF) & ~(cython.cast(U64, 0xFF) << (square & 56))
    file_edges: U64 = cython.cast(U64, 0x8181818181818181) & ~(cython.cast(U64, 0x0101010101010101) << (square & 7))
    magic.mask = walk(square, steps, 4, 7, 0) & ~(rank_edges | file_edges)
    magic.shift = 64 - popcount(magic.mask)
    blockers: U64 = 0
    while True:
        magic.attacks[(blockers * magic.factor) >> magic.shift] = walk(square, steps, 4, 7, blockers)
        blockers = (blockers - magic.mask) & magic.mask
        if not blockers:
            return 1 << popcount(magic.mask)


def fill_lines(origin: cython.int) -> cython.void:
    """Fill `between` and `line` for every square that shares a rank, file or diagonal with `origin`."""
    target: cython.int
    for target in range(64):
        both: U64 = bit(origin) | bit(target)
        if tables.rook_rays[origin] & bit(target):
            tables.between[origin][target] = rook_attacks(origin, both) & rook_attacks(target, both)
            tables.line[origin][target] = (tables.rook_rays[origin] & tables.rook_rays[target]) | both
        elif tables.bishop_rays[origin] & bit(target):
            tables.between[origin][target] = bishop_attacks(origin, both) & bishop_attacks(target, both)
            tables.line[origin][target] = (tables.bishop_rays[origin] & tables.bishop_rays[target]) | both


def fill_tables() -> cython.void:
    """Fill everything in `tables`."""
    knight_steps: cython.int[16] = KNIGHT_STEPS
    bishop_steps: cython.int[8] = BISHOP_STEPS
    rook_steps: cython.int[8] = ROOK_STEPS
    king_steps: cython.int[16] = BISHOP_STEPS + ROOK_STEPS
    white_steps: cython.int[4] = (-1, 1, 1, 1)
    black_steps: cython.int[4] = (-1, -1, 1, -1)
    bishop_used: cython.int = 0
    rook_used: cython.int = 0
    square: cython.int
    for square in range(64):
        tables.pawn[WHITE][square] = walk(square, white_steps, 2, 1, 0)
        tables.pawn[BLACK][square] = walk(square, black_steps, 2, 1, 0)
        tables.knight[square] = walk(square, knight_steps, 8, 1, 0)
        tables.king[square] = walk(square, king_steps, 8, 1, 0)
        tables.bishop_rays[square] = walk(square, bishop_steps, 4, 7, 0)
        tables.rook_rays[square] = walk(square, rook_steps, 4, 7, 0)
        tables.bishop[square].factor = BISHOP_FACTORS[square]
        tables.bishop[square].attacks = bishop_store + bishop_used
        bishop_used += fill_magic(cython.address(tables.bishop[square]), square, bishop_steps)
        tables.rook[square].factor = ROOK_FACTORS[square]
        tables.rook[square].attacks = rook_store + rook_used
        rook_used += fill_magic(cython.address(tables.rook[square]), square, rook_steps)
    for square in range(64):
        fill_lines(square)


fill_tables()
