"""The rows of a new vocabulary: which old row each is, or the mean of which.

A row that no id of the old vocabulary has gets the mean of others. For the
rows that only pad the matrix it is the mean of all: its logit is the mean of
all logits, so it is never above the highest and has at most the probability
1/n, where a row of zeros could win.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

from pytok.pruning.surgery.floats import from_doubles, to_doubles
from pytok.pruning.surgery.safetensors import TensorInfo

__all__ = ["RowPlan", "write_rows"]

# Bytes of a tensor that are held at a time, at least one row.
_BLOCK_BYTES = 8 << 20

Ids = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class RowPlan:
    """Where the rows come from.

    Parameters
    ----------
    source
        For each new row the old row, or -1 - k for the k-th of `means`; shape (n,).
    means
        Old rows to be averaged, each of shape (m,).

    """

    source: Ids
    means: list[Ids] = field(default_factory=list)

    @classmethod
    def padded(cls, source: Ids, means: list[Ids], total: int, of: Ids) -> RowPlan:
        """Fill up to `total` rows with the mean of the rows `of`."""
        added = np.full(total - len(source), -1 - len(means), dtype=np.int64)
        return cls(np.concatenate([source, added]), [*means, of] if len(added) else means)

    def __len__(self) -> int:
        return len(self.source)


def write_rows(file: BinaryIO, old: Bytes, info: TensorInfo, axis: int, plan: RowPlan) -> None:
    """Write a tensor with the planned rows along an axis.

    Parameters
    ----------
    file
        Where the bytes go.
    old
        Bytes of the old tensor, shape (size,).
    info
        Its type and shape.
    axis
        The axis of the vocabulary, from 0.
    plan
        The rows.

    """
    before = int(np.prod(info.shape[:axis], dtype=np.int64))
    rows = info.shape[axis]
    # A plain array: taking rows of a mapped one must give memory of its own.
    slabs = np.asarray(old).reshape(before, rows, len(old) // max(1, before * rows))
    for slab in slabs:
        averages = _averages(slab, info.dtype, plan)
        for block in _blocks(len(plan), slab.shape[1]):
            source = plan.source[block]
            out = slab[np.maximum(source, 0)]
            for place in np.flatnonzero(source < 0):
                out[place] = averages[-1 - source[place]]
            file.write(out.data)


def _averages(slab: Bytes, dtype: str, plan: RowPlan) -> list[Bytes]:
    return [_average(slab, dtype, ids) for ids in plan.means]


def _average(slab: Bytes, dtype: str, ids: Ids) -> Bytes:
    total = None
    for block in _blocks(len(ids), 8 * slab.shape[1]):
        part = to_doubles(slab[ids[block]], dtype).sum(axis=0)
        total = part if total is None else total + part
    assert total is not None, "a mean of no rows"
    return from_doubles(total / len(ids), dtype)


def _blocks(rows: int, row_bytes: int) -> Iterator[slice]:
    step = max(1, _BLOCK_BYTES // max(1, row_bytes))
    for start in range(0, rows, step):
        yield slice(start, min(start + step, rows))
