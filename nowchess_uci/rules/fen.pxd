from nowchess_uci.rules.position cimport Position

cpdef str render_fen(Position position)
