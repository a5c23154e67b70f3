"""Writes what follows from tables in the source: the manual page, the completion for bash, and tables of the README.

Example: `.venv/bin/python scripts/maintenance/write_docs.py`. A test fails as long as there is something to write.
"""

import argparse
import sys
from pathlib import Path

from nowchess_uci.cli import COMMANDS, FLAGS, Argument, Command
from nowchess_uci.console import commands as console_commands
from nowchess_uci.uci import commands, options

ROOT = Path(__file__).resolve().parent.parent.parent
MANUAL = ROOT / "docs" / "nowchess-uci.1"
COMPLETION = ROOT / "docs" / "nowchess-uci.bash"
README = ROOT / "README.md"

# The manual page, in troff's man macros.


def escaped(text: str) -> str:
    """A text in which a hyphen is the character that people type."""
    return text.replace("\\", "\\e").replace("-", "\\-")


def sentence(text: str) -> str:
    """A meaning as the manual page writes it."""
    return escaped(f"{text[0].upper()}{text[1:]}.")


def synopsis(command: Command) -> str:
    """How a command is called."""
    lines = [f".B nowchess\\-uci {command.name}"]
    if any(argument.name.startswith("--") for argument in command.arguments):
        lines.append(".RI [ options ]")
    for argument in command.arguments:
        if not argument.name.startswith("--"):
            lines.append(f".RI [ {argument.value} ]" if argument.is_optional else f".I {argument.value}")
    return "\n".join(lines)


def manual_entry(argument: Argument) -> list[str]:
    """One argument of a command."""
    value = "|".join(argument.words) or argument.value
    name = escaped(argument.name) if argument.name.startswith("--") else argument.value
    if not argument.name.startswith("--"):
        head = f".I {name}"
    elif value:
        head = f'.BI {name} " {value}"'
    else:
        head = f".B {name}"
    return [".TP", head, sentence(argument.meaning)]


def render_manual() -> str:
    """The manual page."""
    people = [f"{name} {known.arguments}".strip() for name, known in commands.COMMANDS.items() if known.help]
    rows = [
        '.TH NOWCHESS\\-UCI 1 "" "NowChess UCI" "Games"',
        ".SH NAME",
        "nowchess\\-uci \\- chess engine for UCI programs and the terminal",
        ".SH SYNOPSIS",
        ".B nowchess\\-uci",
        '.RI [ "UCI line" ...]',
    ]
    for command in COMMANDS:
        rows += [".br", synopsis(command)]
    rows += [
        ".SH DESCRIPTION",
        "Without arguments",
        ".B nowchess\\-uci",
        "speaks the UCI protocol on standard input and output: that is what a chess GUI starts.",
        "Arguments that are no command are UCI lines, obeyed one after the other.",
        f"Besides the protocol's own commands it knows {', '.join(people[:-1])} and {people[-1]}.",
        ".SH COMMANDS",
    ]
    for command in COMMANDS:
        rows += [".TP", f".B {command.name}", escaped(command.description)]
    rows += [
        ".SH OPTIONS",
        ".TP",
        '.BR \\-h ", " \\-\\-help',
        "Shows help; each command has its own.",
        ".TP",
        '.BR \\-V ", " \\-\\-version',
        "Shows version, build and compiler.",
    ]
    for command in COMMANDS:
        rows.append(f".SS {command.name}")
        for argument in command.arguments:
            rows += manual_entry(argument)
    rows.append(".SH UCI OPTIONS")
    for option in options.OPTIONS:
        rows += [".TP", f".B {option.name}", escaped(option.meaning)]
    rows += [".SH EXAMPLES", ".nf", escaped('nowchess-uci "position startpos moves e2e4" "go depth 15"')]
    rows += [escaped(example) for command in COMMANDS for example in command.examples]
    rows += [
        ".fi",
        ".SH EXIT STATUS",
        "0 after",
        ".B quit",
        "or the end of the input, 1 after an error, 2 for wrong arguments.",
    ]
    return "\n".join(rows) + "\n"


# Completion for bash.


def option_names(command: Command) -> str:
    """The options of a command, as a shell lists them."""
    return " ".join([*(item.name for item in command.arguments if item.name.startswith("--")), "--help"])


def render_completion() -> str:
    """The script that bash-completion reads."""
    options_with_value = {
        argument.name: argument
        for command in COMMANDS
        for argument in command.arguments
        if argument.value and argument.name.startswith("--")
    }
    cases = [
        f'        {name}) words="{" ".join(argument.words)}" ;;'
        for name, argument in options_with_value.items()
        if argument.words
    ]
    files = [name for name, argument in options_with_value.items() if argument.is_file]
    others = [name for name, argument in options_with_value.items() if not argument.is_file and not argument.words]
    by_command = [f'                {command.name}) words="{option_names(command)}" ;;' for command in COMMANDS]
    first = " ".join([*(command.name for command in COMMANDS), *(names[0] for names in reversed(FLAGS))])
    return "\n".join(
        [
            "# Completes the arguments of nowchess-uci in bash, where the package is installed.",
            "",
            "_nowchess_uci() {",
            "    local word=${COMP_WORDS[COMP_CWORD]} words",
            "    case ${COMP_WORDS[COMP_CWORD - 1]} in",
            *cases,
            f'        {" | ".join(files)}) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;',
            f"        {' | '.join(others)}) return ;;",
            "        *)",
            "            case ${COMP_WORDS[1]} in",
            *by_command,
            f'                *) words="{first}" ;;',
            "            esac",
            "            ;;",
            "    esac",
            '    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")',
            "}",
            "",
            "complete -F _nowchess_uci nowchess-uci",
            "",
        ]
    )


# Tables of the README, each between two lines that mark it.

TABLES = {"options": options.render_table, "commands": console_commands.render_table}


def render_readme(text: str) -> str:
    """The README with its tables as they follow from the source; raises ValueError if a mark is missing."""
    for name, render in TABLES.items():
        begin, end = f"<!-- {name} -->\n", f"\n<!-- end of {name} -->"
        if text.count(begin) != 1 or text.count(end) != 1:
            raise ValueError(f"README.md has no place for the table {name}")
        before, _, rest = text.partition(begin)
        _, _, after = rest.partition(end)
        text = f"{before}{begin}{render()}{end}{after}"
    return text


def wanted() -> dict[Path, str]:
    """Each file and what it should hold."""
    return {
        MANUAL: render_manual(),
        COMPLETION: render_completion(),
        README: render_readme(README.read_text(encoding="utf-8")),
    }


def main() -> int:
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    for path, text in wanted().items():
        if path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(f"{path.relative_to(ROOT)} written")
    return 0


if __name__ == "__main__":
    sys.exit(main())
