"""How long pieces are, by script: which part of the text gets long pieces."""

from __future__ import annotations

import sys
from functools import cache

import numpy as np
import numpy.typing as npt

from pytok.eval.layout import Segmentation
from pytok.eval.text_batch import IntArray
from pytok.eval.units import punctuation, white_space

__all__ = ["LONGEST_PIECE", "SCRIPTS", "by_script", "piece_lengths"]

LONGEST_PIECE = 16
SCRIPTS = (
    "Han",
    "Latin",
    "kana",
    "digits",
    "punctuation",
    "white space",
    "other",
    "mixed",
    "part of a character",
)
_HAN, _LATIN, _KANA, _DIGITS, _PUNCTUATION, _SPACE, _OTHER, _MIXED, _PART = range(len(SCRIPTS))
_RANGES = {
    _HAN: ((0x3007, 0x3007), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF),
           (0x20000, 0x3FFFD)),
    _LATIN: ((0x41, 0x5A), (0x61, 0x7A), (0xC0, 0x24F), (0x1E00, 0x1EFF), (0xFF21, 0xFF3A),
             (0xFF41, 0xFF5A)),
    _KANA: ((0x3041, 0x3096), (0x309D, 0x309F), (0x30A1, 0x30FA), (0x30FC, 0x30FF),
            (0xFF66, 0xFF9F)),
    _DIGITS: ((0x30, 0x39), (0xFF10, 0xFF19)),
}  # fmt: skip


@cache
def _classes() -> npt.NDArray[np.uint8]:
    """Script of each code point, shape (0x110000,)."""
    table = np.full(sys.maxunicode + 1, _OTHER, dtype=np.uint8)
    table[punctuation()] = _PUNCTUATION
    for script, ranges in _RANGES.items():
        for low, high in ranges:
            table[low : high + 1] = script
    return table


def piece_lengths(pieces: Segmentation) -> IntArray:
    """Count pieces by script and length.

    A space in front of other characters belongs to no script and is not
    counted in the length. A piece that shares a character with another one is
    "part of a character".

    Returns
    -------
    counts
        Shape (n_scripts, 16): pieces of 1 to 15 characters, and of 16 or more.

    Examples
    --------
    >>> by_script(piece_lengths(Segmentation.of_words(["中国 no1"], [["中国", " no", "1"]])))["Han"]
    (0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)

    """
    batch = pieces.batch
    classes = _classes()[batch.code_points]
    classes[white_space(batch)] = _SPACE
    touching = pieces.end > pieces.first
    first, end = pieces.first[touching], pieces.end[touching]
    if not len(first):
        return np.zeros((len(SCRIPTS), LONGEST_PIECE), dtype=np.int64)
    whole = pieces.whole[end] - pieces.whole[first] == end - first
    first = first + ((end - first > 1) & (batch.code_points[first] == ord(" ")))
    changes = np.concatenate(([0], np.cumsum(classes[1:] != classes[:-1])))
    script = np.where(changes[end - 1] == changes[first], classes[first], _MIXED)
    script = np.where(whole, script, _PART).astype(np.int64)
    length = np.minimum(np.where(whole, end - first, 1), LONGEST_PIECE)
    found = np.bincount(script * LONGEST_PIECE + length - 1, minlength=len(SCRIPTS) * LONGEST_PIECE)
    counts: IntArray = found.reshape(len(SCRIPTS), LONGEST_PIECE)
    return counts


def by_script(counts: IntArray) -> dict[str, tuple[int, ...]]:
    """Name the rows of `piece_lengths` that have pieces."""
    return {
        script: tuple(row) for script, row in zip(SCRIPTS, counts.tolist(), strict=True) if any(row)
    }
