"""The command line: UCI without arguments, otherwise a command for people, or UCI lines as arguments.

What only one command needs is imported when that command is asked for: a GUI waits for the first answer.
"""

import sys

COMMANDS = ("bench", "perft", "play")


def main(argv: list[str] | None = None) -> int:
    """Run what the arguments ask for; returns the exit code."""
    arguments = sys.argv[1:] if argv is None else argv
    if arguments and arguments[0] in (*COMMANDS, "--help", "-h", "--version", "-V"):
        from nowchess_uci import commands

        return commands.run(arguments)
    from nowchess_uci.uci import loop

    return loop.run_lines(arguments) if arguments else loop.run_stdin()


if __name__ == "__main__":
    sys.exit(main())
