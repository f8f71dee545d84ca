"""Write the files of a folder beside their places and rename them: each is whole or not there."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pytok._written import written
from pytok.errors import ExportError

__all__ = ["staged"]


@contextmanager
def staged(folder: Path) -> Iterator[Path]:
    """Give a hidden folder to write into; its files take their places when the block ends well.

    It lies inside `folder` where that exists, since its parent may be read-only
    or on another file system. A link stays, and the file it leads to is replaced.

    Raises
    ------
    ExportError
        When the folder is a file, or something cannot be written.

    Examples
    --------
    >>> with tempfile.TemporaryDirectory() as place:
    ...     with staged(Path(place, "new")) as staging:
    ...         _ = (staging / "a.txt").write_text("text")
    ...     Path(place, "new", "a.txt").read_text()
    'text'

    """
    if folder.exists() and not folder.is_dir():
        raise ExportError(
            f"{folder}: is a file, expected a folder", hint="pass the path of a folder"
        )
    place = folder if folder.is_dir() else folder.absolute().parent
    staging = None
    try:
        place.mkdir(parents=True, exist_ok=True)
        staging = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=place))
        yield staging
        _move(staging, folder)
    except OSError as error:
        raise ExportError(
            f"{folder}: cannot be written: {error.strerror or error}",
            hint="choose a writable folder",
        ) from error
    finally:
        if staging is not None:
            shutil.rmtree(staging, ignore_errors=True)


def _move(staging: Path, folder: Path) -> None:
    files = [path for path in sorted(staging.rglob("*")) if path.is_file()]
    for path in files:
        with path.open("rb+") as stream:
            os.fsync(stream.fileno())
    folder.mkdir(exist_ok=True)
    for path in files:
        target = folder / path.relative_to(staging)
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.is_symlink():
            # It may lead to another file system.
            with path.open("rb") as source, written(target) as stream:
                shutil.copyfileobj(source, stream)
        else:
            path.replace(target)
