"""The engine alive between commands: its options, its position, its search. Reads and writes no stream."""
