"""What the process is: UCI without arguments, otherwise a command of `cli`, or UCI lines as arguments."""

import sys


def main(argv: list[str] | None = None) -> int:
    """Run what the arguments ask for; returns the exit code."""
    arguments = sys.argv[1:] if argv is None else argv
    if arguments:
        from nowchess_uci import cli

        if getattr(sys, "frozen", False) and arguments == ["analysis-worker"]:  # an executable started by itself
            from nowchess_uci.analysis import worker

            worker.main()
        if cli.is_command(arguments[0]):
            return cli.run(arguments)
        if not cli.is_uci_line(arguments[0]):
            return cli.refuse(arguments[0])
    from nowchess_uci.uci import loop

    return loop.run_lines(arguments) if arguments else loop.run_stdin()


if __name__ == "__main__":
    sys.exit(main())
