"""Read text files, packed or not, as a stream of lines of bounded length."""

from __future__ import annotations

import codecs
import gzip
import hashlib
import lzma
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, cast

from pytok.errors import CorpusError

__all__ = [
    "LONGEST_RECORD",
    "PACKED",
    "PART",
    "file_sha256",
    "line_parts",
    "parts_of",
    "require_regular",
    "text_lines",
]

LONGEST_RECORD = 1 << 26
PACKED = (".gz", ".xz")
PART = 1 << 20
"""Characters of a line that are read at once."""


def require_regular(path: Path) -> None:
    """Refuse what cannot be read twice, or at all.

    Raises
    ------
    CorpusError
        If there is no file, or a folder, a pipe or a device has its name.

    Examples
    --------
    >>> require_regular(Path("nothing/here.txt"))
    Traceback (most recent call last):
    pytok.errors.CorpusError: cannot read nothing/here.txt: no such file

    """
    if path.is_file():
        return
    if path.exists():
        reason = "a folder" if path.is_dir() else "a pipe or a device, expected a file"
    else:
        reason = "a link to what is not there" if path.is_symlink() else "no such file"
    raise CorpusError(f"cannot read {path}: {reason}", hint="give a regular file")


def file_sha256(path: Path) -> str:
    """SHA-256 of a file's bytes as stored, hexadecimal."""
    require_regular(path)
    digest = hashlib.sha256()
    try:
        with path.open("rb") as stream:
            while block := stream.read(PART):
                digest.update(block)
    except OSError as error:
        raise CorpusError(f"cannot read {path}: {error.strerror or error}") from error
    return digest.hexdigest()


def _unpacked(path: Path, raw: IO[bytes]) -> IO[bytes]:
    if path.name.endswith(".gz"):
        return cast(IO[bytes], gzip.GzipFile(fileobj=raw))
    if path.name.endswith(".xz"):
        return cast(IO[bytes], lzma.LZMAFile(raw))
    return raw


def _chunks(path: Path) -> Iterator[str]:
    # A pipe would wait for a writer, a device may never end.
    require_regular(path)
    decoder = codecs.getincrementaldecoder("utf-8")()
    offset = 0
    try:
        with path.open("rb") as raw:
            stream = _unpacked(path, raw)
            while True:
                block = stream.read(PART)
                pending = len(decoder.getstate()[0])
                try:
                    text = decoder.decode(block, final=not block)
                except UnicodeDecodeError as error:
                    raise CorpusError(
                        f"{path} is not UTF-8: byte {offset - pending + error.start}",
                        hint="convert the file, for example with `iconv -f GB18030 -t UTF-8`",
                    ) from error
                if not offset:
                    text = text.removeprefix("\ufeff")
                offset += len(block)
                if text:
                    yield text
                if not block:
                    return
    except (OSError, EOFError, lzma.LZMAError, zlib.error) as error:
        raise CorpusError(
            f"cannot read {path}: {error}",
            hint="the file is damaged or unreadable",
        ) from error


def _safe_cut(text: str, limit: int) -> int:
    """Where to cut a long text: after a sentence mark, else white space, else at `limit`."""
    half = limit // 2
    for marks in ("。！？", "，；、：", " \t　"):
        found = max(text.rfind(mark, half, limit) for mark in marks)
        if found >= 0:
            return found + 1
    return limit


def line_parts(path: Path, limit: int) -> Iterator[str]:
    """Read lines with their ends; a line above `limit` characters comes in parts.

    Raises
    ------
    CorpusError
        If the file cannot be read or is not UTF-8.

    """
    rest = ""
    for chunk in _chunks(path):
        # Only the last part has no line end, and it stays below the limit.
        *whole, rest = (rest + chunk).split("\n")
        for line in whole:
            yield from parts_of(line + "\n", limit)
        *parts, rest = parts_of(rest, limit) if rest else [""]
        yield from parts
    if rest:
        yield rest


def text_lines(path: Path) -> Iterator[str]:
    """Read the lines of a packed or plain text file, without their ends.

    Raises
    ------
    CorpusError
        If the file cannot be read, is not UTF-8, or a line is longer than
        `LONGEST_RECORD` characters.

    """
    held: list[str] = []
    size = number = 0
    for part in line_parts(path, PART):
        held.append(part)
        size += len(part)
        if size > LONGEST_RECORD:
            raise CorpusError(f"{path}:{number + 1}: line longer than {LONGEST_RECORD} characters")
        if part.endswith("\n"):
            yield "".join(held)[:-1].removesuffix("\r")
            held, size = [], 0
            number += 1
    if held:
        yield "".join(held).removesuffix("\r")


def parts_of(text: str, limit: int) -> Iterator[str]:
    """Cut a text into parts of at most `limit` characters, after a mark or a space if there is one.

    Examples
    --------
    >>> list(parts_of("天气很好。我们去散步", 6))
    ['天气很好。', '我们去散步']

    """
    start = 0
    while len(text) - start > limit:
        cut = start + _safe_cut(text[start : start + limit], limit)
        yield text[start:cut]
        start = cut
    yield text[start:]
