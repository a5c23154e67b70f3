"""Files that are there whole or not at all."""

import os
from pathlib import Path


def write_atomically(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a file so that whoever looks, even after a crash, finds the old content or the new; raises OSError.

    What is no file (a device, a pipe) is written to as it is: it must not be replaced by a file of its name.
    """
    target = Path(os.path.realpath(path))  # a link stays a link
    if is_special(target):
        target.write_bytes(content)
        return
    temporary = target.with_name(f".{target.name}.{os.getpid()}.{os.urandom(4).hex()}.part")
    try:
        with open(temporary, "xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            temporary.chmod(target.stat().st_mode & 0o777)
        os.replace(temporary, target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def is_special(path: str | os.PathLike[str]) -> bool:
    """True if there is something of that name that holds no content: a device, a pipe."""
    return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)
