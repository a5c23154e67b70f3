"""A person at a terminal: the board as text, and a game to play on it."""
