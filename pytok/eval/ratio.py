"""One division for every metric: nothing measured is not a number, not an error."""

from __future__ import annotations

__all__ = ["ratio"]


def ratio(numerator: float, denominator: float) -> float:
    """Divide; not a number (NaN) when the denominator is 0.

    Examples
    --------
    >>> ratio(1, 4), ratio(0, 0)
    (0.25, nan)

    """
    return numerator / denominator if denominator else float("nan")
