"""The engine as an object: asked about positions, it searches, counts, and keeps what it has learnt."""
