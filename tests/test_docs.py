"""What README and docs say about the tree is true: links, paths, names, layers, tests.

What follows from the source is written by scripts/maintenance/write_docs.py (tests/test_command_line.py checks that it
was run), snippets are run by tests/test_readme.py, and commands by scripts/maintenance/check_docs.py.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from test_architecture import LAYERS, layers_with_streams

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "nowchess_uci"
DOCS = ROOT / "docs"
README = ROOT / "README.md"
PAGES = [README, ROOT / "CHANGELOG.md", *sorted(DOCS.rglob("*.md"))]
FENCED = re.compile(r"^```.*?^```\n", re.MULTILINE | re.DOTALL)

on_every_page = pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))


def links_of(page: Path) -> list[str]:
    """The targets of a page's links and pictures that are no web addresses."""
    targets = re.findall(r"\]\(([^)\s]+)\)", FENCED.sub("", page.read_text(encoding="utf-8")))
    return [target for target in targets if "://" not in target]


def anchors_of(page: Path) -> set[str]:
    """The names under which a page's headings can be linked to, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", FENCED.sub("", page.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def code_of(page: Path) -> Iterator[str]:
    """What stands in backquotes and in fenced blocks."""
    text = page.read_text(encoding="utf-8")
    yield from FENCED.findall(text)
    yield from re.findall(r"`([^`\n]+)`", FENCED.sub("", text))


@on_every_page
def test_links_lead_somewhere(page: Path) -> None:
    broken = []
    for link in links_of(page):
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and anchor not in anchors_of(target)):
            broken.append(link)
    assert broken == []


def test_the_readme_is_short_and_leads_to_every_page() -> None:
    assert len(README.read_text(encoding="utf-8").splitlines()) <= 150
    linked = {(ROOT / link.partition("#")[0]).resolve() for link in links_of(README)}
    assert [page for page in PAGES if page != README and page not in linked] == []


@on_every_page
def test_files_that_are_named_exist(page: Path) -> None:
    missing = []
    for code in code_of(page):
        for name in re.findall(r"(?<![\w./~-])(?:scripts|tests|docs|nowchess_uci)/[\w./-]*\w", code):
            if not (ROOT / name).exists():
                missing.append(name)
        for name in re.findall(r"(?<![\w./-])\w+/\w+\.(?:py|pxd|h)\b", code):
            if not (ROOT / name).exists() and not (PACKAGE / name).exists():
                missing.append(name)
    assert missing == []


@on_every_page
def test_methods_that_are_named_exist(page: Path) -> None:
    sources = [path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py")]
    missing = []
    for code in code_of(page):
        for class_name, method in re.findall(r"^([A-Z]\w+)\.(\w+)\b", code):
            owners = [text for text in sources if re.search(rf"^class {class_name}\b", text, re.MULTILINE)]
            if not any(re.search(rf"^    (?:async )?def {method}\b", text, re.MULTILINE) for text in owners):
                missing.append(f"{class_name}.{method}")
    assert missing == []


def test_ideas_of_the_search_are_where_the_page_says() -> None:
    node = "nowchess_uci/search/alphabeta.py"
    rows = re.findall(
        r"^\| (?!idea|---)(.+) \| (.+) \|$", (DOCS / "search.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert len(rows) > 15
    for idea, places in rows:
        for place in places.split("; "):
            linked = re.search(r"\]\(\.\./(nowchess_uci/[\w/.]+)\)", place)
            path = ROOT / (linked[1] if linked else node)
            text = "".join(file.read_text(encoding="utf-8") for file in path.parent.glob(f"{path.stem}.p*"))
            for name in re.findall(r"`(\w+)`", place):
                assert re.search(rf"\b(?:def|cdef|class)\b.*\b{name}\b", text), (idea, name)
            for step in re.findall(r"step (\d+)", place):
                assert f"# Step {step}." in text, (idea, step)


def test_tests_that_are_named_exist() -> None:
    rows = re.findall(
        r"^\| .+ \| .+ \| (.*`.*) \|$", (DOCS / "reliability.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert len(rows) > 30
    protocol_tests = "".join(file.read_text(encoding="utf-8") for file in (ROOT / "tests/uci").glob("test_*.py"))
    for row in rows:
        for name in re.findall(r"`([\w/.:]+)`", row):
            path, _, test = name.rpartition("::") if not name.endswith(".py") else (name, "", "def test_")
            text = (ROOT / path).read_text(encoding="utf-8") if path else protocol_tests
            assert f"def {test}(" in text or test == "def test_", name


def test_the_table_of_layers_is_that_of_the_architecture_test() -> None:
    text = (DOCS / "architecture.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`[^|]+) \| [^|]+ \| [^|]*\| ?([^|]*)\|$", text, re.MULTILINE)
    documented = {
        layer: set(re.findall(r"`(\w+)`", imports))
        for layers, imports in rows
        for layer in re.findall(r"`(\w+)`", layers)
    }
    assert documented == LAYERS


def test_only_the_named_layers_touch_a_stream() -> None:
    sentence = re.search(
        r"Only (.*?) touch a stream", (DOCS / "architecture.md").read_text(encoding="utf-8"), re.DOTALL
    )
    assert sentence
    assert set(re.findall(r"`(\w+)`", sentence[1])) == layers_with_streams()
