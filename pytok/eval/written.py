"""Write a file beside its place and rename it: it is whole or not there."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from pytok.errors import ExportError

__all__ = ["written"]


@contextmanager
def written(path: Path) -> Iterator[IO[bytes]]:
    """Open a file for writing; it takes its name when the block ends without an error.

    Parameters
    ----------
    path
        Where the file is to be; a file of that name is replaced.

    Raises
    ------
    ExportError
        If the file cannot be written.

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
    staging = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with staging.open("xb") as stream:
            yield stream
        staging.replace(path)
    except OSError as error:
        raise ExportError(
            f"cannot write {path}: {error.strerror or error}", hint="choose a writable path"
        ) from error
    finally:
        staging.unlink(missing_ok=True)
