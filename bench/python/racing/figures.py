"""Pure arithmetic of the race: ratios, slopes, quantiles, verdicts."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

MET, AIM, MISSED, BESIDE = "met", "aim", "missed", "beside"


def ratio(ours: float, theirs: float, *, smaller_is_better: bool = False) -> float:
    """How many times better ours is; above 1 is better."""
    if ours <= 0 or theirs <= 0:
        raise ValueError(f"expected two positive figures, got {ours} and {theirs}")
    return theirs / ours if smaller_is_better else ours / theirs


def verdict(
    value: float, least: float | None, aim: float | None, *, smaller_is_better: bool = False
) -> str:
    """Judge a value by what it must reach at least and what it aims at.

    `beside` when nothing was promised.
    """
    if least is None:
        return BESIDE
    sign = -1 if smaller_is_better else 1
    if sign * value < sign * least:
        return MISSED
    return AIM if aim is not None and sign * value >= sign * aim else MET


def slope(sizes: Sequence[float], seconds: Sequence[float]) -> float:
    """Slope of the line through log(size), log(time) by least squares: 1 is linear time."""
    if len(sizes) != len(seconds) or len(set(sizes)) < 2:
        raise ValueError("expected one time for each of two sizes or more")
    x = [math.log(size) for size in sizes]
    y = [math.log(second) for second in seconds]
    return statistics.linear_regression(x, y).slope


def quantile(values: Sequence[float], share: float) -> float:
    """Take the value below which `share` of the values lie, between neighbours linearly."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def fastest(
    speeds: dict[str, float], *, but: Sequence[str] = (), smaller_is_better: bool = False
) -> str | None:
    """Name the best of the speeds, without those in `but`."""
    named = [name for name in speeds if name not in but]
    if not named:
        return None
    best = min if smaller_is_better else max
    return best(named, key=speeds.__getitem__)
