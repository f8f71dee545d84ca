"""How often the ids occur, from the most frequent to the rarest.

Reference: Zipf (1949), Human behavior and the principle of least effort.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pytok.eval.text_batch import FloatArray, IntArray

__all__ = ["rank_frequency"]

_POINTS = 200


def rank_frequency(
    counts: Sequence[int] | IntArray | FloatArray, *, points: int = _POINTS
) -> tuple[tuple[int, int], ...]:
    """Ranks and counts of the ids that occur, at ranks evenly spaced in their logarithm.

    Parameters
    ----------
    counts
        Count of each id, shape (n_ids,).
    points
        Largest number of pairs, 2 or more, default 200.

    Returns
    -------
    pairs
        Rank, from 1 on, and count; the first and the last rank are among them.

    Examples
    --------
    >>> rank_frequency([0, 5, 9, 5, 1])
    ((1, 9), (2, 5), (3, 5), (4, 1))

    """
    numbers = np.asarray(counts)
    ordered = np.sort(numbers[numbers > 0])[::-1]
    if not len(ordered):
        return ()
    ranks = np.unique(np.rint(np.geomspace(1, len(ordered), points)).astype(np.int64))
    return tuple((rank, round(ordered[rank - 1])) for rank in ranks.tolist())
