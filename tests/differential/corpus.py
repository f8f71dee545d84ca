"""Texts for the comparisons: real corpora, cut into lines, paragraphs and long pieces.

Without ``PYTOK_FULL=1`` each kind gives a fixed slice of at least
`SLICE_BYTES`, taken from every file of the kind in proportion, always the same
one: the places are chosen by a generator that is seeded with the file's name.
With ``PYTOK_FULL=1`` each kind gives every file, twice: by line, and in pieces of
about a megabyte without regard to lines.
"""

from __future__ import annotations

import gzip
import lzma
import os
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

FULL = os.environ.get("PYTOK_FULL") == "1"
KINDS = ("news", "code", "classical", "dialect", "parallel")
SLICE_BYTES = 500_000
LINE_END_ALLOWANCE = 20_000
CHUNK_CHARACTERS = 400_000


@dataclass(frozen=True)
class Document:
    """A text and where it comes from, for the failure message."""

    source: str
    text: str


def read(path: Path) -> str:
    """The text of a file; ``.xz`` and ``.gz`` are opened on the way. Line ends stay."""
    opener = {".xz": lzma.open, ".gz": gzip.open}.get(path.suffix, open)
    with opener(path, "rb") as file:
        return file.read().decode("utf-8")


@cache
def files(root: Path, kind: str) -> tuple[Path, ...]:
    """The text files of a kind, in a fixed order."""
    found = (path for path in (root / "data" / kind).rglob("*") if path.is_file())
    return tuple(sorted(path for path in found if not path.name.startswith("README")))


def documents(root: Path, kind: str, *, full: bool = FULL) -> Iterator[Document]:
    """The documents of a kind: the fixed slice, or everything."""
    if full:
        for path in files(root, kind):
            text = read(path)
            name = path.relative_to(root).as_posix()
            yield from lines(name, text)
            yield from chunks(name, text)
    else:
        yield from _slice(root, kind)


@lru_cache(maxsize=8)
def _slice(root: Path, kind: str) -> tuple[Document, ...]:
    paths = files(root, kind)
    texts = {path: read(path) for path in paths}
    sizes = {path: len(text.encode()) for path, text in texts.items()}
    # A file that is smaller than its equal share is taken whole and the others
    # make up for it.
    budget, remaining, result = SLICE_BYTES + LINE_END_ALLOWANCE, len(paths), []
    cutters = (lines, paragraphs, chunks)
    for number, path in enumerate(sorted(paths, key=lambda path: (sizes[path], path))):
        share = -(-budget // remaining)
        region = _region(texts[path], share, path.name)
        budget -= len(region.encode())
        remaining -= 1
        name = path.relative_to(root).as_posix()
        result += cutters[number % 3](name, region)
    return tuple(result)


def _region(text: str, size: int, seed: str) -> str:
    """A stretch of whole lines of at least ``size`` bytes, if the text has as many."""
    encoded = text.encode()
    if len(encoded) <= size:
        return text
    start = random.Random(seed).randrange(len(encoded) - size)
    start = encoded.rfind(b"\n", 0, start) + 1
    end = encoded.find(b"\n", start + size)
    return encoded[start : len(encoded) if end < 0 else end + 1].decode()


def lines(name: str, text: str) -> Iterator[Document]:
    """Each line, without its end."""
    for number, line in enumerate(text.split("\n"), 1):
        if line:
            yield Document(f"{name}:{number}", line)


def paragraphs(name: str, text: str, size: int = 2_000) -> Iterator[Document]:
    """Runs of whole lines of about ``size`` characters, ends included."""
    paragraph, length, first = [], 0, 1
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        paragraph.append(line)
        length += len(line)
        if length >= size:
            yield Document(f"{name}:{first}-{number}", "".join(paragraph))
            paragraph, length, first = [], 0, number + 1
    if paragraph:
        yield Document(f"{name}:{first}-", "".join(paragraph))


def chunks(name: str, text: str, size: int = CHUNK_CHARACTERS) -> Iterator[Document]:
    """Pieces of about a megabyte of UTF-8, cut anywhere between two characters."""
    for start in range(0, len(text), size):
        yield Document(f"{name}[{start}:]", text[start : start + size])


def long_document(root: Path, kind: str, size: int = 1_000_000) -> Document:
    """A text of at least ``size`` bytes without a newline.

    Unigram sums in single precision depend on everything before them, so that
    only long inputs show whether they are added in the reference's order.
    """
    parts, length = [], 0
    for path in files(root, kind):
        text = read(path).replace("\r", "").replace("\n", "")
        parts.append(text[: size // 2])
        length += len(parts[-1].encode())
        if length >= size:
            break
    return Document(f"{kind} without newlines", "".join(parts))
