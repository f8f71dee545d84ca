"""Percentile bootstrap over documents, vectorised on per-document sums.

Every metric with an interval is a ratio of two sums over documents, so a
resample needs no text: it is one weighted sum of the rows of a matrix. The
same resamples serve every column, and therefore every system.

Reference: Efron and Tibshirani (1993), An introduction to the bootstrap, 13.3.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from pytok.errors import ConfigError
from pytok.eval.text_batch import FloatArray

__all__ = [
    "FEWEST",
    "RESAMPLES",
    "SEED",
    "DocumentSums",
    "difference",
    "grouped",
    "interval",
    "resampled_sums",
]

RESAMPLES = 10_000
# Of fewer draws the 2.5th percentile is nearly the smallest of them.
FEWEST = 100
SEED = 20_240_229
_CELLS = 1 << 22


class DocumentSums:
    """Named sums per document, kept in bounded memory.

    When there are more than `limit` rows, neighbours are added together two by
    two; a row then stands for `documents_per_row` consecutive documents.

    Parameters
    ----------
    columns
        Names of the sums.
    limit
        Largest number of rows, an even number, default 16,384.

    Examples
    --------
    >>> sums = DocumentSums(["tokens"], limit=2)
    >>> sums.add({"tokens": np.array([1.0, 2.0, 3.0])})
    >>> sums.rows.ravel().tolist(), sums.documents, sums.documents_per_row
    ([3.0, 3.0], 3, 2)

    """

    def __init__(self, columns: list[str], *, limit: int = 16_384) -> None:
        if limit < 2 or limit % 2:
            raise ConfigError(f"limit must be an even number above 0, not {limit}")
        self.columns = columns
        self.documents = 0
        self.documents_per_row = 1
        self._limit = limit
        self._rows: FloatArray = np.zeros((limit, len(columns)))

    def add(self, sums: Mapping[str, FloatArray]) -> None:
        """Append documents; every column has shape (n_documents,)."""
        block = np.stack([sums[name] for name in self.columns], axis=1)
        for start in range(0, len(block), self._limit):
            self._append(block[start : start + self._limit])

    def _append(self, block: FloatArray) -> None:
        numbers = np.arange(self.documents, self.documents + len(block))
        while numbers.size and numbers[-1] // self.documents_per_row >= self._limit:
            half = self._limit // 2
            self._rows[:half] = self._rows[0::2] + self._rows[1::2]
            self._rows[half:] = 0.0
            self.documents_per_row *= 2
        np.add.at(self._rows, numbers // self.documents_per_row, block)
        self.documents += len(block)

    @property
    def rows(self) -> FloatArray:
        """Sums, shape (n_rows, n_columns)."""
        return self._rows[: -(-self.documents // self.documents_per_row)]

    def total(self) -> dict[str, float]:
        """Add up all documents, by column."""
        return dict(zip(self.columns, self.rows.sum(axis=0).tolist(), strict=True))


def grouped(rows: FloatArray, limit: int) -> tuple[FloatArray, int]:
    """Add neighbouring rows together until there are at most `limit`.

    Parameters
    ----------
    rows
        Sums, shape (n_rows, n_columns).
    limit
        Largest number of rows, above 0.

    Returns
    -------
    rows, group
        Sums of groups, and how many rows a group is, a power of two; the last
        group may be smaller.

    Examples
    --------
    >>> rows, group = grouped(np.array([[1.0], [2.0], [4.0]]), 2)
    >>> rows.tolist(), group
    ([[3.0], [4.0]], 2)

    """
    group = 1
    while -(-len(rows) // group) > limit:
        group *= 2
    if group == 1:
        return rows, 1
    return np.add.reduceat(rows, np.arange(0, len(rows), group), axis=0), group


def resampled_sums(rows: FloatArray, *, resamples: int = RESAMPLES, seed: int = SEED) -> FloatArray:
    """Column sums of documents drawn with replacement.

    Parameters
    ----------
    rows
        Sums per document, shape (n_documents, n_columns).
    resamples
        Number of resamples, above 0, default 10,000.
    seed
        Seed of the generator (PCG64).

    Returns
    -------
    sums
        Shape (resamples, n_columns).

    Examples
    --------
    >>> resampled_sums(np.array([[1.0], [1.0]]), resamples=3).tolist()
    [[2.0], [2.0], [2.0]]

    """
    if resamples < 1:
        raise ConfigError(f"resamples must be above 0, not {resamples}")
    n_rows, n_columns = rows.shape
    generator = np.random.default_rng(seed)
    sums = np.empty((resamples, n_columns))
    step = max(1, _CELLS // max(1, n_rows))
    for start in range(0, resamples, step):
        size = min(step, resamples - start)
        drawn = generator.integers(0, n_rows, size=(size, n_rows), dtype=np.int64)
        drawn += np.arange(size)[:, None] * n_rows
        weights = np.bincount(drawn.ravel(), minlength=size * n_rows).reshape(size, n_rows)
        sums[start : start + size] = weights.astype(np.float64) @ rows
    return sums


def interval(
    numerators: npt.NDArray[np.float64], denominators: npt.NDArray[np.float64]
) -> tuple[float, float] | None:
    """95 % percentile interval of a ratio of resampled sums.

    Parameters
    ----------
    numerators, denominators
        Resampled sums, shape (resamples,).

    Returns
    -------
    low, high
        The 2.5th and 97.5th percentiles over the resamples whose denominator
        is not 0; None when there are none.

    Examples
    --------
    >>> interval(np.arange(101.0), np.full(101, 100.0))
    (0.025, 0.975)

    """
    valid = denominators != 0
    if not valid.any():
        return None
    low, high = np.percentile(numerators[valid] / denominators[valid], [2.5, 97.5])
    return float(low), float(high)


def difference(a: FloatArray, b: FloatArray) -> tuple[float, float] | None:
    """95 % percentile interval of a difference of two values of the same resamples.

    Parameters
    ----------
    a, b
        Values in each resample, shape (resamples,); not a number where undefined.

    Returns
    -------
    low, high
        The 2.5th and 97.5th percentiles of a - b over the resamples in which
        both are defined; None when there are none.

    Examples
    --------
    >>> difference(np.arange(101.0), np.full(101, 50.0))
    (-47.5, 47.5)

    """
    found = a - b
    found = found[~np.isnan(found)]
    if not found.size:
        return None
    low, high = np.percentile(found, [2.5, 97.5])
    return float(low), float(high)
