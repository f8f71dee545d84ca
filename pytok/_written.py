"""Write a file beside its place and rename it: it is whole or not there."""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from pytok.errors import ExportError

__all__ = ["target_of", "written"]


def target_of(path: Path) -> Path:
    """File that writing to a path means: links are followed.

    Raises
    ------
    ExportError
        If something other than a file is there: a folder, a pipe, a device.

    Examples
    --------
    >>> target_of(Path("/dev/null"))
    Traceback (most recent call last):
    pytok.errors.ExportError: cannot write /dev/null: it is not a regular file

    """
    target = Path(os.path.realpath(path))
    # Of links in a circle, one is left.
    if (path.exists() and not path.is_file()) or target.is_symlink() or target.is_dir():
        raise ExportError(
            f"cannot write {path}: it is not a regular file", hint="give a new path or a file"
        )
    return target


@contextmanager
def written(path: Path) -> Iterator[IO[bytes]]:
    """Open a file for writing; it takes its name when the block ends without an error.

    Parameters
    ----------
    path
        Where the file is to be; a file of that name is replaced and its rights
        are kept. A link stays, and the file it leads to is replaced.

    Raises
    ------
    ExportError
        If the file cannot be written, or is not a regular file.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with written(Path(folder) / "a.txt") as stream:
    ...         _ = stream.write(b"text")
    ...     (Path(folder) / "a.txt").read_text()
    'text'

    """
    # Not `tempfile`: the result must have the rights of any new file.
    target = target_of(path)
    writer = f"{os.getpid()}-{threading.get_ident()}"
    staging = target.with_name(f".{target.name}.{writer}.part")
    try:
        with staging.open("xb") as stream:
            yield stream
        if target.exists():
            staging.chmod(stat.S_IMODE(target.stat().st_mode))
        staging.replace(target)
    except OSError as error:
        raise ExportError(
            f"cannot write {path}: {error.strerror or error}", hint="choose a writable path"
        ) from error
    finally:
        staging.unlink(missing_ok=True)
