"""How the commands read text: files, compressed files, standard input."""

from __future__ import annotations

import gzip
import lzma
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from pytok.errors import CorpusError

__all__ = ["STDIN", "read_lines", "read_text", "source_name"]

STDIN = Path("-")

_FINITE_DEVICES = ("/dev/null", "/dev/stdin")


def source_name(path: Path) -> str:
    """Return what messages call this input."""
    return "standard input" if path == STDIN else str(path)


def _open(path: Path) -> IO[bytes] | gzip.GzipFile:
    if path == STDIN:
        if sys.stdin.buffer.closed:
            raise CorpusError(
                "standard input: named twice; expected once", hint="it can be read only once"
            )
        return sys.stdin.buffer
    if path.is_dir():
        raise CorpusError(
            f"{path}: is a directory; expected a text file",
            hint="name the files in it",
        )
    if path.is_char_device() and str(path) not in _FINITE_DEVICES:
        raise CorpusError(
            f"{path}: is a device that may never end; expected a text file",
            hint="use - for standard input",
        )
    try:
        if path.suffix == ".gz":
            return gzip.open(path, "rb")
        if path.suffix == ".xz":
            return lzma.open(path, "rb")
        return path.open("rb")
    except OSError as error:
        raise CorpusError(
            f"{path}: {error.strerror or error}; expected a readable text file",
            hint="check the path",
        ) from error


def _raw_lines(path: Path) -> Iterator[bytes]:
    try:
        with _open(path) as handle:
            yield from handle
    except (OSError, EOFError, lzma.LZMAError) as error:
        raise CorpusError(
            f"{path}: cannot be read: {error}",
            hint="the file may be truncated or not compressed as its name says",
        ) from error


def read_lines(path: Path) -> Iterator[str]:
    r"""Yield the lines of a text without their ``\n``.

    Only ``\n`` ends a line, so that the lines put together again with ``\n``
    are the text.

    Raises
    ------
    CorpusError
        If the file cannot be read or is not UTF-8; the message names the file
        and the line.

    """
    for number, line in enumerate(_raw_lines(path), start=1):
        try:
            yield line.removesuffix(b"\n").decode("utf-8")
        except UnicodeDecodeError as error:
            raise CorpusError(
                f"{source_name(path)}: line {number}, byte {error.start}: not UTF-8",
                hint="convert the file, for example with `iconv -f GB18030 -t UTF-8`",
            ) from error


def read_text(path: Path) -> str:
    r"""Return a whole text, line ends as they are.

    Raises
    ------
    CorpusError
        As `read_lines`.

    """
    data = b"".join(_raw_lines(path))
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise CorpusError(
            f"{source_name(path)}: byte {error.start}: not UTF-8",
            hint="convert the file, for example with `iconv -f GB18030 -t UTF-8`",
        ) from error
