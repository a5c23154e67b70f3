"""Values to UCI lines. Pure: every function returns text without line ends."""

from nowchess_uci.engine import notes
from nowchess_uci.evaluation.network import Network
from nowchess_uci.rules import draws
from nowchess_uci.rules.diagram import render_diagram
from nowchess_uci.rules.fen import render_fen
from nowchess_uci.rules.move import render_move
from nowchess_uci.rules.position import Position
from nowchess_uci.search.lateness import Late
from nowchess_uci.search.reports import BestMove, CurrentMove, Progress, Report
from nowchess_uci.search.score import Score
from nowchess_uci.uci.options import OPTIONS, Button, Check, Option, Spin
from nowchess_uci.version import VERSION

AUTHOR = "the NowChess UCI authors"

# Reports of the search.


def render_score(score: Score) -> str:
    """`cp 35`, or `mate 3` counted in moves, negative for the side that is mated."""
    return f"cp {score.cp}" if score.mate is None else f"mate {score.mate}"


def render_progress(report: Progress, show_wdl: bool) -> str:
    """An `info` line in the order that every client reads."""
    if report.depth == 0:
        return f"info depth 0 score {render_score(report.score)}"
    bound = f" {report.bound}" if report.bound else ""
    wdl = " wdl {} {} {}".format(*report.score.wdl) if show_wdl else ""
    milliseconds = round(1000 * report.seconds)
    nps = round(report.nodes / report.seconds) if report.seconds > 0 else report.nodes
    line = " ".join(render_move(move, report.chess960) for move in report.line)
    return (
        f"info depth {report.depth} seldepth {report.selective_depth} multipv {report.rank}"
        f" score {render_score(report.score)}{bound}{wdl} nodes {report.nodes} nps {nps}"
        f" hashfull {report.hashfull} tbhits {report.tbhits} time {milliseconds} pv {line}"
    )


def render_late(late: Late) -> str:
    """What a bug report about a late move needs to say."""
    used = late.used
    waited = "" if late.waited_ms is None else f", waited for it for {late.waited_ms:.0f} ms"
    return render_string(
        f"late: {late.spent_ms:.0f} ms, planned {late.planned_ms:.0f}; the search began after {late.start_ms:.0f} ms "
        f"and had the processor for {used.processor_ms:.0f} ms{waited}, {used.switches} times interrupted, "
        f"{used.faults} page faults"
    )


def render_best_move(best: BestMove) -> str:
    """The `bestmove` line; `(none)` if there is no legal move."""
    if best.move == 0:
        return "bestmove (none)"
    ponder = f" ponder {render_move(best.ponder, best.chess960)}" if best.ponder else ""
    return f"bestmove {render_move(best.move, best.chess960)}{ponder}"


def render_report(report: Report, show_wdl: bool) -> str:
    """Any report of the search as its line."""
    if isinstance(report, Progress):
        return render_progress(report, show_wdl)
    if isinstance(report, CurrentMove):
        move = render_move(report.move, report.chess960)
        return f"info depth {report.depth} currmove {move} currmovenumber {report.number}"
    return render_late(report) if isinstance(report, Late) else render_best_move(report)


def render_perft(counts: dict[int, int], depth: int, chess960: bool) -> str:
    """The result of `go perft`: the leaves below each first move, and all of them."""
    rows = [f"{render_move(move, chess960)}: {count}" for move, count in counts.items()]
    total = sum(counts.values()) if depth > 0 else 1
    return "\n".join([*rows, "", f"Nodes searched: {total}"])


# The handshake.


def render_option(option: Option) -> str:
    """The `option` line of the handshake."""
    if isinstance(option, Spin):
        low, high = option.range
        return f"option name {option.name} type spin default {option.default} min {low} max {high}"
    if isinstance(option, Check):
        return f"option name {option.name} type check default {'true' if option.default else 'false'}"
    if isinstance(option, Button):
        return f"option name {option.name} type button"
    return f"option name {option.name} type string default {option.default or '<empty>'}"


def render_network(network: Network) -> str:
    """What the engine evaluates with."""
    return f"Network {network.name}, {network.neurons} neurons"


def render_handshake(network: Network) -> list[str]:
    """The answer to `uci`."""
    return [
        f"id name NowChess UCI {VERSION}",
        f"id author {AUTHOR}",
        *(render_option(option) for option in OPTIONS),
        render_string(render_network(network)),
        "uciok",
    ]


# Messages for people.


def render_string(text: str) -> str:
    """An `info string` line, made safe: one line, plain ASCII."""
    return "info string " + " ".join(text.encode("ascii", "backslashreplace").decode("ascii").split())


def render_note(note: notes.Note) -> str:
    """What the engine has to say, in words."""
    match note:
        case notes.HashKept(hash_mib, reason):
            return f"Hash stays at {hash_mib} MiB: {reason}"
        case notes.HashReduced(wanted, threads, hash_mib):
            return f"not enough memory for Hash {wanted} and Threads {threads}: Hash is now {hash_mib}"
        case notes.ThreadsKept(threads, reason):
            return f"Threads stays at {threads}: {reason}"
        case notes.ThreadsUnused(wanted, used):
            return f"using {used} of {wanted} threads: more would not help on this machine"
        case notes.TablebasesFound(wdl_files, dtz_files, men):
            files = f": {wdl_files} WDL and {dtz_files} DTZ files, up to {men} men" if wdl_files else ""
            return f"Found {wdl_files} tablebases{files}"
        case notes.TablebaseLeftOut(path, reason):
            return f"SyzygyPath: {path[:200]!a} is not used: {reason}"
        case notes.SearchRefused(reason):
            return f"cannot search: {reason}"
        case notes.SearchFailed(error):
            return f"the search failed: {type(error).__name__}: {error}"
        case notes.NoThread():
            return "the system refuses another thread"
        case notes.WorkFailed(error):
            return f"failed: {type(error).__name__}: {error}"
        case notes.MoveLeftOut(reason):
            return f"searchmoves: {reason}"
        case notes.Stopped(what):
            return f"{what} stopped"
        case notes.BenchRefused(hash_mib, threads, free):
            return f"bench refused: Hash {hash_mib} and Threads {threads} need more than the {free} MiB that are free"


def render_claims(position: Position, verb: str = "may be claimed") -> list[str]:
    """What the side to move may claim now."""
    found = []
    if draws.can_claim_fifty_moves(position):
        found.append(f"draw {verb}: 50-move rule, half-move clock {position.half_move_clock}")
    if draws.can_claim_threefold(position):
        found.append(f"draw {verb}: threefold repetition, {draws.repetitions(position)} times")
    return found


def render_claim_answer(position: Position) -> str:
    """The answer to a claim of a draw."""
    claims = render_claims(position, "claimed")
    return claims[0] if claims else "Draw cannot be claimed: the 50-move rule has not been triggered."


RESULTS = {2: "win", 1: "cursed win", 0: "draw", -1: "blessed loss", -2: "loss"}


def render_tablebases(wdl: int | None, dtz: int | None) -> list[str]:
    """What the tablebases say of a position, as far as they know it."""
    if wdl is None:
        return []
    return [f"Tablebases: WDL {wdl} ({RESULTS[wdl]}), DTZ {'unknown' if dtz is None else dtz}"]


def render_position(position: Position, tablebase_values: tuple[int | None, int | None] = (None, None)) -> str:
    """The board, then what it means."""
    return "\n".join(
        [
            render_diagram(position, coordinates=True),
            "",
            f"Fen: {render_fen(position)}",
            f"Key: {position.key:016X}",
            f"Half-move clock: {position.half_move_clock}",
            f"Repetitions: {draws.repetitions(position)}",
            f"Status: {draws.status(position)}",
            f"Draw: {'; '.join(render_claims(position)) or 'nothing may be claimed'}",
            *render_tablebases(*tablebase_values),
        ]
    )
