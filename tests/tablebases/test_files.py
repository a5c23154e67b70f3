"""Files that are missing, broken, wrongly named or change while they are in use: reported, not used, nothing worse."""

import errno
import os
import random
import shutil
from pathlib import Path

import pytest
from fuzzing import check_table, damage
from oracle import random_ending

from nowchess_uci.rules.fen import parse_fen
from nowchess_uci.tablebases.folders import Problem, split_path
from nowchess_uci.tablebases.names import parse_name
from nowchess_uci.tablebases.probe import dtz_of, wdl_of
from nowchess_uci.tablebases.tables import Tables

QUEEN_WINS = "7k/8/8/8/8/8/8/KQ6 w - - 0 1"
LARGE = ("KBNvK", "8/8/8/3k4/8/8/8/KBN5 w - - 0 1")  # its DTZ file has 450 kB


def copy(folder: Path, target: Path, *names: str) -> Path:
    target.mkdir(exist_ok=True)
    for name in names or ("KQvK.rtbw", "KQvK.rtbz"):
        shutil.copy(folder / name, target / name)
    return target


def refused(folder: Path, fen: str = QUEEN_WINS, **options: int) -> str:
    """What is said of the one file that cannot be used, once, however often it is asked for."""
    said: list[Problem] = []
    tables = Tables([str(folder)], said.append, **options)
    for _ in range(3):
        assert wdl_of(tables, parse_fen(fen)) is None or dtz_of(tables, parse_fen(fen)) is None
        assert len(tables.problems) == 1
    assert said == []  # whoever met it may have to be silent
    for _ in range(2):
        tables.tell_problems()
    assert said == tables.problems
    ((_, reason),) = said
    return reason


@pytest.mark.parametrize(
    ("name", "men"),
    [("KQvK", 3), ("KRPvKR", 5), ("KPPPPPvK", 7), ("KQRvKBN", 6), ("KRvKR", 4), ("KBBvKBN", 6)],
)
def test_names_of_tables(name: str, men: int) -> None:
    material = parse_name(name)
    assert material is not None
    assert sum((side >> 3 * kind) & 7 for side in material for kind in range(5)) == men - 2


WRONG_NAMES = " v KvK KQ QvK KvKQ KRvKQ KBNvKBB KPRvK KQvKv KXvK KQQQQQQvK kqvk KKvK"


@pytest.mark.parametrize("name", [*WRONG_NAMES.split(" "), "KQvK "])
def test_names_that_are_none(name: str) -> None:
    assert parse_name(name) is None


def test_a_list_of_folders(tmp_path: Path) -> None:
    assert split_path("") == split_path("<empty>") == []
    assert split_path("a;b") == ["a", "b"]
    if os.name != "nt":
        assert split_path("a:b; c:") == ["a", "b", "c"]
        odd = tmp_path / "one:folder;only"
        odd.mkdir()
        assert split_path(str(odd)) == [str(odd)]


def test_a_table_in_two_folders_is_one_table(tables_folder: Path, tmp_path: Path) -> None:
    first, second = copy(tables_folder, tmp_path / "a"), copy(tables_folder, tmp_path / "b")
    tables = Tables([str(first), str(second)])
    assert (tables.wdl_count, tables.dtz_count) == (1, 1)
    assert all(path.startswith(str(first)) for path in tables.paths)


def test_a_folder_that_is_none_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="nowhere"):
        Tables([str(tmp_path / "nowhere")])


@pytest.mark.skipif(os.name == "nt" or not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read all")
def test_a_folder_or_file_without_rights(tables_folder: Path, tmp_path: Path) -> None:
    folder = copy(tables_folder, tmp_path / "a")
    (folder / "KQvK.rtbw").chmod(0)
    assert refused(folder) == "Permission denied"
    folder.chmod(0)
    with pytest.raises(PermissionError):
        Tables([str(folder)])
    folder.chmod(0o700)


def test_a_file_that_the_system_does_not_give(
    tables_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> int:
        raise PermissionError(errno.EACCES, "Permission denied")

    folder = copy(tables_folder, tmp_path)
    monkeypatch.setattr(os, "open", refuse)
    tables = Tables([str(folder)])
    assert wdl_of(tables, parse_fen(QUEEN_WINS)) is None
    assert [problem.reason for problem in tables.problems] == ["Permission denied"]


def test_a_wrongly_named_file_is_reported_and_left_out(tables_folder: Path, tmp_path: Path) -> None:
    folder = copy(tables_folder, tmp_path)
    shutil.copy(folder / "KQvK.rtbw", folder / "KvKQ.rtbw")
    (folder / "notes.txt").write_text("not a table, and not called one")
    said: list[Problem] = []
    tables = Tables([str(folder)], said.append)
    assert [(Path(path).name, reason) for path, reason in said] == [
        ("KvKQ.rtbw", "not the name of a table of up to seven men")
    ]
    assert wdl_of(tables, parse_fen(QUEEN_WINS)) == 2


def test_a_table_under_the_name_of_another(tables_folder: Path, tmp_path: Path) -> None:
    shutil.copy(tables_folder / "KRvK.rtbw", tmp_path / "KQvK.rtbw")
    assert refused(tmp_path) == "the file is another table than its name says"
    shutil.copy(tables_folder / "KPvK.rtbw", tmp_path / "KQvK.rtbw")
    assert refused(tmp_path) == "the file is another table than its name says"
    shutil.copy(tables_folder / "KQvK.rtbz", tmp_path / "KQvK.rtbw")
    assert refused(tmp_path) == "the file does not begin as a table does"


def test_a_folder_and_a_pipe_with_the_name_of_a_table(tables_folder: Path, tmp_path: Path) -> None:
    (tmp_path / "KQvK.rtbw").mkdir()
    assert refused(tmp_path) in ("it is not a file", "Permission denied")
    (tmp_path / "KQvK.rtbw").rmdir()
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "KQvK.rtbw")
        assert refused(tmp_path) == "it is not a file"


@pytest.mark.parametrize("size", [0, 1, 4, 5, 12, 16, 80, 144, 208])
def test_a_truncated_file(tables_folder: Path, tmp_path: Path, size: int) -> None:
    folder = copy(tables_folder, tmp_path)
    (folder / "KQvK.rtbw").write_bytes((tables_folder / "KQvK.rtbw").read_bytes()[:size])
    reason = refused(folder)
    assert "not complete" in reason or "ends inside" in reason or "does not begin" in reason


def test_a_file_that_is_gone_when_it_is_needed(tables_folder: Path, tmp_path: Path) -> None:
    folder = copy(tables_folder, tmp_path)
    tables = Tables([str(folder)])
    (folder / "KQvK.rtbw").unlink()
    assert wdl_of(tables, parse_fen(QUEEN_WINS)) is None
    assert [problem.reason for problem in tables.problems] == ["No such file or directory"]


@pytest.mark.parametrize("whole_bytes", [0, 1 << 20])
@pytest.mark.parametrize("left", [0, 100, 5000, 20_000])
def test_a_file_that_shrinks_while_it_is_in_use(
    tables_folder: Path, tmp_path: Path, whole_bytes: int, left: int
) -> None:
    name, fen = LARGE
    files = [f"{table}.{kind}" for table in (name, "KNvK", "KBvK") for kind in ("rtbw", "rtbz")]
    folder = copy(tables_folder, tmp_path / "a", *files)
    tables = Tables([str(folder)], whole_bytes=whole_bytes)
    wanted = dtz_of(tables, parse_fen(fen))
    assert wanted is not None
    os.truncate(folder / f"{name}.rtbz", left)
    source = random.Random(left)
    found = [dtz_of(tables, parse_fen(random_ending(source, name).fen())) for _ in range(200)]
    if whole_bytes:
        assert None not in found  # it was read before
        assert tables.problems == []
    else:
        assert None in found
        assert [problem.reason for problem in tables.problems] == ["it cannot be read any more"]


def test_damage_in_every_byte_of_the_header_is_survived(tables_folder: Path) -> None:
    for name in ("KPvK.rtbw", "KQvKR.rtbz", "KPvKP.rtbz"):
        good = (tables_folder / name).read_bytes()
        source = random.Random(name)
        for place in range(4, 150):
            for value in (source.choice((0, 255)), good[place] ^ 1 << source.randrange(8)):
                check_table(tables_folder, name, good[:place] + bytes([value]) + good[place + 1 :], place)


def test_damage_anywhere_is_survived(tables_folder: Path) -> None:
    source = random.Random(1)
    names = sorted(path.name for path in tables_folder.iterdir())
    for number in range(600):
        name = source.choice(names)
        check_table(tables_folder, name, damage((tables_folder / name).read_bytes(), source), number)
