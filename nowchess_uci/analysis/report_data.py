"""What the report's page knows of a game: a head for the tables, and a body that is decoded when the game is opened.

The page knows no rules of chess. It gets the first position and, for each move, what changes on the board: two letters
if a piece goes from one square to another, otherwise a square and its new piece for each change. Squares are numbered
as in a FEN, a8 first. Columns rather than rows keep the file small.
"""

from nowchess_uci.analysis.model import JUDGEMENTS, PHASES, Evaluation, GameAnalysis, Summary
from nowchess_uci.rules.board import Board

LONGEST_TEXT = 200  # of a tag: nobody reads more, and a file may hold megabytes
LONGEST_LINE = 12  # half-moves
SQUARES = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
EMPTY = "."
NO_ARROW = ".."
_EXPANDED = str.maketrans({"/": "", **{str(count): EMPTY * count for count in range(1, 9)}})

Json = dict[str, object]


def head_of(game: GameAnalysis) -> Json:
    """What the tables over games and players show."""
    tags = {name: shortened(text) for name, text in game.tags.items()}
    return {
        "number": game.number,
        "source": shortened(game.source),
        "white": tags.get("White", "?"),
        "black": tags.get("Black", "?"),
        "whiteElo": tags.get("WhiteElo", ""),
        "blackElo": tags.get("BlackElo", ""),
        "result": shortened(game.result),
        "date": tags.get("Date", ""),
        "event": tags.get("Event", ""),
        "site": tags.get("Site", ""),
        "round": tags.get("Round", ""),
        "opening": " ".join(filter(None, (tags.get("ECO", ""), tags.get("Opening", "")))),
        "plies": len(game.plies),
        "summaries": [
            [summary_row(summary) for summary in (whole, *phases)]
            for whole, phases in ((game.white, game.white_phases), (game.black, game.black_phases))
        ],
    }


def summary_row(summary: Summary) -> list[float | None]:
    return [
        summary.moves,
        rounded(summary.accuracy),
        rounded(summary.average_loss),
        summary.inaccuracies,
        summary.mistakes,
        summary.blunders,
    ]


def body_of(game: GameAnalysis) -> Json:
    """The game itself. A column about moves has an entry for each ply, one about positions has one more."""
    plies = game.plies
    fields = game.start_fen.split()
    fens = [ply.fen for ply in plies] + [last_fen(game)]
    boards = [placement(fen) for fen in fens]
    evaluations = [ply.before for ply in plies] + [plies[-1].after if plies else None]
    lines = [line_of(fen, evaluation, game.chess960) for fen, evaluation in zip(fens, evaluations, strict=True)]
    body: Json = {
        "start": boards[0],
        "blackBegins": fields[1] == "b",
        "firstNumber": int(fields[5]) if len(fields) > 5 else 1,
        "moves": " ".join(ply.san for ply in plies),
        "steps": " ".join(map(step, boards, boards[1:])),
        "played": "".join(arrow(ply.uci) for ply in plies),
        "judgements": "".join(letter(ply.judgement, JUDGEMENTS) for ply in plies),
        "phases": "".join(letter(ply.phase, PHASES) for ply in plies),
        "losses": [ply.loss for ply in plies],
        "drops": [rounded(ply.drop) for ply in plies],
        "scores": [score_of(evaluation) for evaluation in evaluations],
        "wins": [evaluation and evaluation.wdl[0] for evaluation in evaluations],
        "draws": [evaluation and evaluation.wdl[1] for evaluation in evaluations],
        "depths": [evaluation and evaluation.depth for evaluation in evaluations],
        "best": "".join(arrow(evaluation.best) if evaluation else NO_ARROW for evaluation in evaluations),
        "lines": [moves for moves, _ in lines],
        "lineSteps": [steps for _, steps in lines],
    }
    if any(ply.clock is not None for ply in plies):
        body["clocks"] = [rounded(ply.clock) for ply in plies]
    return body


def last_fen(game: GameAnalysis) -> str:
    """The position that the game ended in."""
    if not game.plies:
        return game.start_fen
    board = Board(game.plies[-1].fen, chess960=game.chess960)
    board.play(game.plies[-1].uci)
    return board.fen()


def line_of(fen: str, evaluation: Evaluation | None, chess960: bool) -> tuple[str, str]:
    """The moves of the best line from a position and its steps, both with spaces between."""
    if evaluation is None or not evaluation.line:
        return "", ""
    board = Board(fen, chess960=chess960)
    boards = [placement(fen)]
    moves = evaluation.line[:LONGEST_LINE]
    for san in moves:
        board.play(san)
        boards.append(placement(board.fen()))
    return " ".join(moves), " ".join(map(step, boards, boards[1:]))


def placement(fen: str) -> str:
    """The 64 squares of a FEN."""
    return fen.split(" ", 1)[0].translate(_EXPANDED)


def step(before: str, after: str) -> str:
    """What changes on the board by one move."""
    changed = [square for square in range(64) if before[square] != after[square]]
    if len(changed) == 2:
        source, target = changed if after[changed[0]] == EMPTY else reversed(changed)
        if after[source] == EMPTY and after[target] == before[source]:
            return SQUARES[source] + SQUARES[target]
    return "".join(SQUARES[square] + after[square] for square in changed)


def arrow(uci: str) -> str:
    """From where to where a move goes."""
    if len(uci) < 4:
        return NO_ARROW
    return SQUARES[square_of(uci[:2])] + SQUARES[square_of(uci[2:4])]


def square_of(name: str) -> int:
    """The number of a square in a FEN."""
    return 8 * (8 - int(name[1])) + "abcdefgh".index(name[0])


def letter(word: str, words: tuple[str, ...]) -> str:
    """The first letter of a word that must be one of some words, or a dot for none."""
    return word[0] if word in words else "."


def score_of(evaluation: Evaluation | None) -> int | str | None:
    """Centipawns, or a mate as `#3`, `#-3`, or just `#` on the board."""
    if evaluation is None:
        return None
    return evaluation.cp if evaluation.mate is None else f"#{evaluation.mate or ''}"


def rounded(number: float | None) -> float | None:
    """One decimal, and no decimal point where it is not needed."""
    if number is None:
        return None
    short = round(number, 1)
    return int(short) if short == int(short) else short


def shortened(text: str) -> str:
    """A text of a length that can be shown."""
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"
