"""Finding the best move. Hands report values to a callable it was given and never prints."""
