"""What memory `nowchess-uci analyse` takes over a large PGN file, made by repeating games; Linux only.

Games of one player among very many are searched, the others only read, so that it takes minutes and not days.
Example: `.venv/bin/python scripts/speed/analysis_memory.py --mib 1024`.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from shared.command_line import run, whole_number
from shared.engine_process import ENGINE_COMMAND

MOVES = (
    "1. e4 { [%clk 0:05:00] } e5 { [%clk 0:05:00] } 2. Nf3 { [%clk 0:04:58] } Nc6 { [%clk 0:04:55] } 3. Bb5 a6 "
    "4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7 11. c4 c6 12. cxb5 axb5 13. Nc3 Bb7 "
    "14. Bg5 b4 15. Nb1 h6 16. Bh4 c5 17. dxe5 Nxe4 18. Bxe7 Qxe7 19. exd6 Qf6 20. Nbd2 Nxd6 21. Nc4 Nxc4 22. Bxc4 Nb6 "
    "23. Ne5 Rae8 24. Bxf7+ Rxf7 25. Nxf7 Rxe1+ 26. Qxe1 Kxf7 27. Qe3 Qg5 28. Qxg5 hxg5 29. b3 Ke6 30. a3 Kd6 "
    "31. axb4 cxb4 32. Ra5 Nd5 33. f3 Bc8 34. Kf2 Bf5 35. Ra7 g6 36. Ra6+ Kc5 37. Ke1 Nf4 38. g3 Nxh3 39. Kd2 1-0\n\n"
)
GROUP = 500  # games of which one is searched


def game(number: int) -> str:
    """One game; the first of each group is the player's."""
    white = "Wanted, Player" if number % GROUP == 0 else f"Player {number % 1000}"
    return f'[Event "Repeated"]\n[Round "{number}"]\n[White "{white}"]\n[Black "Other"]\n[Result "1-0"]\n\n{MOVES}'


def write_games(path: Path, size: int) -> int:
    """Fill a file up to so many bytes; returns the games."""
    count = 0
    with path.open("w") as file:
        while file.tell() < size:
            file.write("".join(game(number) for number in range(count, count + GROUP)))
            count += GROUP
    return count


def memory_of(pid: int) -> int:
    """The most memory that a process has had, in kiB; 0 if it has ended."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")), 0)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mib", type=whole_number(1), default=1024, help="size of the file (default: 1024)")
    parser.add_argument("--nodes", type=whole_number(1), default=1000, help="of each searched position (default: 1000)")
    parser.add_argument("--all", action="store_true", help="have all games go through, none of them searched")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.pgn"
        games = write_games(path, arguments.mib << 20)
        choice = ["--from-move", "999"] if arguments.all else ["--player", "Wanted Player"]
        command = [*ENGINE_COMMAND, "analyse", str(path), "--nodes", str(arguments.nodes), *choice]
        start = time.monotonic()
        process = subprocess.Popen([*command, "--out", str(path.with_name("out.pgn"))], stderr=subprocess.PIPE)
        print(f"{games} games, {path.stat().st_size >> 20} MiB", flush=True)
        peak, shown = 0, 0.0
        while process.poll() is None:
            peak = max(peak, memory_of(process.pid))
            if time.monotonic() > shown + 10:
                shown = time.monotonic()
                print(f"{shown - start:6.0f} s: {peak / 1024:.1f} MiB", flush=True)
            time.sleep(0.1)
        said = process.stderr.read().decode() if process.stderr else ""
        print(f"{time.monotonic() - start:6.0f} s: {peak / 1024:.1f} MiB at most; {said.splitlines()[-1]}")
        return process.returncode


if __name__ == "__main__":
    run(main)
