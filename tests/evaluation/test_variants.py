"""The kernels exist twice, for processors with AVX2 and without: both have to give the same integers."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import nowchess_uci
from nowchess_uci.evaluation import network

PACKAGE = Path(nowchess_uci.__file__).resolve().parent
ROOT = Path(__file__).resolve().parent.parent.parent
FOR_AVX2 = b"squared_product.avx2"  # what the compiler calls the second variant
TESTS = ("tests/evaluation/test_network.py", "-k", "definition or extremes")

pytestmark = pytest.mark.skipif(
    FOR_AVX2 not in Path(network.__file__).read_bytes(), reason="this build has only one variant"
)


def run(*words: str, folder: Path | None = None, **environment: str) -> str:
    """What a Python process says."""
    process = subprocess.run(
        [sys.executable, *words],
        cwd=folder or ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stdout + process.stderr
    return process.stdout


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package as it is, but for the network's kernels, which are built without the second variant."""
    sources, library = tmp_path_factory.mktemp("sources"), tmp_path_factory.mktemp("library")
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, sources)
    headers = [path for suffix in ("*.pxd", "*.h") for path in (ROOT / "nowchess_uci").rglob(suffix)]
    module = ROOT / "nowchess_uci" / "evaluation" / "network.py"  # the only one: setup.py builds what has both files
    version = ROOT / "nowchess_uci" / "version.py"
    for path in (*headers, module, version, *(ROOT / "nowchess_uci").rglob("__init__.py")):
        target = sources / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    run("setup.py", "--quiet", "build_ext", "--inplace", folder=sources, NOWCHESS_BUILD="plain")
    shutil.copytree(PACKAGE, library / "nowchess_uci", ignore=shutil.ignore_patterns("__pycache__"))
    (built,) = (sources / "nowchess_uci" / "evaluation").glob("network.*.so")
    assert FOR_AVX2 not in built.read_bytes()
    shutil.copy(built, library / "nowchess_uci" / "evaluation")
    return library


def test_both_variants_search_alike(plain: Path) -> None:
    bench = ("-P", "-m", "nowchess_uci", "bench", "8")
    own, other = run(*bench), run(*bench, PYTHONPATH=str(plain))
    assert own.splitlines()[-1].split()[0] == other.splitlines()[-1].split()[0]


def test_the_plain_variant_follows_the_definition(plain: Path) -> None:
    said = run("-P", "-m", "pytest", "-p", "no:cacheprovider", *TESTS, PYTHONPATH=str(plain))
    assert f"nowchess_uci from {plain}" in said
