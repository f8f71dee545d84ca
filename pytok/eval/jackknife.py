"""Intervals of what is no ratio of sums: leave out one group of documents at a time.

A bootstrap would need all counts again in each of 10,000 resamples. The
delete-a-group jackknife needs the value without each of at most 256 groups,
and leaving out a group changes only the counts of the keys in it.

References: Quenouille (1956), Notes on bias in estimation; Heltshe and
Forrester (1983), Estimating species richness using the jackknife procedure
(for numbers of distinct things); Fisher and Cornish (1960) for the quantile
of Student's t.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from pytok.eval.group_counts import Entries
from pytok.eval.text_batch import FloatArray

__all__ = ["consistency_without", "distribution_without", "jackknife_interval", "types_without"]

_Z = 1.959963984540054
_ALPHA = 2.5
_RARE = 5 / 1_000_000


def _t_quantile(freedom: int) -> float:
    """97.5th percentile of Student's t, to 1 % from 4 degrees of freedom on.

    Examples
    --------
    >>> [round(_t_quantile(freedom), 2) for freedom in (9, 29, 255)]
    [2.26, 2.05, 1.97]

    """
    first = (_Z**3 + _Z) / 4
    second = (5 * _Z**5 + 16 * _Z**3 + 3 * _Z) / 96
    third = (3 * _Z**7 + 19 * _Z**5 + 17 * _Z**3 - 15 * _Z) / 384
    return _Z + first / freedom + second / freedom**2 + third / freedom**3


def jackknife_interval(
    value: float, without: FloatArray, *, lowest: float = 0.0, highest: float = math.inf
) -> tuple[float, float] | None:
    """95 % interval around a value.

    Parameters
    ----------
    value
        The value on everything.
    without
        The value without each group, shape (n_groups,).
    lowest, highest
        Smallest and largest possible value.

    Returns
    -------
    low, high
        The value less and plus t standard errors; None for fewer than two
        groups, or where a value is not defined.

    Examples
    --------
    >>> low, high = jackknife_interval(2.0, np.array([1.5, 2.0, 2.5, 2.0] * 8))
    >>> low, round(high, 3)  # 2 + 2.04 standard errors of 1.97, and not below 0
    (0.0, 6.015)

    """
    n_groups = len(without)
    if n_groups < 2 or not math.isfinite(value) or not np.isfinite(without).all():
        return None
    spread = float(((without - without.mean()) ** 2).sum())
    reach = _t_quantile(n_groups - 1) * math.sqrt((n_groups - 1) / n_groups * spread)
    return max(value - reach, lowest), min(value + reach, highest)


class _Without:
    """Sums over keys of a function of their counts, without each group."""

    def __init__(self, entries: Entries) -> None:
        self._groups = entries.groups
        self.n_groups = entries.n_groups
        keys = entries.keys
        # Without weights' type, an empty count would be of whole numbers.
        self.totals: FloatArray = np.bincount(keys, weights=entries.counts).astype(np.float64)
        self.marked: FloatArray = np.bincount(keys, weights=entries.marked).astype(np.float64)
        self.before = self.totals[keys], self.marked[keys]
        self.after = self.before[0] - entries.counts, self.before[1] - entries.marked

    def per_group(self, values: FloatArray) -> FloatArray:
        """Sum of a value of every entry, shape (n_groups,)."""
        summed: FloatArray = np.bincount(
            self._groups, weights=values, minlength=self.n_groups
        ).astype(np.float64)
        return summed

    def sum(self, function: Callable[[FloatArray, FloatArray], FloatArray]) -> FloatArray:
        """Sum of `function(counts, marked)`, 0 where there is nothing, without each group."""
        change = function(*self.after) - function(*self.before)
        whole: FloatArray = function(self.totals, self.marked).sum() + self.per_group(change)
        return whole

    def common(self, least: FloatArray) -> FloatArray:
        """Keys with at least so many occurrences, a number per group, without it."""
        ordered = np.sort(self.totals)
        kept = float(len(ordered)) - np.searchsorted(ordered, least, side="left")
        limits = least[self._groups]
        change = (self.after[0] >= limits).astype(np.float64) - (self.before[0] >= limits)
        common: FloatArray = kept + self.per_group(change)
        return common


def distribution_without(ids: Entries, vocab_size: int) -> dict[str, FloatArray]:
    """`renyi_efficiency`, `ids_used` and `rare_ids` without each group.

    Examples
    --------
    >>> ids = Entries(*(np.array(x) for x in ([0, 1], [5, 6], [3.0, 1.0], [0.0, 0.0])), 2)
    >>> distribution_without(ids, 16)["ids_used"].tolist()
    [1.0, 1.0]

    """
    of = _Without(ids)
    tokens = of.sum(lambda counts, _: counts)
    with np.errstate(divide="ignore", invalid="ignore"):
        powers = of.sum(lambda counts, _: counts**_ALPHA) / tokens**_ALPHA
        renyi = np.log2(powers) / (1 - _ALPHA)
    bits = math.log2(vocab_size) if vocab_size > 1 else math.nan
    return {
        "renyi_efficiency": np.abs(renyi) / bits,
        "ids_used": of.sum(lambda counts, _: (counts > 0).astype(np.float64)),
        "rare_ids": vocab_size - of.common(_RARE * tokens),
    }


def types_without(types: Entries) -> FloatArray:
    """Mean over word types of the share that is marked, without each group."""
    of = _Without(types)
    shares = of.sum(
        lambda counts, marked: np.divide(
            marked, counts, out=np.zeros_like(marked), where=counts > 0
        )
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        mean: FloatArray = shares / of.sum(lambda counts, _: (counts > 0).astype(np.float64))
    return mean


def consistency_without(types: Entries, patterns: Entries) -> FloatArray:
    """H(pattern | word type) in bits, without each group.

    Parameters
    ----------
    types, patterns
        Counts of the words, and of every cut of every word.

    """

    def own(counts: FloatArray, _: FloatArray) -> FloatArray:
        bits: FloatArray = counts * np.log2(np.maximum(counts, 1.0))
        return bits

    words = _Without(types)
    bits = words.sum(own) - _Without(patterns).sum(own)
    with np.errstate(divide="ignore", invalid="ignore"):
        entropy: FloatArray = np.abs(bits) / words.sum(lambda counts, _: counts)
    return entropy
