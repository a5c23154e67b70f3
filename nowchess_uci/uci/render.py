"""Values to UCI lines. Pure: every function returns text without line ends."""

from nowchess_uci.evaluation.chances import chances
from nowchess_uci.rules.move import render_move
from nowchess_uci.search.deepening import LEAST_MATE_SCORE, MATE_SCORE
from nowchess_uci.search.reports import BestMove, CurrentMove, Progress, Report
from nowchess_uci.session.options import OPTIONS, Button, Check, Option, Spin


def render_score(score: int) -> str:
    """`cp 35`, or `mate 3` counted in moves, negative for the side that is mated."""
    if score >= LEAST_MATE_SCORE:
        return f"mate {(MATE_SCORE - score + 1) // 2}"
    if score <= -LEAST_MATE_SCORE:
        return f"mate {-((MATE_SCORE + score) // 2)}"
    return f"cp {score}"


def render_progress(report: Progress, chess960: bool, show_wdl: bool) -> str:
    """An `info` line in the order that every client reads."""
    bound = f" {report.bound}" if report.bound else ""
    wdl = " wdl {} {} {}".format(*chances(report.score)) if show_wdl else ""
    milliseconds = round(1000 * report.seconds)
    nps = round(report.nodes / report.seconds) if report.seconds > 0 else report.nodes
    text = (
        f"info depth {report.depth} seldepth {report.selective_depth} multipv {report.multipv}"
        f" score {render_score(report.score)}{bound}{wdl} nodes {report.nodes} nps {nps}"
        f" hashfull {report.hashfull} tbhits 0 time {milliseconds}"
    )
    if report.depth == 0:
        return f"info depth 0 score {render_score(report.score)}"
    return f"{text} pv {' '.join(render_move(move, chess960) for move in report.line)}"


def render_best_move(best: BestMove, chess960: bool) -> str:
    """The `bestmove` line; `(none)` if there is no legal move."""
    if best.move == 0:
        return "bestmove (none)"
    ponder = f" ponder {render_move(best.ponder, chess960)}" if best.ponder else ""
    return f"bestmove {render_move(best.move, chess960)}{ponder}"


def render_report(report: Report, chess960: bool, show_wdl: bool) -> str:
    """Any report of the search as its line."""
    if isinstance(report, Progress):
        return render_progress(report, chess960, show_wdl)
    if isinstance(report, CurrentMove):
        move = render_move(report.move, chess960)
        return f"info depth {report.depth} currmove {move} currmovenumber {report.number}"
    return render_best_move(report, chess960)


def render_option(option: Option) -> str:
    """The `option` line of the handshake."""
    if isinstance(option, Spin):
        return f"option name {option.name} type spin default {option.default} min {option.low} max {option.high}"
    if isinstance(option, Check):
        return f"option name {option.name} type check default {'true' if option.default else 'false'}"
    if isinstance(option, Button):
        return f"option name {option.name} type button"
    return f"option name {option.name} type string default {option.default or '<empty>'}"


def render_handshake(name: str, author: str) -> list[str]:
    """The answer to `uci`."""
    return [f"id name {name}", f"id author {author}", *(render_option(option) for option in OPTIONS), "uciok"]


def render_string(text: str) -> str:
    """An `info string` line, made safe: one line, plain ASCII."""
    return "info string " + " ".join(text.encode("ascii", "backslashreplace").decode("ascii").split())
