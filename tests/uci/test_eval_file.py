"""The option EvalFile: a network is used by search, bench and eval; what is none leaves everything as it was."""

import os
from pathlib import Path

import pytest
from networks import random_network, sober_network

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
    taken = f"info string Network {load_network(str(net)).name}, 16 neurons"
    assert talk(f"setoption name EvalFile value {net}") == taken
    assert f"Network {load_network(str(net)).name}:" in talk("eval")
    assert f"{taken}\n" in talk("uci")
    assert default_network().name in talk(f"setoption name EvalFile value {own}")
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


@pytest.mark.parametrize("names", [("eval_file", "threads"), ("threads", "eval_file")])
def test_the_network_is_the_same_for_all_threads_whenever_they_were_made(net: Path, names: tuple[str, ...]) -> None:
    engine = Engine()
    for name in names:
        engine.configure(**{name: net if name == "eval_file" else 3})
    assert engine.settings.eval_file == str(net)
    pool = engine._resources.pool()
    assert engine.network.digest == load_network(str(net)).digest
    assert [worker.network for worker in pool.workers] == [engine.network] * 3


def test_a_file_that_has_changed_is_read_again(net: Path) -> None:
    engine = Engine()
    engine.configure(eval_file=net)
    first = engine.analyse(FEN, Limits(depth=5)).best
    engine.configure(eval_file=net)  # the same network: what was learnt stays
    assert engine.analyse(FEN, Limits(depth=5)).best.nodes < first.nodes
    net.write_bytes(render_network(sober_network()._replace(scale=200)))
    engine.configure(eval_file=net)
    assert engine.network.digest == load_network(str(net)).digest
    assert engine.analyse(FEN, Limits(depth=5)).best.score != first.score


def test_a_bench_uses_the_network(net: Path) -> None:
    talk = Talk()
    by_own = talk("bench 3").splitlines()
    talk(f"setoption name EvalFile value {net}")
    by_net = talk("bench 3").splitlines()
    assert by_own[0] == f"Network {default_network().name}"
    assert by_net[0] == f"Network {load_network(str(net)).name}"
    assert by_own[1].split()[0] != by_net[1].split()[0] == str(Bench(3, network=load_network(str(net))).run()[0])


def engine_nodes(talk: Talk) -> int:
    """How many nodes a search of the position takes that begins with nothing learnt."""
    talk("ucinewgame")
    return int(talk("go depth 6").splitlines()[-2].split(" nodes ")[1].split()[0])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "No such file or directory"),
        (b"not a network", "this is not a NowChess UCI network"),
        (bytes(9_000_000), "this is not a NowChess UCI network"),
        (render_network(sober_network())[:-1], "bytes of weights expected"),
        (render_network(sober_network())[:-1] + b"\x55", "its content is damaged"),
        (render_network(random_network(16, 1, 1100)), "the weights of its first layer are too large"),
    ],
)
def test_what_is_no_network_is_named_and_the_old_one_stays(
    net: Path, tmp_path: Path, content: bytes | None, message: str
) -> None:
    talk = Talk()
    talk(f"setoption name EvalFile value {net}")
    talk(f"position fen {FEN}")
    before = talk("eval")
    searched = engine_nodes(talk)
    wrong = tmp_path / "wröng.net"
    if content is not None:
        wrong.write_bytes(content)
    said = talk(f"setoption name EvalFile value {wrong}")
    assert said.startswith("info string EvalFile: ")
    assert message in said
    assert said.isascii()
    assert said.endswith("the network stays as it was")
    assert talk("eval") == before
    assert engine_nodes(talk) == searched


@pytest.mark.skipif(os.name == "nt", reason="no such files")
@pytest.mark.parametrize("path", ["/dev/zero", "/", "/dev/stdin"])
def test_what_is_no_file_is_not_opened(path: str) -> None:
    talk = Talk()
    assert "this is not a regular file" in talk(f"setoption name EvalFile value {path}")


def test_an_engine_without_a_listener_raises(net: Path, tmp_path: Path) -> None:
    engine = Engine()
    with pytest.raises(OSError, match="No such file"):
        engine.configure(eval_file=str(tmp_path / "none.net"))
    with pytest.raises(ValueError, match="name of a file"):
        engine.configure(eval_file=5)
    assert engine.settings.eval_file == ""
    assert engine.network is default_network()


@pytest.mark.skipif(os.name == "nt", reason="a folder in use cannot go")
def test_a_relative_path_is_named_in_full_even_if_its_folder_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    talk = Talk()
    assert f"No such file or directory: {folder / 'none.net'};" in talk("setoption name EvalFile value none.net")
    folder.rmdir()
    assert "No such file or directory: none.net;" in talk("setoption name EvalFile value none.net")
