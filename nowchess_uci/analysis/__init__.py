"""Analysis of whole collections: games and positions in; annotated PGN, JSON lines, CSV and a report out."""
