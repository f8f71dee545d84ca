"""Consistency: whether a word is always cut in the same way.

H(pattern | word type) weighted by frequency, in bits; a pattern is the list
of cuts inside the word. Its ratio without and with a normalisation is the
consistency gain of that normalisation.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pytok.eval.layout import Segmentation
from pytok.eval.ratio import ratio
from pytok.eval.words import WordCuts, Words, cut_words

__all__ = [
    "Consistency",
    "consistency_entropy",
    "consistency_gain",
    "count_patterns",
    "entropy_of_patterns",
    "pattern_counts",
    "pattern_numbers",
]


@dataclass(frozen=True)
class Consistency:
    """H(pattern | type) in bits, and the share of types with several patterns."""

    entropy: float
    words: int
    types: int
    varying_types: int


_TYPES = np.uint64(0x9E3779B97F4A7C15)


def _mixed(values: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Scatter 64-bit numbers (the finaliser of SplitMix64, Steele et al. 2014)."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    scattered: npt.NDArray[np.uint64] = values ^ (values >> np.uint64(31))
    return scattered


def pattern_numbers(cuts: WordCuts) -> npt.NDArray[np.uint64]:
    """Give each word the number of its type and pattern, shape (n_words,).

    The pattern number is the wrapping sum of one scattered number per part
    (its place and length inside the word), mixed with the type: equal cuts of
    equal words give equal numbers, others meet with probability 2**-64.
    """
    parts = cuts.parts
    n_segments = int(parts.unit[-1]) + 1 if len(parts.unit) else 0
    n_segments = max(n_segments, int(cuts.index[-1]) + 1 if len(cuts.index) else 0)
    starts = np.zeros(n_segments, dtype=np.int64)
    starts[cuts.index] = cuts.starts
    place = (parts.first - starts[parts.unit]).astype(np.uint64)
    size = (parts.end - parts.first).astype(np.uint64)
    sums = np.zeros(n_segments, dtype=np.uint64)
    np.add.at(sums, parts.unit, _mixed((place << np.uint64(32)) + size + np.uint64(1)))
    # One number per pair sorts ten times as fast as rows of two.
    # Far from every place and size, so that no type's number is that of a part.
    pattern: npt.NDArray[np.uint64] = sums[cuts.index] ^ _mixed(
        cuts.types.astype(np.uint64) + _TYPES
    )
    return pattern


def count_patterns(pattern: npt.NDArray[np.uint64], cuts: WordCuts) -> Counter[tuple[int, int]]:
    """Count (word type, pattern) pairs of words with their `pattern_numbers`."""
    distinct, at, counts = np.unique(pattern, return_index=True, return_counts=True)
    keys = zip(cuts.types[at].tolist(), distinct.tolist(), strict=True)
    return Counter(dict(zip(keys, counts.tolist(), strict=True)))


def pattern_counts(cuts: WordCuts) -> Counter[tuple[int, int]]:
    """Count (word type, pattern) pairs, see `pattern_numbers`."""
    return count_patterns(pattern_numbers(cuts), cuts)


def entropy_of_patterns(counts: Counter[tuple[int, int]]) -> Consistency:
    """H(pattern | type) of counted (word type, pattern) pairs."""
    if not counts:
        return Consistency(float("nan"), 0, 0, 0)
    types = np.fromiter((word for word, _ in counts), dtype=np.int64, count=len(counts))
    numbers = np.fromiter(counts.values(), dtype=np.int64, count=len(counts))
    totals = np.bincount(types, weights=numbers)
    bits = -(numbers * np.log2(numbers / totals[types])).sum()
    patterns = np.bincount(types)
    words = int(numbers.sum())
    return Consistency(
        entropy=abs(float(bits)) / words,
        words=words,
        types=int((patterns > 0).sum()),
        varying_types=int((patterns > 1).sum()),
    )


def consistency_entropy(pieces: Segmentation, words: Words) -> Consistency:
    """H(pattern | word type), weighted by frequency, in bits.

    Examples
    --------
    >>> pieces = Segmentation.of_words(["人民人民"], [["人民", "人", "民"]])
    >>> consistency_entropy(pieces, Words.of(pieces.batch, [["人民", "人民"]])).entropy
    1.0

    """
    return entropy_of_patterns(pattern_counts(cut_words(pieces, words)))


def consistency_gain(without: Consistency, with_normalisation: Consistency) -> float:
    """Entropy without a normalisation divided by the entropy with it.

    Examples
    --------
    >>> consistency_gain(Consistency(0.5, 9, 3, 1), Consistency(0.25, 9, 3, 1))
    2.0

    """
    return ratio(without.entropy, with_normalisation.entropy)
