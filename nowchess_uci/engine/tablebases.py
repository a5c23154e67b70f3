"""Syzygy tablebases for Python programs: the result of an ending, and how far its next capture or pawn move is."""

import os

from nowchess_uci.engine.boards import BoardLike, position_of
from nowchess_uci.tablebases.folders import Problem, require_folder, split_path
from nowchess_uci.tablebases.probe import dtz_of, wdl_of
from nowchess_uci.tablebases.tables import Tables


class Tablebases:
    """The tables in one folder or several, `;` between them. Any number of threads may use them."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Raises OSError if a folder cannot be read, and ValueError if none is named. Files are opened when needed."""
        folders = split_path(os.fspath(path))
        if not folders:
            raise ValueError("the path names no folder")
        for folder in folders:
            require_folder(folder)
        self._tables = Tables(folders)

    def wdl(self, board: BoardLike) -> int | None:
        """2 if the side to move wins, 0 for a draw, -2 if it loses; 1 and -1 if the 50-move rule makes it a draw.

        The half-move clock counts as 0. None if there is no table, castling is possible, or a file cannot be used.
        """
        return wdl_of(self._tables, position_of(board))

    def dtz(self, board: BoardLike) -> int | None:
        """Plies to the next capture, pawn move or mate of the side that wins, negative if the side to move loses.

        0 for a draw; more than 100 if the 50-move rule makes it one. It may be one too small. None as for `wdl`.
        """
        return dtz_of(self._tables, position_of(board))

    @property
    def men(self) -> int:
        """How many men the largest table has; 0 if there is none."""
        return self._tables.largest

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The files that are not used, as far as known: each with its `path` and the `reason`."""
        return tuple(self._tables.problems)

    def __len__(self) -> int:
        """How many tables there are."""
        return self._tables.wdl_count

    def __repr__(self) -> str:
        return f"<Tablebases {len(self)} tables, up to {self.men} men>"
