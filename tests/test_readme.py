"""The README's Python snippets run and print what they say."""

import doctest
import os
import sys
from pathlib import Path

import pytest

README = Path(__file__).resolve().parent.parent / "README.md"


def test_snippets_in_the_readme_are_true(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    parser = doctest.DocTestParser()
    text = README.read_text(encoding="utf-8").replace("```", "")
    test = parser.get_doctest(text, {}, "README", str(README), 0)
    assert len(test.examples) > 5
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE).run(test)
    assert result.failed == 0
