"""How good a position is. The rest of the engine asks one question: `evaluate(position, memory)`."""
