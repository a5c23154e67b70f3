"""The option EvalFile: a network is used by search, bench and eval; what is none leaves everything as it was."""

import os
from pathlib import Path

import pytest
from networks import sober_network

from nowchess_uci.engine.bench import Bench
from nowchess_uci.engine.engine import Engine
from nowchess_uci.evaluation.network import default_network, load_network
from nowchess_uci.evaluation.network_file import render_network
from nowchess_uci.search.limits import Limits
from nowchess_uci.uci.commands import run_line
from nowchess_uci.uci.protocol import Protocol

FEN = "r1bqkbnr/pp1p1p1p/n3p3/2p2Pp1/8/2N3P1/PPPPP2P/R1BQKBNR w KQkq - 0 5"


@pytest.fixture
def net(tmp_path: Path) -> Path:
    path = tmp_path / "random.net"
    path.write_bytes(render_network(sober_network()))
    return path


class Talk:
    """A conversation, line by line."""

    def __init__(self) -> None:
        self.protocol = Protocol()
        self.lines: list[str] = []
        self.protocol.output.write = self.lines.append  # type: ignore[assignment,method-assign]

    def __call__(self, line: str) -> str:
        self.lines.clear()
        run_line(self.protocol, line)
        self.protocol.work.wait()
        return "\n".join(self.lines)


@pytest.mark.parametrize("own", ["<default>", "<empty>", ""])
def test_a_network_takes_the_place_of_the_engines_own(net: Path, own: str) -> None:
    talk = Talk()
    talk(f"position fen {FEN}")
    before = talk("eval")
    assert f"Network {default_network().name}:" in before
    assert talk(f"setoption name EvalFile value {net}") == ""
    assert f"Network {load_network(str(net)).name}:" in talk("eval")
    assert f"info string Network {load_network(str(net)).name}, 16 neurons\n" in talk("uci")
    assert talk(f"setoption name EvalFile value {own}") == ""
    assert talk("eval") == before


def test_a_search_uses_the_network_and_forgets_what_the_old_one_said(net: Path) -> None:
    limits = Limits(depth=5)
    by_own, by_net, changed = Engine(), Engine(), Engine()
    by_net.configure(eval_file=str(net))
    changed.analyse(FEN, limits)
    changed.configure(eval_file=str(net))
    one, two, three = (engine.analyse(FEN, limits) for engine in (by_own, by_net, changed))
    assert (two.best.score, two.best.nodes) == (three.best.score, three.best.nodes)
    assert (one.best.score, one.best.nodes) != (two.best.score, two.best.nodes)
    changed.configure(eval_file="")
    again = changed.analyse(FEN, limits)
    assert (again.best.score, again.best.nodes) == (one.best.score, one.best.nodes)


def test_the_network_is_the_same_for_all_threads_whenever_they_were_made(net: Path) -> None:
    engine = Engine()
    engine.configure(eval_file=str(net))
    engine.configure(threads=3)
    assert engine.analyse(FEN, Limits(nodes=20_000)).best.nodes > 0
    assert engine.settings.eval_file == str(net)


def test_a_bench_uses_the_network(net: Path) -> None:
    talk = Talk()
    by_own = talk("bench 3").splitlines()
    talk(f"setoption name EvalFile value {net}")
    by_net = talk("bench 3").splitlines()
    assert by_own[0] == f"Network {default_network().name}"
    assert by_net[0] == f"Network {load_network(str(net)).name}"
    assert by_own[1].split()[0] != by_net[1].split()[0] == str(Bench(3, network=load_network(str(net))).run()[0])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "No such file or directory"),
        (b"not a network", "this is no network of NowChess UCI"),
        (bytes(9_000_000), "this is no network of NowChess UCI"),
    ],
)
def test_what_is_no_network_is_named_and_the_old_one_stays(
    net: Path, tmp_path: Path, content: bytes | None, message: str
) -> None:
    talk = Talk()
    talk(f"setoption name EvalFile value {net}")
    before = talk("eval")
    wrong = tmp_path / "wröng.net"
    if content is not None:
        wrong.write_bytes(content)
    said = talk(f"setoption name EvalFile value {wrong}")
    assert said.startswith("info string EvalFile: ")
    assert message in said
    assert said.isascii()
    assert said.endswith("the network stays as it was")
    assert talk("eval") == before


@pytest.mark.skipif(os.name == "nt", reason="no such files")
@pytest.mark.parametrize("path", ["/dev/zero", "/", "/dev/stdin"])
def test_what_is_no_file_is_not_opened(path: str) -> None:
    talk = Talk()
    assert "this is no file" in talk(f"setoption name EvalFile value {path}")


def test_an_engine_without_a_listener_raises(net: Path, tmp_path: Path) -> None:
    engine = Engine()
    with pytest.raises(OSError, match="No such file"):
        engine.configure(eval_file=str(tmp_path / "none.net"))
    with pytest.raises(ValueError, match="name of a file"):
        engine.configure(eval_file=5)
    assert engine.settings.eval_file == ""
    assert engine.network is default_network()
