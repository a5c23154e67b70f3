"""The rules for Python scripts: one small class that speaks text and plain numbers.

A thin layer over `Position` and its modules, which the engine itself uses directly. Bad input raises a ValueError
that says what is wrong, and the board stays as it was.
"""

from nowchess_uci.rules import draws, fen, movegen, notation
from nowchess_uci.rules.constants import NO_SQUARE
from nowchess_uci.rules.diagram import piece_letter, render_diagram
from nowchess_uci.rules.draws import Status
from nowchess_uci.rules.move import (
    NO_MOVE,
    captured_pawn_square,
    is_castling,
    is_en_passant,
    parse_square,
    render_move,
    square_name,
    target_of,
)
from nowchess_uci.rules.perft import divide
from nowchess_uci.rules.position import Position


class Board:
    """A position that can be asked and played on, in standard chess or Chess960.

    Moves go in as UCI text (`e2e4`, `e7e8q`) or SAN (`Nf3`, `exd8=Q+`) and come out as UCI text. For code that keeps
    many of them, `parse_move` gives a move as the small integer of the rules, which every method takes as well.
    """

    def __init__(self, fen_text: str = fen.START_FEN, *, chess960: bool = False) -> None:
        notes: list[str] = []
        self._position: Position = fen.parse_fen(fen_text, chess960, notes)
        self.notes = tuple(notes)
        """What the FEN claimed and the position cannot have, such as a castling right without its rook."""

    def __repr__(self) -> str:
        chess960 = ", chess960=True" if self._position.chess960 else ""
        return f"Board({self.fen()!r}{chess960})"

    def __str__(self) -> str:
        """The board as eight lines of text, White at the bottom."""
        return render_diagram(self._position)

    def copy(self) -> "Board":
        """An independent board with the same position and past."""
        twin = Board.__new__(Board)
        twin._position = self._position.copy()
        twin.notes = self.notes
        return twin

    def __copy__(self) -> "Board":
        return self.copy()

    def __deepcopy__(self, memo: object) -> "Board":
        return self.copy()

    # The position.

    @property
    def position(self) -> Position:
        """A copy of the position with its past, for the modules that work on one."""
        return self._position.copy()

    @property
    def chess960(self) -> bool:
        """True if castling is written king-takes-rook."""
        return self._position.chess960

    @property
    def turn(self) -> str:
        """`white` or `black`."""
        return fen.COLOR_NAMES[self._position.side]

    @property
    def is_check(self) -> bool:
        """True if the side to move is in check (FIDE 3.9)."""
        return self._position.in_check

    @property
    def half_move_clock(self) -> int:
        """Half-moves since the last pawn move or capture; from 100 on a draw may be claimed."""
        return self._position.half_move_clock

    @property
    def full_move_number(self) -> int:
        """1 at the start, one more after each move of Black."""
        return self._position.full_move_number

    @property
    def en_passant_square(self) -> str | None:
        """The square of a legal en-passant capture, if there is one."""
        square = self._position.en_passant
        return None if square == NO_SQUARE else square_name(square)

    @property
    def castling_rights(self) -> str:
        """As in a FEN: `KQkq`, `-`, or file letters where Chess960 needs them."""
        return fen.render_castling(self._position)

    @property
    def key(self) -> int:
        """A 64-bit number, equal for positions that count as equal for repetition."""
        return self._position.key

    def piece_at(self, square: str) -> str | None:
        """The FEN letter of the piece on a square such as `e4`, or None."""
        return piece_letter(self._position, parse_square(square))

    def fen(self) -> str:
        """The position as a FEN."""
        return fen.render_fen(self._position)

    # Moves.

    def legal_moves(self) -> list[str]:
        """All legal moves as UCI text."""
        return [render_move(move, self._position.chess960) for move in movegen.legal_moves(self._position)]

    def is_legal(self, move: str | int) -> bool:
        """True if the text names exactly one legal move, or the integer is one."""
        try:
            self.parse_move(move)
        except ValueError:
            return False
        return True

    def parse_move(self, move: str | int) -> int:
        """The legal move that a text names, as an integer; raises a MoveTextError if there is not exactly one."""
        if isinstance(move, str):
            return notation.parse_move(self._position, move)
        if not movegen.is_legal_move(self._position, move):
            raise notation.IllegalMoveError(f"move number {move} is not legal here")
        return move

    def san(self, move: str | int) -> str:
        """A legal move in standard algebraic notation."""
        return notation.render_san(self._position, self.parse_move(move))

    def captured_by(self, move: str | int) -> str | None:
        """The FEN letter of the piece that a legal move captures, en passant too, or None."""
        move = self.parse_move(move)
        if is_castling(move):
            return None  # the target is the own rook's square
        square = target_of(move)
        if is_en_passant(move):
            square = captured_pawn_square(square, self._position.side)
        return piece_letter(self._position, square)

    def play(self, *moves: str | int) -> None:
        """Play one or more moves; if one of them is not legal, none is played."""
        played = 0
        try:
            for move in moves:
                movegen.play(self._position, self.parse_move(move))
                played += 1
        except BaseException:
            for _ in range(played):
                movegen.undo(self._position)
            raise

    @property
    def last_move(self) -> int:
        """The move that led here, or 0."""
        return self._position.last_move

    def undo(self) -> str:
        """Take back the last move and return it; raises IndexError if there is none."""
        move = self._position.last_move
        movegen.undo(self._position)
        return render_move(move, self._position.chess960)

    # The state of the game.

    def status(self) -> Status:
        """Whether the game goes on, and if not, why (FIDE 5.1, 5.2, 9.6)."""
        return draws.status(self._position)

    def repetitions(self) -> int:
        """How often this position has stood on the board, now included."""
        return draws.repetitions(self._position)

    def can_claim_fifty_moves(self, intended: str | int | None = None) -> bool:
        """True if the side to move may claim by the 50-move rule, now or with an intended move (FIDE 9.3)."""
        return draws.can_claim_fifty_moves(self._position, self._intended(intended))

    def can_claim_threefold(self, intended: str | int | None = None) -> bool:
        """True if the side to move may claim a threefold repetition, now or with an intended move (FIDE 9.2)."""
        return draws.can_claim_threefold(self._position, self._intended(intended))

    def _intended(self, move: str | int | None) -> int:
        return NO_MOVE if move is None else self.parse_move(move)

    def perft(self, depth: int, threads: int = 1) -> int:
        """The number of positions after exactly `depth` half-moves."""
        return sum(divide(self._position, depth, threads).values()) if depth > 0 else 1
