"""Truncate and pad the ids of a batch, and lay them out as lists or as an array."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

__all__ = ["FlatBatch", "Frame", "Padding"]

IdArray = npt.NDArray[np.uint32]
IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Frame:
    """How many special tokens stand before and after the text itself."""

    before: int
    after: int


@dataclass(frozen=True)
class Padding:
    """How a batch is padded.

    Parameters
    ----------
    length
        Least length of a row; None for that of the longest.
    multiple_of
        Round the length up to a multiple of this; None for no rounding.
    side
        ``"left"`` or ``"right"``.
    pad_id
        Id of the padding.

    """

    length: int | None
    multiple_of: int | None
    side: str
    pad_id: int


@dataclass(frozen=True)
class FlatBatch:
    """The ids of several texts, one after the other.

    Parameters
    ----------
    ids
        Shape (n,).
    bounds
        First id of each text, shape (n_texts + 1,).

    Examples
    --------
    >>> batch = FlatBatch(np.array([1, 2, 3, 4], np.uint32), np.array([0, 3, 4]))
    >>> batch.rows(Padding(None, None, "right", 0))
    ([[1, 2, 3], [4, 0, 0]], [[1, 1, 1], [1, 0, 0]])
    >>> batch.truncated(2, Frame(0, 1), "right").rows(None)
    ([[1, 3], [4]], [[1, 1], [1]])

    """

    ids: IdArray
    bounds: IntArray

    @property
    def lengths(self) -> IntArray:
        """Ids of each text, shape (n_texts,)."""
        return np.diff(self.bounds)

    def truncated(self, max_length: int, frame: Frame, side: str) -> FlatBatch:
        """Cut the texts, not their special tokens, so that no row is longer.

        `max_length` must have room for the special tokens.
        """
        lengths = self.lengths
        if not (lengths > max_length).any():
            return self
        keep = np.ones(len(self.ids), np.bool_)
        for row in np.flatnonzero(lengths > max_length).tolist():
            start, end = int(self.bounds[row]), int(self.bounds[row + 1])
            excess = end - start - max_length
            cut = start + frame.before if side == "left" else end - frame.after - excess
            keep[cut : cut + excess] = False
        bounds = np.concatenate(([0], np.cumsum(np.minimum(lengths, max_length))))
        return FlatBatch(self.ids[keep], bounds)

    def width(self, padding: Padding) -> int:
        """Least length of a row of the padded batch."""
        width = padding.length
        if width is None:
            width = int(self.lengths.max(initial=0))
        multiple = padding.multiple_of
        if multiple and width % multiple:
            width += multiple - width % multiple
        return width

    def rows(self, padding: Padding | None) -> tuple[list[list[int]], list[list[int]]]:
        """Ids and attention mask of every text, as lists."""
        flat = self.ids.tolist()
        rows = [flat[start:end] for start, end in pairwise(self.bounds.tolist())]
        if padding is None:
            return rows, [[1] * len(row) for row in rows]
        width, pad_id = self.width(padding), padding.pad_id
        missing = [max(0, width - len(row)) for row in rows]
        if padding.side == "left":
            masks = [[0] * n + [1] * len(row) for n, row in zip(missing, rows, strict=True)]
            return [[pad_id] * n + row for n, row in zip(missing, rows, strict=True)], masks
        masks = [[1] * len(row) + [0] * n for n, row in zip(missing, rows, strict=True)]
        return [row + [pad_id] * n for n, row in zip(missing, rows, strict=True)], masks

    def matrix(self, padding: Padding | None) -> tuple[IntArray, IntArray] | None:
        """Ids and attention mask, shape (n_texts, width); None when rows differ in length."""
        lengths = self.lengths
        width = int(lengths.max(initial=0))
        if padding is not None:
            width = max(width, self.width(padding))
        padded = padding is not None and not bool((lengths == width).all())
        if padding is None and not bool((lengths == width).all()):
            return None
        if not padded:
            ids = self.ids.astype(np.int64).reshape(len(lengths), width)
            return ids, np.ones_like(ids)
        assert padding is not None
        if bool((lengths > self.width(padding)).any()):
            # Rows above the length stay as they are, so there is no rectangle.
            return None
        columns = np.arange(width)
        if padding.side == "left":
            inside = columns >= (width - lengths)[:, None]
        else:
            inside = columns < lengths[:, None]
        matrix = np.full(inside.shape, padding.pad_id, dtype=np.int64)
        matrix[inside] = self.ids
        return matrix, inside.astype(np.int64)
