"""The part of each piece inside each sentence, clause or word.

`Units` tile the characters of a batch, and `cut_at_units` cuts the pieces of a
`Segmentation` at their edges: a piece that crosses an edge counts only with
its part inside.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from pytok.eval.layout import Segmentation
    from pytok.eval.text_batch import BoolArray, FloatArray, IntArray

__all__ = ["Parts", "Units", "cut_at_units"]


@dataclass(frozen=True)
class Units:
    """Segments that tile the characters of a batch, and which of them count.

    Parameters
    ----------
    starts
        First character of each segment, shape (n_segments,), increasing; the
        first is 0. No segment crosses the edge of a text.
    ends
        One past the last character of each segment, shape (n_segments,).
    counts
        Whether the segment is a unit, shape (n_segments,); the others (line
        breaks, white space) only fill the gaps.

    """

    starts: IntArray
    ends: IntArray
    counts: BoolArray

    @property
    def lengths(self) -> IntArray:
        """Characters per segment, shape (n_segments,)."""
        return self.ends - self.starts


@dataclass(frozen=True)
class Parts:
    """The part of each piece inside each segment of some `Units`.

    Parameters
    ----------
    unit
        Segment of each part, shape (n_parts,).
    first, end
        Characters that the part touches, half open, shape (n_parts,).
    length
        Length in characters, shape (n_parts,); a character that k pieces
        touch counts 1/k.

    """

    unit: IntArray
    first: IntArray
    end: IntArray
    length: FloatArray


def cut_at_units(pieces: Segmentation, units: Units) -> Parts:
    """Cut pieces at the edges of units: only the part inside counts.

    Examples
    --------
    >>> from pytok.eval.layout import Segmentation
    >>> pieces = Segmentation.of_words(["中国人民"], [["中国人", "民"]])
    >>> words = Units(np.array([0, 2]), np.array([2, 4]), np.array([True, True]))
    >>> parts = cut_at_units(pieces, words)
    >>> parts.unit.tolist(), parts.length.tolist()
    ([0, 1, 1], [2.0, 1.0, 1.0])

    """
    touching = pieces.end > pieces.first
    first, end = pieces.first[touching], pieces.end[touching]
    unit_of_character = np.repeat(np.arange(len(units.starts)), units.lengths)
    lowest = unit_of_character[first]
    repeats = unit_of_character[end - 1] - lowest + 1
    owner = np.repeat(np.arange(len(first)), repeats)
    rank = np.arange(len(owner)) - np.repeat(np.cumsum(repeats) - repeats, repeats)
    unit = lowest[owner] + rank
    part_first = np.maximum(first[owner], units.starts[unit])
    part_end = np.minimum(end[owner], units.ends[unit])
    return Parts(
        unit=unit,
        first=part_first,
        end=part_end,
        length=pieces.shared[part_end] - pieces.shared[part_first],
    )
