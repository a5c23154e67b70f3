"""Training data: games of the engine against itself, their files, and the way from files to training positions."""
