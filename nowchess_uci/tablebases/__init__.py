"""Syzygy endgame tables: finding the files, opening them, and looking positions up. Imports the rules only."""
