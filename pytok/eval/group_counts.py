"""Counts of keys (ids, words, cuts of words) per group of documents, in bounded memory."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pytok.errors import ConfigError
from pytok.eval.text_batch import FloatArray, IntArray

__all__ = ["Entries", "GroupCounts"]

_KEY_BITS = 40
_KEYS = (1 << _KEY_BITS) - 1


@dataclass(frozen=True)
class Entries:
    """Counts that are not 0, ordered by group and key.

    Parameters
    ----------
    groups, keys
        Of each entry, shape (n_entries,).
    counts, marked
        How often, and how often marked, shape (n_entries,).
    n_groups
        Number of groups.

    """

    groups: IntArray
    keys: IntArray
    counts: FloatArray
    marked: FloatArray
    n_groups: int


class GroupCounts:
    """Sparse counts per group of consecutive documents.

    Where there are more groups than `limit`, or more entries than `most`,
    neighbouring groups are added together two by two.

    Parameters
    ----------
    limit
        Largest number of groups, above 1, default 256.
    most
        Largest number of entries kept between two additions, default 2,097,152
        (50 MB).

    Examples
    --------
    >>> counts = GroupCounts(limit=2)
    >>> counts.add(3, np.array([0, 1, 2]), np.array([7, 7, 9]))
    >>> found = counts.entries()
    >>> found.groups.tolist(), found.keys.tolist(), found.counts.tolist()
    ([0, 1], [7, 9], [2.0, 1.0])
    >>> counts.documents, counts.documents_per_group
    (3, 2)

    """

    def __init__(self, *, limit: int = 256, most: int = 1 << 21) -> None:
        if limit < 2:
            raise ConfigError(f"limit: {limit}, expected a number above 1")
        self.documents = 0
        self.documents_per_group = 1
        self._limit = limit
        self._most = most
        self._codes: IntArray = np.zeros(0, dtype=np.int64)
        self._sums: FloatArray = np.zeros((0, 2))
        self._pending: list[tuple[IntArray, FloatArray]] = []

    def add(
        self,
        n_documents: int,
        owners: IntArray,
        keys: IntArray,
        marked: FloatArray | None = None,
    ) -> None:
        """Count keys of further documents.

        Parameters
        ----------
        n_documents
            Number of documents that are added.
        owners
            Which of them each key is from, shape (n_keys,), from 0.
        keys
            The keys, shape (n_keys,), 0 to 2^40 - 1.
        marked
            1 for keys that are marked, else 0; None for none.

        """
        end = self.documents + n_documents
        while end > self._limit * self.documents_per_group:
            self._halve()
        groups = (self.documents + owners) // self.documents_per_group
        sums = np.ones((len(keys), 2))
        sums[:, 1] = 0.0 if marked is None else marked
        self._pending.append(_summed((groups << _KEY_BITS) | keys, sums))
        self.documents = end
        # Merged only when as much waits as there is, so that the work is n log n.
        if sum(len(codes) for codes, _ in self._pending) > max(len(self._codes), 1 << 16):
            self._merge()
            while len(self._codes) > self._most and self.documents > self.documents_per_group:
                self._halve()

    def _merge(self) -> None:
        codes = np.concatenate([self._codes, *(codes for codes, _ in self._pending)])
        sums = np.concatenate([self._sums, *(sums for _, sums in self._pending)])
        self._codes, self._sums = _summed(codes, sums)
        self._pending = []

    def _halve(self) -> None:
        self._merge()
        groups, keys = self._codes >> _KEY_BITS, self._codes & _KEYS
        self._codes, self._sums = _summed(((groups >> 1) << _KEY_BITS) | keys, self._sums)
        self.documents_per_group *= 2

    def entries(self, documents_per_group: int = 0) -> Entries:
        """Give the counts; with a number, in groups of so many documents at least."""
        self._merge()
        while self.documents_per_group < documents_per_group:
            self._halve()
        return Entries(
            groups=self._codes >> _KEY_BITS,
            keys=self._codes & _KEYS,
            counts=self._sums[:, 0],
            marked=self._sums[:, 1],
            n_groups=-(-self.documents // self.documents_per_group),
        )


def _summed(codes: IntArray, sums: FloatArray) -> tuple[IntArray, FloatArray]:
    """Add up the rows of equal codes."""
    if not len(codes):
        return codes, sums
    order = np.argsort(codes, kind="stable")
    ordered = codes[order]
    starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
    return ordered[starts], np.add.reduceat(sums[order], starts, axis=0)
