"""An analysed game as annotated PGN, in the form that lichess exports and other programs know.

Each analysed move gets `[%eval]`; a bad one also its mark, a sentence, and the best line as a variation. What the file
says itself stays, except what an earlier analysis of this form has left: that is replaced.
"""

import re

from nowchess_uci.analysis.model import Evaluation, GameAnalysis, Ply
from nowchess_uci.analysis.sources import EVAL, known_evaluation
from nowchess_uci.pgn.tree import PgnGame, PgnLine, PgnMove
from nowchess_uci.pgn.walk import walk_game
from nowchess_uci.pgn.write import TextBuilder
from nowchess_uci.rules.movegen import play
from nowchess_uci.rules.notation import parse_move, render_san
from nowchess_uci.rules.position import Position
from nowchess_uci.version import VERSION

ANNOTATOR = f"NowChess UCI {VERSION}"
NAGS = {"inaccuracy": 6, "mistake": 2, "blunder": 4}
MOVE_MARKS = range(1, 7)  # ! ? !! ?? !? ?!
MATE_ALLOWED = "Checkmate is now unavoidable"
MATE_LOST = "Lost forced checkmate sequence"
SENTENCE = re.compile(
    r"(?:\((?:[-+]?[0-9.]+|Mate in [0-9]+) → (?:[-+]?[0-9.]+|Mate in [0-9]+)\) )?"
    rf"(Inaccuracy|Mistake|Blunder|{MATE_ALLOWED}|{MATE_LOST})\.(?: (\S+) was best\.)?(?: |$)"
)
COMMAND = re.compile(r"\[%[^\]]*\]")
WORD = re.compile(r"(?:\[%[^\]]{0,60}\]|\S)+")  # a command is not torn apart by the end of a line


def annotate(game: PgnGame, analysis: GameAnalysis, *, strip_comments: bool = False) -> PgnGame:
    """The game with what the analysis says; with `strip_comments` without what the file says, clocks excepted."""
    annotated = PgnGame(dict(game.tags), PgnLine(game.line.comment), game.result, list(game.errors))
    if strip_comments:
        annotated.line.comment = ""
    if any(ply.after for ply in analysis.plies):
        annotated.tags.setdefault("Annotator", ANNOTATOR)
    position = game.start()
    for node, ply in zip(game.line.moves, analysis.plies, strict=True):
        if strip_comments:
            node = PgnMove(node.move, comment=" ".join(COMMAND.findall(node.comment)))
        annotated.line.moves.append(annotated_move(node, ply, position))
        play(position, node.move)
    return annotated


def annotated_move(node: PgnMove, ply: Ply, position: Position) -> PgnMove:
    """One move with its evaluation and judgement, in place of those that it may have had."""
    if ply.after is None:
        return node
    node = without_old_judgement(node, position)
    comment = node.comment
    evaluation = f"[%eval {render_eval(ply.after)}]"
    if ply.after.mate == 0:
        evaluation = ""  # the move says it: it ends with #
    if known_evaluation(comment) != ply.after:
        comment = " ".join(f"{evaluation} {EVAL.sub('', comment)}".split())
    nags, variations = node.nags, node.variations
    if ply.judgement:
        comment = f"{sentence_of(ply)} {comment}".rstrip()
        if not any(nag in MOVE_MARKS for nag in nags):
            nags = (NAGS[ply.judgement], *nags)
        line = best_line(ply, position)
        if line.moves and not any(moves_of(line) == moves_of(other) for other in variations):
            variations = (line, *variations)
    return PgnMove(node.move, nags, comment, variations)


def without_old_judgement(node: PgnMove, position: Position) -> PgnMove:
    """A move without the sentence, the mark and the line that an earlier analysis gave it."""
    found = SENTENCE.match(node.comment)
    if not found:
        return node
    comment = node.comment[found.end() :]
    nags = tuple(nag for nag in node.nags if nag not in NAGS.values())
    variations = node.variations
    if variations and is_bare(variations[0], found[2], position):  # an analysis puts its line before all others
        variations = variations[1:]
    return PgnMove(node.move, nags, comment, variations)


def is_bare(line: PgnLine, first: str | None, position: Position) -> bool:
    """True if a variation begins with this move and says nothing but its moves."""
    if line.comment or not line.moves or render_san(position, line.moves[0].move) != first:
        return False
    return not any(node.comment or node.nags or node.variations for node in line.moves)


def moves_of(line: PgnLine) -> list[int]:
    """The moves of a line alone."""
    return [node.move for node in line.moves]


def has_better(ply: Ply) -> bool:
    """True if a better move is known than the one that was played."""
    return ply.before is not None and bool(ply.before.line) and ply.before.best != ply.uci


def best_line(ply: Ply, position: Position) -> PgnLine:
    """What should have been played; empty if that is not known."""
    line = PgnLine()
    position = position.copy()
    for san in ply.before.line if ply.before and has_better(ply) else ():
        move = parse_move(position, san)
        line.moves.append(PgnMove(move))
        play(position, move)
    return line


def sentence_of(ply: Ply) -> str:
    """`(0.36 → -0.36) Inaccuracy. Ngf3 was best.`"""
    assert ply.before is not None
    assert ply.after is not None
    if ply.before.mate is not None:
        what = MATE_LOST
    elif ply.after.mate is not None:
        what = MATE_ALLOWED
    else:
        what = ply.judgement.capitalize()
    best = f" {ply.before.line[0]} was best." if has_better(ply) else ""
    return f"({in_words(ply.before)} → {in_words(ply.after)}) {what}.{best}"


def in_words(evaluation: Evaluation) -> str:
    """A score as the sentence has it."""
    return render_eval(evaluation) if evaluation.mate is None else f"Mate in {abs(evaluation.mate)}"


def render_eval(evaluation: Evaluation) -> str:
    """Pawns as White sees them, or `#3` and `#-3`."""
    if evaluation.mate is not None:
        return f"#{evaluation.mate}"
    return f"{(evaluation.cp or 0) / 100:.2f}"


def render_annotated(game: PgnGame) -> str:
    """An annotated game as PGN, with a blank line after it; raises ValueError for what PGN cannot hold."""
    return walk_game(game, AnnotationBuilder())


class AnnotationBuilder(TextBuilder):
    """Writes comments as lichess does: a space inside the braces, and a sentence apart from the commands."""

    def comment(self, text: str) -> None:
        text = text.replace("}", ")")
        found = SENTENCE.match(text)
        if found:
            self.words.append(f"{{ {found[0].rstrip()} }}")  # whole on one line, for programs that look for it
        words = WORD.findall(text[found.end() if found else 0 :])
        if words:
            words[0] = f"{{ {words[0]}"
            words[-1] += " }"
            self.words += words
        self.needs_number = True
