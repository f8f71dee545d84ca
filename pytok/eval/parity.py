"""Parity: how many tokens one text costs in two languages, scripts or styles.

T(side) / T(base) over lines that say the same; 1 is equal cost. A line that is
empty on either side is left out of the pair. Every line is encoded by itself.

Reference: Petrov et al. (2023), Language model tokenizers introduce
unfairness between languages.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from pytok.eval.ratio import ratio
from pytok.eval.systems import TokenizerLike
from pytok.eval.text_batch import FloatArray

__all__ = ["Parity", "blocks_of", "parity", "token_counts"]

_BATCH_LINES = 4096
_BATCH_CHARACTERS = 1 << 18


@dataclass(frozen=True)
class Parity:
    """Tokens of a side over tokens of the base, and the sums."""

    ratio: float
    tokens: int
    base_tokens: int
    lines: int


def parity(side: Sequence[float] | FloatArray, base: Sequence[float] | FloatArray) -> Parity:
    """Compare the tokens of parallel lines.

    Parameters
    ----------
    side, base
        Tokens of each line, shape (n_lines,); 0 where the line is empty.

    Examples
    --------
    >>> parity([3, 5, 0], [2, 2, 9])
    Parity(ratio=2.0, tokens=8, base_tokens=4, lines=2)

    """
    blocks = blocks_of(np.asarray(side, float), np.asarray(base, float), lines=1)
    tokens, base_tokens, lines = blocks.sum(axis=0).tolist()
    return Parity(ratio(tokens, base_tokens), int(tokens), int(base_tokens), int(lines))


def blocks_of(side: FloatArray, base: FloatArray, *, lines: int) -> FloatArray:
    """Tokens of both sides and common lines by block of lines, shape (n_blocks, 3).

    Examples
    --------
    >>> blocks_of(np.array([3.0, 5, 0]), np.array([2.0, 2, 9]), lines=2).tolist()
    [[8.0, 4.0, 2.0], [0.0, 0.0, 0.0]]

    """
    common = (side > 0) & (base > 0)
    columns = np.stack([side * common, base * common, common.astype(np.float64)], axis=1)
    if not len(columns):
        return np.zeros((0, 3))
    summed: FloatArray = np.add.reduceat(columns, np.arange(0, len(columns), lines), axis=0)
    return summed


def token_counts(tokenizer: TokenizerLike, lines: Iterable[str]) -> FloatArray:
    """Tokens of each line, shape (n_lines,); 0 for a line of white space only."""
    counts: list[FloatArray] = [np.zeros(0)]
    stream = iter(lines)
    while batch := list(islice(stream, _BATCH_LINES)):
        texts = [line if line.strip() else "" for line in batch]
        for part in _bounded(texts):
            _, bounds = tokenizer.encode_batch_ids(part, special="text", add_special_tokens=False)
            found = np.diff(bounds).astype(np.float64)
            found[[not text for text in part]] = 0.0
            counts.append(found)
    return np.concatenate(counts)


def _bounded(texts: list[str]) -> Iterable[list[str]]:
    """Parts of a batch that hold a bounded number of characters (or one text)."""
    start = size = 0
    for at, text in enumerate(texts):
        if size and size + len(text) > _BATCH_CHARACTERS:
            yield texts[start:at]
            start, size = at, 0
        size += len(text)
    yield texts[start:]
