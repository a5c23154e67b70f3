"""The rules for Python scripts: one small class that speaks text and plain numbers.

A thin layer over `Position` and its modules, which the engine itself uses directly. Bad input raises a ValueError
that says what is wrong, and the board stays as it was.
"""

from nowchess_uci.rules import draws, fen, movegen, notation
from nowchess_uci.rules.draws import Status
from nowchess_uci.rules.move import parse_square, render_move, square_name
from nowchess_uci.rules.perft import divide
from nowchess_uci.rules.position import Position

NO_SQUARE = 64
EMPTY = 12


class Board:
    """A position that can be asked and played on, in standard chess or Chess960.

    Moves go in as UCI text (`e2e4`, `e7e8q`) or SAN (`Nf3`, `exd8=Q+`) and come out as UCI text.
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
        rows = []
        for rank in range(7, -1, -1):
            rows.append(" ".join(self.piece_at(square_name(8 * rank + file)) or "." for file in range(8)))
        return "\n".join(rows)

    def copy(self) -> "Board":
        """An independent board with the same position and past."""
        twin = Board.__new__(Board)
        twin._position = self._position.copy()
        twin.notes = self.notes
        return twin

    # The position.

    @property
    def turn(self) -> str:
        """`white` or `black`."""
        return fen.COLOR_NAMES[self._position.side]

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
        piece = self._position.piece_at(parse_square(square))
        return None if piece == EMPTY else fen.PIECE_LETTERS[piece]

    def fen(self) -> str:
        """The position as a FEN."""
        return fen.render_fen(self._position)

    # Moves.

    def legal_moves(self) -> list[str]:
        """All legal moves as UCI text."""
        return [render_move(move, self._position.chess960) for move in movegen.legal_moves(self._position)]

    def is_legal(self, move: str) -> bool:
        """True if the text names exactly one legal move."""
        try:
            notation.parse_move(self._position, move)
        except notation.MoveTextError:
            return False
        return True

    def san(self, move: str) -> str:
        """A legal move in standard algebraic notation."""
        return notation.render_san(self._position, notation.parse_move(self._position, move))

    def play(self, *moves: str) -> None:
        """Play one or more moves; if one of them is not legal, none is played."""
        played = 0
        try:
            for text in moves:
                movegen.play(self._position, notation.parse_move(self._position, text))
                played += 1
        except ValueError:
            for _ in range(played):
                movegen.undo(self._position)
            raise

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

    def can_claim_fifty_moves(self, intended: str | None = None) -> bool:
        """True if the side to move may claim by the 50-move rule, now or with an intended move (FIDE 9.3)."""
        return draws.can_claim_fifty_moves(self._position, self._intended(intended))

    def can_claim_threefold(self, intended: str | None = None) -> bool:
        """True if the side to move may claim a threefold repetition, now or with an intended move (FIDE 9.2)."""
        return draws.can_claim_threefold(self._position, self._intended(intended))

    def _intended(self, move: str | None) -> int:
        return 0 if move is None else notation.parse_move(self._position, move)

    def perft(self, depth: int, threads: int = 1) -> int:
        """The number of positions after exactly `depth` half-moves."""
        return sum(divide(self._position, depth, threads).values()) if depth > 0 else 1
