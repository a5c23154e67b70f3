"""python-chess as the independent referee. The only module that imports it; tests and tools go through here.

`walk` plays random games on both sides at once, `differences` compares everything both know about a position, and
`Prober` looks positions up in the same tablebases.
"""

import os
import random
from collections.abc import Iterator
from typing import TextIO

import chess
import chess.engine
import chess.pgn
import chess.syzygy

from nowchess_uci.rules import draws, exchange, fen, movegen, notation
from nowchess_uci.rules.move import render_move
from nowchess_uci.rules.position import Position
from nowchess_uci.training.records import GameRecord

__all__ = ["chess"]  # the other tests get it from here
PgnGame = chess.pgn.Game

PIECE_VALUES = {
    chess.PAWN: 100,
    chess.KNIGHT: 300,
    chess.BISHOP: 300,
    chess.ROOK: 500,
    chess.QUEEN: 900,
    chess.KING: 20000,
}


class Twins:
    """The same game on both sides."""

    def __init__(self, fen_text: str, chess960: bool) -> None:
        self.start = fen_text
        self.chess960 = chess960
        self.position = fen.parse_fen(fen_text, chess960)
        self.board = chess.Board(fen_text, chess960=chess960)

    def play(self, move: chess.Move) -> None:
        movegen.play(self.position, notation.parse_move(self.position, self.board.uci(move)))
        self.board.push(move)

    def reproducer(self) -> str:
        """How to get here, for an error message."""
        moves = " ".join(move.uci() for move in self.board.move_stack)
        return f"{'chess960 ' if self.chess960 else ''}fen {self.start} moves {moves}"


# Positions to compare.


def random_start(source: random.Random) -> Twins:
    """A start position: standard, Chess960, or an adversarial placement, with any clock."""
    kind = source.randrange(10)
    if kind < 4:
        board = chess.Board()
    elif kind < 6:
        board = chess.Board.from_chess960_pos(source.randrange(960))
    else:
        return Twins(random_placement(source), False)
    if source.randrange(3) == 0:
        board.halfmove_clock = source.choice((0, 42, 90, 97, 98, 99, 100, 101, 140, 148, 149, 150))
    return Twins(board.fen(), board.chess960)


def random_placement(source: random.Random) -> str:
    """A valid position in the style that breaks generators: few pieces, far pawns, open lines, bare kings."""
    while True:
        board = chess.Board(None)
        squares = list(chess.SQUARES)
        source.shuffle(squares)
        board.set_piece_at(squares.pop(), chess.Piece(chess.KING, chess.WHITE))
        board.set_piece_at(squares.pop(), chess.Piece(chess.KING, chess.BLACK))
        letters = source.choice(("PPPppp", "QRBNqrbn", "BbBb", "Nn", "B", "PpPpRrQqBb", "PPPPppppNnBbRrQq"))
        for _ in range(source.randrange(len(letters) + 4)):
            piece = chess.Piece.from_symbol(source.choice(letters))
            square = squares.pop()
            if piece.piece_type == chess.PAWN:
                rank = source.choice((1, 6, 6, 3, 4)) if piece.color else source.choice((6, 1, 1, 3, 4))
                square = chess.square(chess.square_file(square), rank)
                if board.piece_at(square):
                    continue
            board.set_piece_at(square, piece)
        board.turn = source.random() < 0.5
        board.halfmove_clock = source.choice((0, 0, 0, 30, 97, 98, 99, 100, 149, 150))
        board.castling_rights = chess.BB_CORNERS
        board.castling_rights = board.clean_castling_rights()
        if board.is_valid():
            return board.fen()


def choose(board: chess.Board, source: random.Random) -> chess.Move | None:
    """A random move; often one that goes back, or one of the rare kinds."""
    moves = list(board.legal_moves)
    if not moves:
        return None
    if len(board.move_stack) > 1 and source.random() < 0.3:
        last = board.move_stack[-2]
        back = chess.Move(last.to_square, last.from_square)
        if back in moves:
            return back
    if source.random() < 0.3:
        rare = [
            move
            for move in moves
            if board.is_en_passant(move) or board.is_castling(move) or move.promotion or board.gives_check(move)
        ]
        moves = rare or moves
    return source.choice(moves)


def walk(source: random.Random, plies: int = 60) -> Iterator[Twins]:
    """A random game, its twins yielded at every position."""
    twins = random_start(source)
    for _ in range(plies):
        yield twins
        move = choose(twins.board, source)
        if move is None:
            return
        twins.play(move)


# What has to agree.


def differences(twins: Twins, source: random.Random) -> list[str]:
    """Everything in which the two disagree, or in which ours disagrees with itself."""
    return [*rule_differences(twins), *draw_differences(twins), *inner_differences(twins.position, source)]


def rule_differences(twins: Twins) -> list[str]:
    """Moves, texts, check, attacked squares."""
    position, board = twins.position, twins.board
    ours = {render_move(move, twins.chess960): move for move in movegen.legal_moves(position)}
    theirs = {board.uci(move): move for move in board.legal_moves}
    found = []
    if ours.keys() != theirs.keys():
        found.append(f"legal moves: {sorted(ours.keys() ^ theirs.keys())}")
    for text in ours.keys() & theirs.keys():
        san = notation.render_san(position, ours[text])
        if san != board.san(theirs[text]):
            found.append(f"SAN: {san}, theirs {board.san(theirs[text])}")
        if notation.parse_move(position, san) != ours[text] or notation.parse_move(position, text) != ours[text]:
            found.append(f"parsing {san} or {text} gives another move")
        value = exchange_value(board, theirs[text])
        if not exchange.exchange_wins(position, ours[text], value) or exchange.exchange_wins(
            position, ours[text], value + 1
        ):
            found.append(f"exchange: {san} should be worth {value}")
    if fen.render_fen(position) != board.fen():
        found.append(f"FEN: {fen.render_fen(position)}, theirs {board.fen()}")
    again = fen.parse_fen(board.fen(en_passant="fen"), twins.chess960)
    if again.key != position.key:
        found.append("the FEN read again has another key")
    if position.in_check != board.is_check():
        found.append(f"check: {position.in_check}")
    for color in chess.COLORS:
        attacked = {square for square in chess.SQUARES if board.is_attacked_by(color, square)}
        if position.attacked_by(0 if color else 1) != sum(1 << square for square in attacked):
            found.append(f"squares that {chess.COLOR_NAMES[color]} attacks")
    en_passant = board.ep_square if board.has_legal_en_passant() else 64
    if position.en_passant != en_passant:
        found.append(f"en passant: {position.en_passant}, theirs {en_passant}")
    return found


def draw_differences(twins: Twins) -> list[str]:
    """Status, repetitions, claims."""
    position, board = twins.position, twins.board
    if board.is_checkmate():
        status = draws.Status.CHECKMATE
    elif board.is_stalemate():
        status = draws.Status.STALEMATE
    elif board.is_insufficient_material():
        status = draws.Status.DEAD_POSITION
    elif board.is_seventyfive_moves():
        status = draws.Status.SEVENTY_FIVE_MOVES
    elif board.is_fivefold_repetition():
        status = draws.Status.FIVEFOLD_REPETITION
    else:
        status = draws.Status.CHECK if board.is_check() else draws.Status.ONGOING
    found = []
    if draws.status(position) != status:
        found.append(f"status: {draws.status(position)}, theirs {status}")
    repetitions = draws.repetitions(position)
    if not board.is_repetition(repetitions) or board.is_repetition(repetitions + 1):
        found.append(f"repetitions: {repetitions}")
    claims = [0, *movegen.legal_moves(position)]
    fifty = any(draws.can_claim_fifty_moves(position, move) for move in claims)
    if fifty != board.can_claim_fifty_moves():
        found.append(f"50-move claim: {fifty}")
    threefold = any(draws.can_claim_threefold(position, move) for move in claims)
    if threefold != board.can_claim_threefold_repetition():
        found.append(f"threefold claim: {threefold}")
    return found


def inner_differences(position: Position, source: random.Random) -> list[str]:
    """Incremental against recomputed state, unmake, stages, and the legality test."""
    found = []
    before = position.snapshot()
    if before != position.recomputed():
        found.append(f"state: {before}, recomputed {position.recomputed()}")
    moves = movegen.legal_moves(position)
    for move in moves:
        checks = movegen.is_check(position, move)
        movegen.play(position, move)
        if position.in_check != checks:
            found.append(f"{render_move(move)} gives check: {position.in_check}, not {checks}")
        if position.snapshot() != position.recomputed():
            found.append(f"state after {render_move(move)}")
        movegen.undo(position)
        if position.snapshot() != before:
            found.append(f"unmake of {render_move(move)}")
    if sorted(movegen.legal_moves(position, 1) + movegen.legal_moves(position, 2)) != sorted(moves):
        found.append("tactical and quiet moves together are not all moves")
    if not all(movegen.is_legal_move(position, move) for move in moves):
        found.append("a generated move fails the legality test")
    legal = set(moves)
    for _ in range(50):
        number = source.choice(moves) ^ 1 << source.randrange(16) if moves else 0
        number = number if source.random() < 0.5 else source.randrange(1 << 16)
        if movegen.is_legal_move(position, number) != (number in legal):
            found.append(f"legality test of {number}")
    return found


def exchange_value(board: chess.Board, move: chess.Move) -> int:
    """What `move` gains if both sides go on capturing on its square with their cheapest piece: a plain recursion."""
    if board.is_castling(move):
        return 0
    occupied = board.occupied & ~chess.BB_SQUARES[move.from_square]
    gain = 0
    if board.is_en_passant(move):
        gain = PIECE_VALUES[chess.PAWN]
        occupied &= ~chess.BB_SQUARES[
            chess.square(chess.square_file(move.to_square), chess.square_rank(move.from_square))
        ]
    elif (victim := board.piece_type_at(move.to_square)) is not None:
        gain = PIECE_VALUES[victim]
    standing = board.piece_type_at(move.from_square)
    assert standing is not None
    if move.promotion:
        gain += PIECE_VALUES[move.promotion] - PIECE_VALUES[chess.PAWN]
        standing = move.promotion
    occupied |= chess.BB_SQUARES[move.to_square]
    return gain - recapture_value(board, move.to_square, not board.turn, PIECE_VALUES[standing], occupied)


def recapture_value(board: chess.Board, square: int, color: bool, at_stake: int, occupied: int) -> int:
    """The best `color` can make of capturing on `square`, not capturing included."""
    own = board.attackers_mask(color, square, occupied) & occupied
    other = board.attackers_mask(not color, square, occupied) & occupied
    for piece_type in chess.PIECE_TYPES:
        candidates = own & board.pieces_mask(piece_type, color)
        if candidates:
            if piece_type == chess.KING and other:
                return 0
            left = occupied & ~(candidates & -candidates)
            answer = recapture_value(board, square, not color, PIECE_VALUES[piece_type], left)
            return max(0, at_stake - answer)
    return 0


# python-chess as a client of the engine.


def start_engine(command: list[str]) -> chess.engine.SimpleEngine:
    """The engine driven by python-chess, as many scripts do it."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    return chess.engine.SimpleEngine.popen_uci(command, env=environment)


def play_game(engine: chess.engine.SimpleEngine, board: chess.Board, limit: chess.engine.Limit, ponder: bool) -> str:
    """Let the engine play against itself to the end; python-chess raises on any illegal move. Returns the result."""
    while not board.is_game_over(claim_draw=True) and board.ply() < 400:
        result = engine.play(board, limit, ponder=ponder, info=chess.engine.INFO_ALL)
        assert result.move is not None
        assert result.info["pv"][0] == result.move
        board.push(result.move)
    return board.result(claim_draw=True)


# PGN.


def read_pgn(file: TextIO) -> Iterator[PgnGame]:
    """The games of a PGN file as python-chess reads them."""
    while game := chess.pgn.read_game(file):
        yield game


def end_of(game: PgnGame) -> str:
    """The FEN after the last move of the main line."""
    return game.end().board().fen()


def count_moves(game: PgnGame) -> int:
    """The moves of a game, variations included."""
    count = 0
    unseen: list[chess.pgn.GameNode] = [game]
    while unseen:
        node = unseen.pop()
        count += len(node.variations)
        unseen.extend(node.variations)
    return count


# Training games.

IN_CHECK, TACTICAL = 32, 64


def wrong_in_training_game(record: GameRecord) -> list[str]:
    """What python-chess says otherwise of a recorded game: moves, flags, and an end by the rules."""
    board = chess.Board()
    found = []
    for code in record.opening:
        board.push(board.parse_uci(render_move(code)))  # raises if it is not legal
    for ply, (code, _, info) in enumerate(record.plies, 1):
        if board.is_game_over() or board.is_fifty_moves() or board.is_repetition(3):
            found.append(f"ply {ply}: the game was over")
        move = board.parse_uci(render_move(code))
        if bool(info & IN_CHECK) != board.is_check():
            found.append(f"ply {ply}: check")
        if bool(info & TACTICAL) != (board.is_capture(move) or move.promotion is not None):
            found.append(f"ply {ply}: capture or promotion")
        board.push(move)
    ends = {
        "checkmate": board.is_checkmate(),
        "stalemate": board.is_stalemate(),
        "dead position": board.is_insufficient_material(),
        "50-move rule": board.halfmove_clock >= 100,
        "threefold repetition": board.is_repetition(3),
    }
    if not ends.get(record.end, not any(ends.values())):
        found.append(f"the end: {record.end}")
    if record.end == "checkmate" and record.result != (0 if board.turn == chess.WHITE else 2):
        found.append("the wrong side was mated")
    if record.end != "checkmate" and record.end in ends and record.result != 1:
        found.append("a draw with a winner")
    return found


def expected_features(fen_text: str) -> tuple[set[int], set[int]]:
    """A position's features as the side to move and the other side see them, worked out from their definition."""
    board = chess.Board(fen_text)
    views = []
    for view in (board.turn, not board.turn):
        king = board.king(view)
        assert king is not None
        features = set()
        for square, piece in board.piece_map().items():
            seen = square if view == chess.WHITE else chess.square_mirror(square)
            if chess.square_file(king) < 4:
                seen = chess.square(7 - chess.square_file(seen), chess.square_rank(seen))
            features.add(384 * (piece.color != view) + 64 * (piece.piece_type - 1) + seen)
        views.append(features)
    return views[0], views[1]


def flipped_fen(fen_text: str) -> str:
    """The same position with the colours exchanged."""
    return chess.Board(fen_text).mirror().fen()


# Tablebases.


def random_ending(source: random.Random, name: str) -> chess.Board:
    """A random valid position of a table such as KRPvKR, either side to move, en passant where it may have been."""
    strong, weak = name.split("v")
    letters = strong + weak.lower() if source.random() < 0.5 else strong.lower() + weak
    while True:
        board = chess.Board(None)
        pawns = [source.randrange(8, 56) for letter in letters if letter in "Pp"]
        others = [source.randrange(64) for letter in letters if letter not in "Pp"]
        if len({*pawns, *others}) < len(letters):
            continue
        for letter in letters:
            board.set_piece_at((pawns if letter in "Pp" else others).pop(), chess.Piece.from_symbol(letter))
        board.turn = source.random() < 0.5
        if "p" in letters and "P" in letters:
            board.ep_square = en_passant_square(board)
        if board.is_valid():
            return board


def en_passant_square(board: chess.Board) -> int | None:
    """Where the side to move may capture en passant, if the last move was a double step."""
    forward = 8 if board.turn == chess.WHITE else -8
    for pawn in board.pieces(chess.PAWN, board.turn):
        for square in board.attacks(pawn):
            board.ep_square = square
            behind = chess.square_rank(square) == (5 if board.turn == chess.WHITE else 2)
            if behind and board.piece_at(square + forward) is None and board.has_legal_en_passant():
                return square
    return None


class Prober:
    """python-chess's prober on a folder of tables."""

    def __init__(self, folder: os.PathLike[str]) -> None:
        self.tables = chess.syzygy.open_tablebase(os.fspath(folder))
        self.names = sorted(path.removesuffix(".rtbw") for path in os.listdir(folder) if path.endswith(".rtbw"))

    def wdl(self, board: chess.Board) -> int:
        return self.tables.probe_wdl(board)

    def dtz(self, board: chess.Board) -> int:
        return self.tables.probe_dtz(board)


def table_number(name: str, codes: list[int], squares: list[int], order: int, other_order: int) -> tuple[int, int]:
    """The number of a placement as python-chess counts it, and how many there are; codes as in the files."""
    table = chess.syzygy.Table(f"{name}.rtbw")
    norm = [0] * table.num
    factor = [0] * chess.syzygy.TBPIECES
    squares = list(squares)
    if not table.has_pawns:
        table.set_norm_piece(norm, codes)
        total = table.calc_factors_piece(factor, order, norm)
        return table.encode_piece(norm, squares, factor), total
    table.set_norm_pawn(norm, codes)
    file = table.pawn_file(squares)
    total = table.calc_factors_pawn(factor, order, other_order if table.pawns[1] else 0x0F, norm, file)
    return table.encode_pawn(norm, squares, factor), total
