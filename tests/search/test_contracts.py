"""What a node demands of its caller is checked in debug builds, and only there."""

import subprocess
import sys

import pytest

from nowchess_uci.build import render_build
from nowchess_uci.evaluation.evaluate import Evaluator
from nowchess_uci.rules.fen import START_FEN, parse_fen
from nowchess_uci.search.quiescence import quiet_score

IS_CHECKED = render_build().split()[0] in ("debug", "sanitize", "thread")
CODE = f"""
from nowchess_uci.rules.fen import parse_fen
from nowchess_uci.search.quiescence import quiet_score
quiet_score(parse_fen({START_FEN!r}), ALPHA, BETA)
"""


@pytest.mark.parametrize(("alpha", "beta"), [(10, 10), (20, 10), (-32_501, 0), (0, 32_501)])
def test_a_window_that_is_none_ends_a_debug_build(alpha: int, beta: int) -> None:
    code = CODE.replace("ALPHA", str(alpha)).replace("BETA", str(beta))
    run = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=False)
    assert (run.returncode != 0) == IS_CHECKED
    assert ("quiescence.py" in run.stderr) == IS_CHECKED


def test_a_window_is_a_question() -> None:
    position = parse_fen("2r1k3/ppp2ppp/8/3n4/4P3/8/PPP2PPP/2R1K3 w - - 0 1")  # the pawn takes the knight
    score = quiet_score(position)
    assert Evaluator().score(position) < -200 < 0 < score
    assert quiet_score(position, score - 1, score) >= score
    assert quiet_score(position, score, score + 1) <= score
