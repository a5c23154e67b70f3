"""The rules of chess: what is legal and when a game ends. Imports nothing from the rest of the package."""
