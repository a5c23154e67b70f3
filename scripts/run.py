#!/usr/bin/env python3
"""Starts the engine from a checkout: `python3 scripts/run.py [ARGS]` is `nowchess-uci ARGS`.

The first start makes `.venv` and builds; later ones rebuild only what changed. Set-up messages go to stderr, stdin
and stdout belong to the engine, so this file works as the engine of a chess GUI.
"""

import os
import subprocess
import sys

import bootstrap


def main() -> int:
    if sys.version_info < (3, 11):  # noqa: UP036  (whoever starts this may have an older one)
        bootstrap.say(f"Python 3.11 or newer is needed; this is {sys.version.split()[0]}")
        return 1
    try:
        bootstrap.set_up()
    except (bootstrap.SetupError, OSError) as error:
        bootstrap.say(str(error))
        return 1
    except KeyboardInterrupt:
        bootstrap.say("stopped")
        return 130
    # -P: what lies in the folder where the GUI happens to start us is not ours.
    command = [str(bootstrap.PYTHON), "-P", "-m", "nowchess_uci", *sys.argv[1:]]
    if os.name == "nt":
        return subprocess.run(command, check=False).returncode
    return os.execv(command[0], command)


if __name__ == "__main__":
    sys.exit(main())
