"""Slice the output layer of a model to the ids that are kept.

Pruned logits save nothing by themselves: the product with the output matrix
has been computed. Slicing the matrix before it is what saves.
"""

from __future__ import annotations

from typing import Any

import array_api_compat as array_api

from pytok.errors import VocabError

__all__ = ["slice_head"]


def slice_head(weight: Any, kept_ids: Any, bias: Any = None) -> Any:
    """Take the rows of an output matrix, in the order of the ids.

    Parameters
    ----------
    weight
        Output matrix, NumPy array or torch tensor of shape (V, width).
    kept_ids
        Ids, shape (n,), each from 0 to V - 1 and none twice.
    bias
        Output bias of shape (V,), or None.

    Returns
    -------
    weight
        Copy of the rows, shape (n, width), bit for bit; with `bias` a pair of
        it and the sliced bias of shape (n,).

    Raises
    ------
    VocabError
        If a shape does not fit, or an id is twice or not below V.

    Examples
    --------
    >>> import numpy as np
    >>> slice_head(np.arange(6.0).reshape(3, 2), [0, 2]).tolist()
    [[0.0, 1.0], [4.0, 5.0]]

    """
    try:
        xp = array_api.array_namespace(weight)
    except TypeError as error:
        raise VocabError(
            f"weight: {type(weight).__name__}, expected a NumPy array or a torch tensor"
        ) from error
    if weight.ndim != 2:
        raise VocabError(f"weight: shape {tuple(weight.shape)}, expected (V, width)")
    if bias is not None and tuple(bias.shape) != (weight.shape[0],):
        raise VocabError(f"bias: shape {tuple(bias.shape)}, expected ({weight.shape[0]},)")
    device = array_api.device(weight)
    rows = xp.asarray(kept_ids, device=device)
    if rows.ndim != 1 or not (rows.shape[0] == 0 or xp.isdtype(rows.dtype, "integral")):
        raise VocabError(
            f"kept_ids: {rows.dtype} of shape {tuple(rows.shape)}, expected whole numbers (n,)"
        )
    rows = xp.astype(rows, xp.int64)
    if rows.shape[0]:
        low, high = int(xp.min(rows)), int(xp.max(rows))
        if low < 0 or high >= weight.shape[0]:
            wrong = low if low < 0 else high
            raise VocabError(f"kept_ids: id {wrong}, expected ids from 0 to {weight.shape[0] - 1}")
        if xp.unique_values(rows).shape[0] != rows.shape[0]:
            raise VocabError("kept_ids: an id is there twice")
    sliced = xp.take(weight, rows, axis=0)
    return sliced if bias is None else (sliced, xp.take(bias, rows, axis=0))
