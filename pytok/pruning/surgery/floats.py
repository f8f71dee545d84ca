"""Floats of a checkpoint as doubles and back, rounded to nearest, ties to even.

NumPy has no bfloat16: it is the upper half of a float32.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pytok.errors import ConfigError

__all__ = ["from_doubles", "to_doubles"]

_NATIVE = {"F16": "<f2", "F32": "<f4", "F64": "<f8"}


def to_doubles(rows: npt.NDArray[np.uint8], dtype: str) -> npt.NDArray[np.float64]:
    """Read rows of bytes, shape (n, bytes), as numbers of shape (n, bytes / size).

    Raises
    ------
    ConfigError
        If the type is none of F16, BF16, F32 and F64.

    """
    rows = np.ascontiguousarray(rows)
    if dtype == "BF16":
        halves = rows.view("<u2").astype(np.uint32) << np.uint32(16)
        with np.errstate(invalid="ignore"):  # not a number stays not a number
            return np.asarray(halves.view(np.float32), dtype=np.float64)
    if dtype not in _NATIVE:
        raise ConfigError(
            f"rows of type {dtype} cannot be averaged, expected F16, BF16, F32 or F64",
            hint="pruning averages nothing with pad_to_multiple_of=1",
        )
    return np.asarray(rows.view(_NATIVE[dtype]), dtype=np.float64)


def from_doubles(numbers: npt.NDArray[np.float64], dtype: str) -> npt.NDArray[np.uint8]:
    """Write numbers of shape (n,) as bytes of the type.

    Examples
    --------
    >>> one = from_doubles(np.array([1.0]), "BF16")
    >>> one.tolist(), to_doubles(one[None], "BF16").tolist()
    ([128, 63], [[1.0]])

    """
    if dtype != "BF16":
        return numbers.astype(_NATIVE[dtype]).view(np.uint8)
    single = numbers.astype("<f4")
    # Rounded to odd, so that rounding twice comes to the same as rounding once.
    past = np.abs(single.astype(np.float64)) > np.abs(numbers)
    odd = single.astype(np.float64) != numbers
    bits = (single.view("<u4").astype(np.uint64) - past) | odd
    # Half of the last place, less one where the kept part is even.
    rounded = bits + np.uint64(0x7FFF) + ((bits >> np.uint64(16)) & np.uint64(1))
    nan = np.isnan(numbers)
    kept = np.where(nan, (bits >> np.uint64(16)) | np.uint64(0x40), rounded >> np.uint64(16))
    return np.asarray(kept, dtype="<u2").view(np.uint8)
