"""Fragmentation entropy: how many pieces of which lengths a unit falls into.

For a unit of L characters cut into pieces of l_i characters,
H = -sum (l_i / L) log2 (l_i / L), in bits: 0 for one piece, log2 L for single
characters. The scale depends on the unit, so it is part of the name.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pytok.eval.layout import Segmentation
from pytok.eval.parts import Parts, Units, cut_at_units
from pytok.eval.ratio import ratio
from pytok.eval.text_batch import FloatArray, IntArray

__all__ = ["Fragmentation", "entropies", "fragmentation_entropy", "longest_entropies"]


@dataclass(frozen=True)
class Fragmentation:
    """Mean entropy over units, in bits, and mean share of its maximum, 0 to 1.

    Parameters
    ----------
    entropy
        Mean of H over the units, in bits.
    normalised
        Mean of H / log2 L over the units of two or more characters.
    units
        Number of units.

    """

    entropy: float
    normalised: float
    units: int


def entropies(parts: Parts, n_segments: int) -> FloatArray:
    """H of every segment, in bits, shape (n_segments,).

    L is the length of the characters that pieces touch, so that the shares of
    a unit always sum to 1, also where a tokenizer drops white space.
    """
    totals = np.bincount(parts.unit, weights=parts.length, minlength=n_segments)
    share = parts.length / totals[parts.unit]
    # Rounding in `length` is about 1e-12; it must not turn one piece into H < 0.
    share = np.clip(share, 1e-300, 1.0)
    bits = np.bincount(parts.unit, weights=-share * np.log2(share), minlength=n_segments)
    return np.where(bits < 1e-9, 0.0, bits)


def longest_entropies(pieces: Segmentation, starts: IntArray, ends: IntArray) -> FloatArray:
    """log2 L of every unit, shape (n_units,); 0 where L < 2."""
    lengths = pieces.covered[ends] - pieces.covered[starts]
    longest: FloatArray = np.log2(np.maximum(lengths, 1))
    return longest


def fragmentation_entropy(
    pieces: Segmentation, units: Units, *, shortest: int = 1
) -> Fragmentation:
    """Mean fragmentation entropy over units of at least `shortest` characters.

    Examples
    --------
    >>> from pytok.eval.units import sentence_units
    >>> pieces = Segmentation.of_words(["中国人民。"], [["中国", "人民", "。"]])
    >>> result = fragmentation_entropy(pieces, sentence_units(pieces.batch))
    >>> round(result.entropy, 4), result.units
    (1.5219, 1)

    """
    bits = entropies(cut_at_units(pieces, units), len(units.starts))
    chosen = units.counts & (units.lengths >= shortest)
    highest = longest_entropies(pieces, units.starts, units.ends)
    scaled = chosen & (highest > 0)
    return Fragmentation(
        entropy=ratio(float(bits[chosen].sum()), int(chosen.sum())),
        normalised=ratio(float((bits[scaled] / highest[scaled]).sum()), int(scaled.sum())),
        units=int(chosen.sum()),
    )
