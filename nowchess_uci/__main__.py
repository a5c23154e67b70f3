"""The command line: UCI without arguments, otherwise a command for people, or UCI lines as arguments.

What only one command needs is imported when that command is asked for: a GUI waits for the first answer.
"""

import sys

from nowchess_uci.version import VERSION

COMMANDS = ("bench", "perft", "play")


def main(argv: list[str] | None = None) -> int:
    """Run what the arguments ask for; returns the exit code."""
    arguments = sys.argv[1:] if argv is None else argv
    if arguments and arguments[0] in ("--version", "-V"):
        print(f"NowChess UCI {VERSION}")
        return 0
    if arguments and arguments[0] in (*COMMANDS, "--help", "-h"):
        from nowchess_uci import commands

        return commands.run(arguments)
    from nowchess_uci.uci import loop

    return loop.run_lines(arguments) if arguments else loop.run_stdin()


if __name__ == "__main__":
    sys.exit(main())
