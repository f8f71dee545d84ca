"""Amounts of memory, as people write them."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from pytok.errors import ConfigError, CorpusError

__all__ = ["memory_bytes", "memory_of"]

UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
LARGEST = 2**62


def memory_bytes(memory: object) -> int | None:
    """Return a number of bytes, or an amount such as "512M" or "2G", in bytes.

    Raises
    ------
    ConfigError
        When it is neither.

    Examples
    --------
    >>> memory_bytes("2G"), memory_bytes("1.5 MiB"), memory_bytes(None)
    (2147483648, 1572864, None)

    """
    if memory is None:
        return None
    amount: float | None = None
    if isinstance(memory, int) and not isinstance(memory, bool):
        amount = memory
    elif isinstance(memory, str):
        match = re.fullmatch(r"([0-9]{1,18}(?:\.[0-9]{1,6})?) *([KMGT]?)(?:i?B)?", memory.strip())
        amount = float(match[1]) * UNITS[match[2]] if match else None
    if amount is None or not 0 <= amount <= LARGEST:
        raise ConfigError(
            f'memory: {memory!r}, expected bytes, or an amount such as "512M" or "2G"'
        )
    return int(amount)


def memory_of(memory: object, folder: Path | None = None) -> tuple[int, str] | None:
    """Return the bytes, and the folder for words beyond them: the temporary one if not given."""
    amount = memory_bytes(memory)
    if amount is None:
        return None
    if folder is not None:
        return amount, str(folder)
    try:
        return amount, tempfile.gettempdir()
    except FileNotFoundError as error:
        raise CorpusError(
            "memory: there is no folder for words that do not fit",
            hint="pass a work folder, or set the variable TMPDIR",
        ) from error
