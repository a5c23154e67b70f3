"""One game as played: history, results of moves, events, undo and redo, claims, PGN."""
