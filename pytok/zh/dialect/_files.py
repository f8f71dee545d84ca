"""Files of a user's own tables."""

from __future__ import annotations

import os
from pathlib import Path

from pytok.errors import ConfigError

__all__ = ["read_utf8"]


def read_utf8(path: str | os.PathLike[str]) -> str:
    """Return the text of a file, without the mark that some editors put before it.

    Raises
    ------
    ConfigError
        When the file cannot be read or is not UTF-8.

    """
    place = Path(path)
    try:
        return place.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise ConfigError(f"{place}: {error.strerror}", hint="check the path") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{place}: not UTF-8", hint="convert the file to UTF-8") from error
