"""Find the terms of a list in a batch, many at once.

For every length that occurs, the hash of each window of the text is looked up
in a table of bits, and the few windows that pass are compared as strings: n
array steps per length, whatever the number of terms.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt

from pytok.eval.text_batch import BoolArray, TextBatch

__all__ = ["LONGEST_TERM", "TermIndex"]

LONGEST_TERM = 64
_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_TABLE_BITS = 20
_SHIFT = np.uint64(64 - _TABLE_BITS)
_MORE = np.uint64(0xD1B54A32D192ED03)

_Codes = npt.NDArray[np.uint64]


class TermIndex:
    """Terms, ready to be found.

    Parameters
    ----------
    terms
        Terms of 1 to 64 characters; others are left out.

    Examples
    --------
    >>> TermIndex(["人民", "人民大会堂", "会堂"]).find(TextBatch.of(["在人民大会堂", "会堂"]))
    [(1, 6), (6, 8)]

    """

    def __init__(self, terms: Iterable[str]) -> None:
        self._terms = {term for term in terms if 0 < len(term) <= LONGEST_TERM}
        self._tables: dict[int, BoolArray] = {}
        by_length: dict[int, list[str]] = {}
        for term in self._terms:
            by_length.setdefault(len(term), []).append(term)
        for length, same in sorted(by_length.items()):
            codes = np.frombuffer("".join(same).encode("utf-32-le"), dtype="<u4")
            columns = codes.reshape(-1, length).astype(np.uint64)
            hashes = np.zeros(len(same), dtype=np.uint64)
            for at in range(length):
                hashes = hashes * _FACTOR + columns[:, at] + np.uint64(1)
            table = np.zeros(1 << _TABLE_BITS, dtype=np.bool_)
            table[_slots(hashes)] = True
            self._tables[length] = table

    def find(self, batch: TextBatch) -> list[tuple[int, int]]:
        """Find spans in characters: leftmost, then longest, not overlapping.

        A term that begins or ends with an ASCII letter or digit is not found
        inside a longer run of such characters, and none crosses two texts.
        """
        joined = "".join(batch.texts)
        inner = np.zeros(batch.n_characters + 1, dtype=np.bool_)
        inner[1:-1] = True
        inner[batch.text_starts] = False
        longest: dict[int, int] = {}
        # Longer terms overwrite shorter ones that start at the same place.
        for start, length in self.occurrences(batch):
            edges = [at for at in (start, start + length) if inner[at]]
            if not any(_inside_run(joined, at) for at in edges):
                longest[start] = length
        return _leftmost(sorted(longest.items()))

    def occurrences(self, batch: TextBatch) -> Iterator[tuple[int, int]]:
        """Find all places of all terms, (first character, length), shorter terms first.

        Places may overlap and lie inside longer runs; none crosses two texts.
        """
        joined = "".join(batch.texts)
        codes = batch.code_points.astype(np.uint64)
        hashes = np.zeros(len(codes) + 1, dtype=np.uint64)
        ends_of_texts = np.repeat(batch.text_starts[1:], np.diff(batch.text_starts))
        for length in range(1, max(self._tables, default=0) + 1):
            n_windows = len(codes) - length + 1
            if n_windows < 1:
                break
            hashes = hashes[:n_windows] * _FACTOR + codes[length - 1 :] + np.uint64(1)
            if length not in self._tables:
                continue
            passed = self._tables[length][_slots(hashes)]
            passed &= np.arange(length, length + n_windows) <= ends_of_texts[:n_windows]
            for start in np.flatnonzero(passed).tolist():
                if joined[start : start + length] in self._terms:
                    yield start, length


def _slots(hashes: _Codes) -> npt.NDArray[np.int64]:
    slots: npt.NDArray[np.int64] = ((hashes * _MORE) >> _SHIFT).astype(np.int64)
    return slots


def _inside_run(text: str, edge: int) -> bool:
    """Whether ASCII letters or digits stand on both sides of an edge."""
    around = text[edge - 1 : edge + 1]
    return around.isascii() and around.isalnum()


def _leftmost(found: list[tuple[int, int]]) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    free = 0
    for start, length in found:
        if start >= free:
            free = start + length
            spans.append((start, free))
    return spans
