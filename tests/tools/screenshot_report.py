"""A picture of a report, as a person sees it. Needs Chromium.

The one in the README was made by

    nowchess-uci analyse tests/data/levels.pgn --nodes 100000 --html build/report.html
    .venv/bin/python tests/tools/screenshot_report.py build/report.html docs/images/report.png --at 1/58
"""

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from browser import Browser, find_browser
from shared.command_line import whole_number

SETTLED = "new Promise((done) => setTimeout(done, 300))"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("report", type=Path)
    parser.add_argument("picture", type=Path, help="the PNG file to write")
    parser.add_argument("--at", default="games", help="what to show: games, players, or GAME/PLY (default: games)")
    parser.add_argument("--width", type=whole_number(200), default=1200)
    parser.add_argument("--height", type=whole_number(200), default=805)
    parser.add_argument("--dark", action="store_true", help="dark colours")
    arguments = parser.parse_args()
    path = find_browser()
    if path is None:
        sys.exit("no browser found: install chromium")
    with tempfile.TemporaryDirectory() as folder, Browser(path, Path(folder)) as browser:
        browser.resize(arguments.width, arguments.height)
        browser.prefer(prefers_color_scheme="dark" if arguments.dark else "light")
        browser.open(f"{arguments.report.resolve().as_uri()}#{arguments.at}")
        browser.ask(SETTLED)
        arguments.picture.write_bytes(browser.screenshot())
    return 0


if __name__ == "__main__":
    sys.exit(main())
