"""How the engine was built, for `--version` and bug reports."""

from cython.cimports.nowchess_uci.build import NOWCHESS_COMPILER, NOWCHESS_FEATURES, NOWCHESS_KIND_TEXT


def render_build() -> str:
    """The kind of build, the processor it is for, and the compiler."""
    kind: bytes = NOWCHESS_KIND_TEXT
    features: bytes = NOWCHESS_FEATURES
    compiler: bytes = NOWCHESS_COMPILER
    return f"{kind.decode()} build for {features.decode()}, {compiler.decode()}"
