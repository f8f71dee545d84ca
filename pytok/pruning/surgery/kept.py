"""The ids that a pruned vocabulary keeps, in whatever form they come."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt

from pytok.errors import FormatError, VocabError

__all__ = ["KeptIds", "kept_ids_of"]

Ids = npt.NDArray[np.int64]
KeptIds = Mapping[int, int] | Iterable[int] | npt.NDArray[np.int64] | str | os.PathLike[str]


def kept_ids_of(given: KeptIds, rows: int) -> Ids:
    """Return the old id of each new one.

    Parameters
    ----------
    given
        Old ids, whose places are the new ids; or a mapping of old id to new
        id; or pairs of them, shape (n, 2); or a file of any of these: .npy, or
        .json with an object or a list.
    rows
        Number of old ids.

    Returns
    -------
    kept_ids
        int64, shape (n,).

    Raises
    ------
    FormatError
        If the file cannot be read or holds something else.
    VocabError
        If there is no id, one is not below `rows` or there twice, or the new
        ids are not the numbers from 0 to n - 1.

    Examples
    --------
    >>> kept_ids_of({7: 1, 3: 0}, 10).tolist()
    [3, 7]

    """
    found = _read(Path(given)) if isinstance(given, (str, os.PathLike)) else given
    if isinstance(found, Mapping):
        found = _places(found)
    kept = np.asarray(found if isinstance(found, np.ndarray) else list(found))
    if kept.ndim == 2 and kept.shape[1] == 2 and kept.dtype.kind in "iu":
        kept = _places(dict(kept.tolist()))
    if kept.ndim != 1 or kept.dtype.kind not in "iu" or not len(kept):
        raise VocabError(
            f"kept_ids: {kept.dtype} of shape {kept.shape}, expected at least one id, shape (n,)"
        )
    if kept.min() < 0 or kept.max() >= rows:
        wrong = kept.min() if kept.min() < 0 else kept.max()
        raise VocabError(f"kept_ids: id {wrong}, but the model has rows for 0 to {rows - 1}")
    if len(np.unique(kept)) != len(kept):
        raise VocabError("kept_ids: an id is there twice")
    return kept.astype(np.int64)


def _read(path: Path) -> Mapping[int, int] | list[int] | Ids:
    try:
        if path.suffix == ".npy":
            array: Ids = np.load(path, allow_pickle=False)
            return array
        content = json.loads(path.read_bytes())
        if isinstance(content, dict):
            return {int(old): int(new) for old, new in content.items()}
    except OSError as error:
        raise FormatError(f"{path}: cannot be read: {error.strerror}") from error
    except (TypeError, ValueError) as error:
        raise FormatError(f"{path}: not an id map: {error}") from error
    if not isinstance(content, list):
        raise FormatError(f"{path}: expected an object or a list of ids")
    return content


def _places(old_to_new: Mapping[int, int]) -> Ids:
    by_new = {new: old for old, new in old_to_new.items()}
    if sorted(by_new) != list(range(len(old_to_new))):
        raise VocabError(
            f"kept_ids: {len(old_to_new)} new ids, expected the numbers from 0 to "
            f"{len(old_to_new) - 1}, each once",
            hint="a vocabulary pruned with stable ids needs no surgery: its ids stay",
        )
    return np.array([by_new[new] for new in range(len(by_new))], dtype=np.int64)
