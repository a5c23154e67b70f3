"""Compiles every module that has a .pxd beside it; everything else is declared in pyproject.toml.

NOWCHESS_BUILD chooses the kind: `release` (default), `plain` (no kernels for AVX2), `debug` (contracts
checked), `sanitize` (AddressSanitizer and UndefinedBehaviorSanitizer, contracts checked), `thread` (ThreadSanitizer,
likewise) or `coverage` (line tracing). Each kind keeps its generated C in a folder of its own.
"""

import os
import platform
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

KIND = os.environ.get("NOWCHESS_BUILD", "release")
CHECKED = KIND in ("debug", "sanitize", "thread")  # search/contracts.pxd says what that means
GCC_LIKE = sys.platform != "win32"

# Nobody looks at errno or at traps after a calculation with floats: then loops with roots and comparisons become vector
# instructions. An attribute on a type is how kernels are marked (vectors.h).
FLOAT_ARGS = ["-fno-math-errno", "-fno-trapping-math", "-Wno-attributes"]
# Python's own flags may bring -fwrapv along. With it gcc 12 can take a function that writes through a pointer for one
# without effect and drop the call (as it did with `score_quiets` in search/ordering); and sanitizers find no overflow.
compile_args = ["-O3", "-g0", "-fno-wrapv", *FLOAT_ARGS] if GCC_LIKE else ["/O2"]
link_args: list[str] = []
macros: list[tuple[str, str | None]] = [("NOWCHESS_KIND", KIND)]
if not CHECKED:
    macros += [("NDEBUG", None)]
if CHECKED or KIND == "plain":
    macros += [("NOWCHESS_ONE_KERNEL", None)]  # so that the plain kernels are tested too
directives = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "initializedcheck": False,
    "cdivision": True,
    "infer_types": True,
}

if GCC_LIKE and platform.machine().lower() in ("x86_64", "amd64"):
    compile_args += ["-msse4.2", "-mpopcnt"]  # every x86-64 processor since 2009
if KIND in ("sanitize", "thread"):
    which = "thread" if KIND == "thread" else "address,undefined"
    sanitizers = [f"-fsanitize={which}", *([] if KIND == "thread" else ["-fno-sanitize-recover=undefined"])]
    compile_args += ["-O1", "-g", "-fno-omit-frame-pointer", *sanitizers]
    link_args += sanitizers
elif KIND == "debug":
    compile_args += ["-O1", "-g"] if GCC_LIKE else ["/Od"]
elif KIND == "coverage":
    compile_args += ["-O1"]
    macros += [("CYTHON_TRACE_NOGIL", "1")]
    directives["linetrace"] = True
elif KIND not in ("release", "plain"):
    sys.exit(f"NOWCHESS_BUILD={KIND!r}: expected release, plain, debug, sanitize, thread or coverage")

extensions = [
    Extension(
        ".".join(header.with_suffix("").parts),
        [str(header.with_suffix(".py"))],
        include_dirs=["nowchess_uci", "nowchess_uci/rules", "nowchess_uci/search", "nowchess_uci/tablebases"],
        extra_compile_args=compile_args,
        extra_link_args=link_args,
        define_macros=macros,
        undef_macros=["NDEBUG"] if CHECKED else [],  # Python's own flags may define it
    )
    for header in sorted(Path("nowchess_uci").rglob("*.pxd"))
    if header.with_suffix(".py").exists()
]

setup(
    ext_modules=cythonize(
        extensions,
        build_dir=f"build/cython-{KIND}",
        compiler_directives=directives,
        emit_linenums=CHECKED,
        nthreads=os.cpu_count() or 1,
    )
)
