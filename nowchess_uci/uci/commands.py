"""The commands of the protocol, each declared once: what it does, its arguments and its help for people."""

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

from nowchess_uci.engine.settings import HASH_MIB, THREADS
from nowchess_uci.evaluation.explain import render_evaluation
from nowchess_uci.rules.fen import START_FEN
from nowchess_uci.search.limits import Limits
from nowchess_uci.uci import options, parse, render
from nowchess_uci.uci.protocol import Protocol

DEEPEST_PERFT = 40
FALLBACK_MS = 1000


def run_line(protocol: Protocol, line: str) -> bool:
    """Obey one line; False if it was `quit`."""
    command = parse.parse_line(line, COMMANDS)
    if command.word == "quit":
        return False
    known = COMMANDS.get(command.word)
    if known is not None:
        try:
            known.action(protocol, command.rest)
        except parse.CommandError as error:
            protocol.say(f"{command.word} ignored: {error}")
        except Exception as error:  # whatever it is, the game goes on
            protocol.say(f"{command.word} failed: {type(error).__name__}: {error}")
    elif command.word and protocol.preferences.debug:
        protocol.say(f"unknown command {command.word[:40]!a}; try help")
    elif command.word and protocol.is_at_terminal:
        answer_person(protocol, command.word)
    return True


def answer_person(protocol: Protocol, word: str) -> None:
    """What a person at a terminal hears who types something else."""
    if word.lower() in ("exit", "bye", "q"):
        protocol.output.write("Type quit to leave.")
    elif word == "play":
        protocol.output.write("To play at the terminal, leave with quit and start: nowchess-uci play")
    elif is_move_text(word):
        protocol.output.write(f"To make a move: position startpos moves {word}; then go movetime 1000")
    else:
        protocol.output.write(f"There is no command {word[:40]!a}. Type help for the commands, quit to leave.")


def is_move_text(word: str) -> bool:
    """True for something like e2e4 or Nf3."""
    return 2 <= len(word) <= 7 and any(letter in "abcdefghO" for letter in word) and word[-1] in "12345678qrbnO+#"


# The handshake and options.


def uci(protocol: Protocol, rest: str) -> None:
    protocol.output.write("\n".join(render.render_handshake(protocol.engine.network)))


def is_ready(protocol: Protocol, rest: str) -> None:
    """Whatever can be prepared before the clock runs is prepared now."""
    if not protocol.work.is_running:
        protocol.work.settle()
        with suppress(MemoryError):  # the search will say so
            protocol.engine.prepare()
    protocol.output.write("readyok")


def debug(protocol: Protocol, rest: str) -> None:
    if rest not in ("on", "off"):
        raise parse.CommandError("'on' or 'off' expected")
    protocol.preferences.debug = rest == "on"


def set_option(protocol: Protocol, rest: str) -> None:
    """Set one option, now or at the end of the search that is running."""
    command = parse.parse_set_option(rest)
    try:
        option: Any = options.find(command.name)
        value = options.parse_value(option, command.value)
    except options.OptionError as error:
        protocol.say(str(error))
        return
    if option.at_once:
        option.react(protocol, value)
    else:
        protocol.work.when_idle(lambda: option.react(protocol, value))


# The position.


def new_game(protocol: Protocol, rest: str) -> None:
    protocol.work.when_idle(protocol.engine.forget)


def position(protocol: Protocol, rest: str) -> None:
    try:
        command = parse.parse_position(rest)
    except parse.CommandError as error:
        protocol.refuse_position(str(error))
    else:
        protocol.set_position(START_FEN if command.fen is None else command.fen, command.moves)


# Searching and counting.


def go(protocol: Protocol, rest: str) -> None:
    command = parse.parse_go(rest, time.monotonic())
    for problem in command.problems:
        protocol.say(f"go: {problem}")
    if command.perft is None:
        if "perft" in rest.split():
            return  # nobody waits for a best move, and how deep to count was not said
        protocol.search(safe_limits(command))
    else:
        protocol.count(min(max(command.perft, 0), DEEPEST_PERFT))


def safe_limits(command: parse.GoCommand) -> Limits:
    """The limits of a `go`: if none of those it was meant to have was understood, a second must do.

    A typing error must not become a search without end. A bare `go` is one that was asked for.
    """
    limits = command.limits
    if command.problems and not limits.is_endless and not limits.has_any:
        return limits._replace(movetime_ms=FALLBACK_MS)
    return limits


def stop(protocol: Protocol, rest: str) -> None:
    protocol.work.stop()


def ponderhit(protocol: Protocol, rest: str) -> None:
    protocol.work.ponderhit()


def bench(protocol: Protocol, rest: str) -> None:
    """A bench; the lines after it wait for its end. What is no number is left out."""
    from nowchess_uci.engine.bench import DEFAULT_DEPTH, DEFAULT_HASH_MIB, DEPTHS  # a GUI never asks for it

    wanted = [DEFAULT_DEPTH, 1, DEFAULT_HASH_MIB]
    for index, (word, allowed) in enumerate(zip(rest.split(), (DEPTHS, THREADS, HASH_MIB), strict=False)):
        number = parse.parse_number(word)
        if number is not None:
            wanted[index] = allowed.nearest(number)
    protocol.bench(*wanted)
    protocol.waits = True


def wait(protocol: Protocol, rest: str) -> None:
    """The lines after this one wait for the end of a search that ends by itself, except for the urgent ones."""
    protocol.waits = True


# For people.


def display(protocol: Protocol, rest: str) -> None:
    values = protocol.engine.look_up(protocol.position)
    protocol.output.write(render.render_position(protocol.position, values))


def draw(protocol: Protocol, rest: str) -> None:
    """The answer to a claim. UCI has no claims, so the position stays."""
    protocol.say(render.render_claim_answer(protocol.position))


def evaluate(protocol: Protocol, rest: str) -> None:
    protocol.output.write(render_evaluation(protocol.position, protocol.engine.network))


def help_people(protocol: Protocol, rest: str) -> None:
    protocol.output.write(render_help())


def refuse_xboard(protocol: Protocol, rest: str) -> None:
    """A GUI that is set to the other protocol waits for an answer in vain: tell its user what to do."""
    protocol.output.write("tellusererror This engine speaks UCI: choose UCI as its protocol in the settings of the GUI")


def ignore(protocol: Protocol, rest: str) -> None:
    """Nothing to do."""


class Known(NamedTuple):
    """A command: what it does; for what people type, its arguments and its help; whether a GUI sends it."""

    action: Callable[[Protocol, str], None]
    arguments: str = ""
    help: str = ""
    is_for_people_only: bool = True


COMMANDS = {
    "uci": Known(uci, is_for_people_only=False),
    "isready": Known(is_ready, is_for_people_only=False),
    "ucinewgame": Known(new_game, is_for_people_only=False),
    "position": Known(position, is_for_people_only=False),
    "go": Known(go, "perft N", "count the leaves of the move tree", is_for_people_only=False),
    "stop": Known(stop, is_for_people_only=False),
    "ponderhit": Known(ponderhit, is_for_people_only=False),
    "setoption": Known(set_option, is_for_people_only=False),
    "debug": Known(debug, is_for_people_only=False),
    "register": Known(ignore, is_for_people_only=False),
    "quit": Known(ignore, is_for_people_only=False),
    "xboard": Known(refuse_xboard, is_for_people_only=False),
    "d": Known(display, "", "show the position, its FEN and key, and which draws may be claimed"),
    "draw": Known(draw, "", "say whether a draw may be claimed (50-move rule, threefold repetition)"),
    "eval": Known(evaluate, "", "show the static evaluation and what each piece is worth"),
    "bench": Known(bench, "[DEPTH] [THREADS] [HASH]", "search fixed positions: node count and speed"),
    "wait": Known(wait, "", "hold the following lines until the search is over"),
    "help": Known(help_people, "", "show this text"),
}


def render_help() -> str:
    """What can be typed."""
    names = [name for name, known in COMMANDS.items() if not known.is_for_people_only and name != "xboard"]
    rows = [(f"{name} {known.arguments}".strip(), known.help) for name, known in COMMANDS.items() if known.help]
    width = max(len(left) for left, _ in rows) + 2
    return "\n".join(
        [
            "NowChess UCI speaks the UCI protocol. Commands a chess GUI sends:",
            f"  {' '.join(names)}",
            "Commands for people:",
            *(f"  {left:<{width}}{right}" for left, right in rows),
        ]
    )
