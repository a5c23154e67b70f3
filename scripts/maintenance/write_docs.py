"""Writes the documentation that follows from the source: the manual page, the completion for bash, tables in docs/.

Example: `.venv/bin/python scripts/maintenance/write_docs.py`. A test fails as long as there is something to write.
"""

import argparse
import ast
import sys
from collections.abc import Callable, Sequence
from functools import partial
from itertools import takewhile
from pathlib import Path

from nowchess_uci.cli import COMMANDS, FLAGS, Argument, Command
from nowchess_uci.console import commands as console_commands
from nowchess_uci.uci import commands, options

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGE = ROOT / "nowchess_uci"
MAN_PAGE = ROOT / "docs" / "nowchess-uci.1"
COMPLETION = ROOT / "docs" / "nowchess-uci.bash"
MANUAL = ROOT / "docs" / "manual.md"
ANALYSIS = ROOT / "docs" / "analysis.md"
ARCHITECTURE = ROOT / "docs" / "architecture.md"

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
            if argument.is_repeated:
                lines[-1] += " ..."
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


def render_man_page() -> str:
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
            "# Completes the arguments of nowchess-uci in bash; docs/manual.md says how to load it.",
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
            "complete -o default -F _nowchess_uci nowchess-uci",
            "",
        ]
    )


# Tables in Markdown, each between two lines that mark it.


def render_table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """A table as Markdown has it."""
    cells = [head, ("---",) * len(head), *(tuple(cell.replace("|", "\\|") for cell in row) for row in rows)]
    return "\n".join(f"| {' | '.join(row)} |" for row in cells)


def render_commands() -> str:
    """The commands that people type to the UCI engine."""
    rows = [(f"`{name} {known.arguments}".strip() + "`", known.help) for name, known in commands.COMMANDS.items()]
    return render_table(("command", "what it does"), [row for row in rows if row[1]])


def render_arguments(command: Command) -> str:
    """The arguments of a command, `--fen FEN` or `DEPTH`."""
    rows = []
    for argument in command.arguments:
        value = "|".join(argument.words) or argument.value
        name = f"{argument.name} {value}".strip() if argument.name.startswith("--") else argument.value
        rows.append((f"`{name}`", argument.meaning))
    return render_table(("argument", "meaning"), rows)


def first_paragraph(path: Path) -> str:
    """What a source file says that it owns, in one line; empty if it does not."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        found = ast.get_docstring(ast.parse(text)) or ""
    elif path.suffix == ".pxd":
        comment = takewhile(lambda line: line.startswith("#"), text.splitlines())
        found = "\n".join(line.removeprefix("#").strip() for line in comment)
    else:
        found = text[: text.find("*/")].removeprefix("/*")
    return " ".join(found.split("\n\n")[0].split())


def render_headers() -> str:
    """The C headers."""
    rows = [(f"`{path.relative_to(PACKAGE)}`", first_paragraph(path)) for path in sorted(PACKAGE.rglob("*.h"))]
    return render_table(("header", "what is in it"), rows)


def render_modules() -> str:
    """Every module, package by package."""
    parts = []
    for folder in [PACKAGE, *sorted(path.parent for path in PACKAGE.glob("*/__init__.py"))]:
        modules = {path.stem: path for pattern in ("*.pxd", "*.py") for path in folder.glob(pattern)}
        about = first_paragraph(modules.pop("__init__"))
        rows = []
        for name, path in sorted(modules.items()):
            link = f"[`{name}`](../{path.relative_to(ROOT)})"
            is_compiled = path.with_suffix(".pxd").exists()
            rows.append((f"**{link}**" if is_compiled else link, first_paragraph(path)))
        parts += [f"### `{folder.relative_to(ROOT)}`", about, render_table(("module", "what it owns"), rows)]
    return "\n\n".join(parts)


ARGUMENTS = {f"{command.name} arguments": partial(render_arguments, command) for command in COMMANDS}
ON_ANALYSIS = ("analyse arguments",)  # what has a page of its own
TABLES: dict[Path, dict[str, Callable[[], str]]] = {
    MANUAL: {
        "options": options.render_table,
        "uci commands": render_commands,
        "console commands": console_commands.render_table,
        **{name: render for name, render in ARGUMENTS.items() if name not in ON_ANALYSIS},
    },
    ANALYSIS: {name: ARGUMENTS[name] for name in ON_ANALYSIS},
    ARCHITECTURE: {"headers": render_headers, "modules": render_modules},
}


def render_page(path: Path) -> str:
    """A page with its tables as they follow from the source; raises ValueError if a mark is missing."""
    text = path.read_text(encoding="utf-8")
    for name, render in TABLES[path].items():
        begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
        if text.count(begin) != 1 or text.count(end) != 1:
            raise ValueError(f"{path.name} has no place for the table {name}")
        before, _, rest = text.partition(begin)
        _, _, after = rest.partition(end)
        text = f"{before}{begin}\n{render()}\n\n{end}{after}"
    return text


def wanted() -> dict[Path, str]:
    """Each file and what it should hold."""
    return {
        MAN_PAGE: render_man_page(),
        COMPLETION: render_completion(),
        **{path: render_page(path) for path in TABLES},
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
