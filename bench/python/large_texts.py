"""The inputs of `large_inputs.py`: the same bytes everywhere.

Text is the shared texts over and over, those of the kinds that may be trained on.
In each copy the clauses of a share of them exchange their ends, so that there are
more and more different words, nearly as many as in so much real text, while
characters meet as they do in it.
"""

from __future__ import annotations

import itertools
import lzma
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

REPOSITORY = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("PYTOK_SHARED", REPOSITORY.parent / "shared"))
FOLDERS = ("classical", "code", "dialect", "news", "train")
# Evaluation data, never trained on.
LEFT_OUT = ("README.md", "ntrex-*")
NEWLINE = ord("\n")
# The share of clauses that exchange their ends. Of the shared texts, lines in any
# order, the last eighth has 22 new words in a kilobyte, and the first 28; 2.3 GB with
# this share have 20 different words in a kilobyte.
CHANGED = 0.7

Codes = NDArray[np.uint32]


def shared_text() -> Codes:
    """Return the characters of the shared texts, a newline at the end."""
    parts = []
    for folder in FOLDERS:
        for path in sorted((SHARED / "data" / folder).iterdir()):
            if any(path.match(pattern) for pattern in LEFT_OUT):
                continue
            raw = path.read_bytes()
            raw = lzma.decompress(raw) if path.suffix == ".xz" else raw
            parts.append(raw.decode("utf-8").rstrip("\n") + "\n")
    return np.frombuffer("".join(parts).encode("utf-32-le"), dtype="<u4")


def is_han(codes: Codes) -> NDArray[np.bool_]:
    return (codes >= 0x4E00) & (codes <= 0x9FFF)


def varied(codes: Codes, number: int) -> Codes:
    """Return the text in which clauses have the ends of others.

    A clause is a run of Han characters, perhaps none, and the character after it.
    """
    random = np.random.Generator(np.random.PCG64(number))
    after = np.flatnonzero(~is_han(codes))
    first = np.concatenate(([0], after[:-1] + 1))
    length = after - first
    changed = np.flatnonzero((random.random(length.size) < CHANGED) & (length > 1))
    head = length.copy()
    head[changed] = 1 + (random.random(changed.size) * (length[changed] - 1)).astype(np.int64)
    other = np.arange(length.size)
    other[changed] = random.permutation(changed)
    # Of each clause its own head, the end of another, and the character after it.
    begins = np.stack((first, (first + head)[other], after), axis=1).ravel()
    lengths = np.stack((head, (length - head)[other], np.ones_like(after)), axis=1).ravel()
    offsets = np.cumsum(lengths) - lengths
    return codes[np.repeat(begins - offsets, lengths) + np.arange(codes.size)]


def texts(keep: Callable[[Codes], NDArray[np.bool_]] | None = None) -> Iterator[bytes]:
    """Yield the shared texts without an end, or of them what `keep` says."""
    codes = shared_text()
    for number in itertools.count():
        copy = varied(codes, number)
        if keep:
            copy = copy[keep(copy)]
        yield copy.astype("<u4").tobytes().decode("utf-32-le").encode("utf-8")


def letters() -> Iterator[bytes]:
    while True:
        yield b"a" * (1 << 20)


def noise() -> Iterator[bytes]:
    random = np.random.Generator(np.random.PCG64(0))
    while True:
        yield random.bytes(1 << 20)


def not_newline(codes: Codes) -> NDArray[np.bool_]:
    return codes != NEWLINE


# By the name of the input, what gives its bytes, and more.
TEXTS: dict[str, Callable[[], Iterator[bytes]]] = {
    "words": texts,
    "line": lambda: texts(not_newline),
    "han": lambda: texts(is_han),
    "letter": letters,
    "binary": noise,
}


def make(path: Path, name: str, size: int) -> None:
    """Write an input, whole or not at all."""
    if path.exists() and size - 4 < path.stat().st_size <= size:
        return
    staging = path.with_name(f".{path.name}")
    left = size
    with staging.open("wb") as stream:
        for piece in TEXTS[name]():
            if len(piece) > left:
                # The last character may be cut: its bytes are left out.
                end = left
                while name != "binary" and 0x80 <= piece[end] < 0xC0:
                    end -= 1
                stream.write(piece[:end])
                break
            stream.write(piece)
            left -= len(piece)
    staging.replace(path)
