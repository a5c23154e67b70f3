"""Analyses of games for the tests of what is made from them: moves are legal, evaluations made up, the same every time.

`made_up` is one game; what the engine really thinks of it does not matter to a report.
"""

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from nowchess_uci.analysis.model import PHASES, Evaluation, GameAnalysis, Ply, Summary
from nowchess_uci.rules.board import Board
from nowchess_uci.rules.fen import START_FEN
from nowchess_uci.search.score import Score

OPERA_TEXT = (
    "e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5 Bxb5+ Nbd7 O-O-O Rd8 Rxd7 Rxd7 "
    "Rd1 Qe6 Bxd7+ Nxd7 Qb8+ Nxb8 Rd8#"
)
OPERA = OPERA_TEXT.split()
OPERA_TAGS = {
    "Event": "Opera",
    "Site": "Paris",
    "Date": "1858.??.??",
    "Round": "?",
    "White": "Morphy, Paul",
    "Black": "Duke Karl / Count Isouard",
    "Result": "1-0",
    "ECO": "C41",
}
START_SECONDS = 600.0


def made_up(
    moves: list[str],
    tags: dict[str, str] | None = None,
    *,
    seed: int = 1,
    number: int = 1,
    fen: str = START_FEN,
    chess960: bool = False,
    clocks: bool = True,
    result: str | None = None,
    line_length: int = 8,
) -> GameAnalysis:
    """An analysis of these moves in which the score wanders about."""
    source = random.Random(seed)
    board = Board(fen, chess960=chess960)
    evaluations = [evaluation(source, board, 20, line_length)]
    plies: list[Ply] = []
    left = {"white": START_SECONDS, "black": START_SECONDS}
    for index, text in enumerate(moves):
        before, mover = board.fen(), board.turn
        san = board.san(text)
        board.play(text)
        uci = board.undo()
        board.play(uci)
        lost = source.choice((-20, 0, 5, 10, 15, 60, 250))
        score = (evaluations[-1].cp or 0) + (-lost if mover == "white" else lost)
        evaluations.append(evaluation(source, board, score, line_length))
        left[mover] = max(1.0, left[mover] - source.uniform(0.5, 24.0))
        verdict = judged(evaluations[-2], evaluations[-1], mover == "white")
        plies.append(
            Ply(
                number=index + 1,
                fen=before,
                san=san,
                uci=uci,
                before=evaluations[-2],
                after=evaluations[-1],
                loss=verdict.loss,
                drop=verdict.drop,
                accuracy=verdict.accuracy,
                judgement=verdict.judgement,
                phase=PHASES[min(index // 16, 2)],
                clock=round(left[mover], 1) if clocks else None,
            )
        )
    tags = dict(OPERA_TAGS if tags is None else tags)
    white, black = ([ply for ply in plies if (ply.fen.split()[1] == "w") == is_white] for is_white in (True, False))
    return GameAnalysis(
        number=number,
        source="games.pgn",
        tags=tags,
        start_fen=fen,
        chess960=chess960,
        result=result or tags.get("Result", "*"),
        plies=tuple(plies),
        white=summary(white),
        black=summary(black),
        white_phases=by_phase(white),
        black_phases=by_phase(black),
    )


def evaluation(source: random.Random, board: Board, cp: int, length: int) -> Evaluation:
    """A score, and a line of legal moves."""
    line: list[str] = []
    best = ""
    for _ in range(length):
        if not (moves := board.legal_moves()):
            break
        move = source.choice(moves)
        best = best or move
        line.append(board.san(move))
        board.play(move)
    for _ in line:
        board.undo()
    mate = None if board.legal_moves() or not board.is_check else 0
    wdl = Score(cp, "white").wdl
    return Evaluation(None if mate == 0 else cp, mate, wdl, 12, 20_000, tuple(line), best)


class Verdict(NamedTuple):
    """What a move is said to be worth."""

    loss: int
    drop: float
    accuracy: float
    judgement: str


def judged(before: Evaluation, after: Evaluation, is_white: bool) -> Verdict:
    """A judgement of the usual kind."""
    scores = [max(-1000, min(1000, evaluation.cp or 0)) for evaluation in (before, after)]
    chances = [(evaluation.wdl[0] + evaluation.wdl[1] / 2) / 10 for evaluation in (before, after)]
    sign = 1 if is_white else -1
    drop = max(0.0, sign * (chances[0] - chances[1]))
    judgement = "blunder" if drop >= 15 else "mistake" if drop >= 10 else "inaccuracy" if drop >= 5 else ""
    return Verdict(max(0, sign * (scores[0] - scores[1])), drop, max(0.0, 100 - 2 * drop), judgement)


def by_phase(plies: list[Ply]) -> tuple[Summary, ...]:
    """A summary for each phase."""
    return tuple(summary([ply for ply in plies if ply.phase == phase]) for phase in PHASES)


def summary(plies: list[Ply]) -> Summary:
    """How a player did in some plies."""
    judgements = [ply.judgement for ply in plies]
    return Summary(
        moves=len(plies),
        accuracy=mean([ply.accuracy for ply in plies]),
        average_loss=mean([ply.loss for ply in plies]),
        inaccuracies=judgements.count("inaccuracy"),
        mistakes=judgements.count("mistake"),
        blunders=judgements.count("blunder"),
    )


def mean(numbers: Sequence[float | None]) -> float | None:
    """The mean of the numbers that are known; None if there are none."""
    known = [number for number in numbers if number is not None]
    return sum(known) / len(known) if known else None


def without_evaluations(game: GameAnalysis, wanted: range) -> GameAnalysis:
    """The same, with some plies (counted from 0) that were not analysed."""
    plies = list(game.plies)
    for at in wanted:
        plies[at] = replace(plies[at], before=None, after=None, loss=None, drop=None, accuracy=None, judgement="")
    return replace(game, plies=tuple(plies))
