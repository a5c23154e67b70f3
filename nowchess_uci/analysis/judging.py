"""What a move was worth: win chances, what it lost of them, its judgement, and the accuracy of a player.

Pure arithmetic on evaluations. The formulas are those that lichess has published. They are fitted to the centipawns
of another engine, so by default the win chances are those of our own curve; the thresholds are then twice as high,
because that curve is about twice as steep around equality.
"""

from collections.abc import Sequence
from math import exp, sqrt
from typing import NamedTuple

from nowchess_uci.analysis.model import Evaluation, Summary
from nowchess_uci.evaluation.chances import chances

MOST_CENTIPAWNS = 1000  # of a score that counts; a mate counts as much
LICHESS_START = 15  # what lichess takes the start position for
HOPELESS, LOST = -999, -700  # a mate that could hardly be helped is judged less hard


class Scale(NamedTuple):
    """How scores become win chances, and how many points of them a judgement takes."""

    name: str
    inaccuracy: float
    mistake: float
    blunder: float
    blames_best: bool
    """True if even the move that the engine would have played itself may have lost something."""

    def win_percent(self, evaluation: Evaluation) -> float:
        """White's chances from 0 to 100, a draw counted as half a win."""
        if self.name == "lichess":
            return 50 + 50 * (2 / (1 + exp(-0.00368208 * capped(evaluation))) - 1)
        win, draw, _ = evaluation.wdl
        return (win + draw / 2) / 10

    def accuracy(self, drop: float) -> float:
        """The accuracy of a move from 0 to 100 that lost so many points."""
        if drop <= 0:
            return 100.0
        points = drop * LICHESS.inaccuracy / self.inaccuracy
        raw = 103.1668100711649 * exp(-0.04354415386753951 * points) - 3.166924740191411 + 1
        return min(max(raw, 0.0), 100.0)

    def first(self, evaluation: Evaluation, is_start: bool) -> Evaluation:
        """What counts as the evaluation before the first move of a game."""
        if self.name == "lichess" and is_start:
            return Evaluation(LICHESS_START, None, chances(LICHESS_START), 0, 0, (), "")
        return evaluation


LICHESS = Scale("lichess", 5, 10, 15, blames_best=True)
ENGINE = Scale("engine", 10, 20, 30, blames_best=False)
SCALES = {scale.name: scale for scale in (ENGINE, LICHESS)}


def white_mates(evaluation: Evaluation) -> bool:
    """True if a mate is White's; 0 is a mate on the board, which only the chances tell apart."""
    return evaluation.mate is not None and evaluation.wdl[0] > evaluation.wdl[2]


def capped(evaluation: Evaluation) -> int:
    """Centipawns as far as they count."""
    if evaluation.mate is not None:
        return MOST_CENTIPAWNS if white_mates(evaluation) else -MOST_CENTIPAWNS
    return min(max(evaluation.cp or 0, -MOST_CENTIPAWNS), MOST_CENTIPAWNS)


class Verdict(NamedTuple):
    """What a move did."""

    loss: int
    drop: float
    accuracy: float
    judgement: str


def judge(before: Evaluation, after: Evaluation, move: str, is_white: bool, scale: Scale) -> Verdict:
    """What a move (UCI text) between two evaluations did, for the side that played it."""
    if move == before.best and not scale.blames_best:
        return Verdict(0, 0.0, 100.0, "")
    sign = 1 if is_white else -1
    loss = max(0, sign * (capped(before) - capped(after)))
    drop = max(0.0, sign * (scale.win_percent(before) - scale.win_percent(after)))
    if before.mate is None and after.mate is None:
        judgement = judgement_of(drop, scale)
    else:
        judgement = judgement_of_mate(before, after, is_white)
    return Verdict(loss, drop, scale.accuracy(drop), judgement)


def judgement_of(drop: float, scale: Scale) -> str:
    """By the points lost."""
    if drop >= scale.blunder:
        return "blunder"
    if drop >= scale.mistake:
        return "mistake"
    return "inaccuracy" if drop >= scale.inaccuracy else ""


def judgement_of_mate(before: Evaluation, after: Evaluation, is_white: bool) -> str:
    """A mate allowed or let go is a blunder, less if the game was decided anyway; a mate only delayed is nothing."""
    sign = 1 if is_white else -1
    had_mate = before.mate is not None and white_mates(before) == is_white
    has_mate = after.mate is not None and white_mates(after) == is_white
    is_mated = after.mate is not None and not has_mate
    if before.mate is None and is_mated:
        standing = sign * (before.cp or 0)
    elif had_mate and not has_mate:
        standing = -sign * (after.cp or 0)
    else:
        return ""
    if standing < HOPELESS:
        return "inaccuracy"
    return "mistake" if standing < LOST else "blunder"


# A whole game.


def weights_of(percents: Sequence[float]) -> list[float]:
    """How much each move counts: the standard deviation of the chances around it. One less than there are chances."""
    moves = len(percents) - 1
    size = min(max(moves // 10, 2), 8)
    windows = [percents[:size]] * (min(size, len(percents)) - 2)
    windows += [percents[start : start + size] for start in range(max(len(percents) - size, 0) + 1)]
    return [min(max(deviation(window), 0.5), 12.0) for window in windows[:moves]]


def deviation(values: Sequence[float]) -> float:
    """The standard deviation of a whole population."""
    mean = sum(values) / len(values)
    return sqrt(sum((value - mean) ** 2 for value in values) / len(values))


class Judged(NamedTuple):
    """A move that counts, and how much its accuracy counts among the others."""

    verdict: Verdict
    weight: float


def summarise(moves: Sequence[Judged]) -> Summary:
    """How a player did with these moves."""
    if not moves:
        return Summary(0, None, None, 0, 0, 0)
    accuracies = [move.verdict.accuracy for move in moves]
    weighted = sum(move.verdict.accuracy * move.weight for move in moves) / sum(move.weight for move in moves)
    harmonic = len(moves) / sum(1 / max(1.0, accuracy) for accuracy in accuracies)
    judgements = [move.verdict.judgement for move in moves]
    return Summary(
        len(moves),
        (weighted + harmonic) / 2,
        sum(move.verdict.loss for move in moves) / len(moves),
        judgements.count("inaccuracy"),
        judgements.count("mistake"),
        judgements.count("blunder"),
    )
