"""Every number that is printed: its definition, unit and direction.

A metric with `numerator` and `denominator` is the ratio of these two columns
of per-document sums, which is what its interval is computed from. There is a
file for each family; the order is that of the tables.
"""

from __future__ import annotations

from dataclasses import replace

from pytok.eval.definitions import amounts, coverage, cuts, vocabulary, words
from pytok.eval.definitions.metric import SHARE, Metric

__all__ = ["METRICS", "Metric", "describe"]

METRICS: dict[str, Metric] = {
    metric.name: metric
    for family in (amounts, coverage, cuts, words, vocabulary)
    for metric in family.METRICS
}

_NAMED = {
    "parity": Metric(
        "parity",
        "parity",
        "ratio",
        "",
        False,
        "tokens of the first side / tokens of the second, over parallel lines that neither side "
        "leaves empty, each encoded by itself; 1 is equal cost (Petrov et al. 2023)",
    ),
    "integrity": Metric(
        "integrity",
        "one piece",
        SHARE,
        "high",
        False,
        "spans of two or more characters that are exactly one piece (a leading space aside) / "
        "spans",
    ),
    "integrity_edges": Metric(
        "integrity_edges",
        "edges",
        SHARE,
        "high",
        False,
        "spans of two or more characters with a token edge at either end / spans",
    ),
}


def describe(name: str) -> Metric:
    """Find the definition of a metric, also of those that files give a name.

    Raises
    ------
    KeyError
        If there is no such metric.

    Examples
    --------
    >>> describe("parity_yue_zho_TW").unit, describe("integrity_edges_idiom").better
    ('ratio', 'high')

    """
    if name in METRICS:
        return METRICS[name]
    for prefix in ("parity", "integrity_edges", "integrity"):
        if name.startswith(prefix + "_"):
            label = f"{name.removeprefix(prefix + '_')} {_NAMED[prefix].label}".strip()
            return replace(_NAMED[prefix], name=name, label=label)
    raise KeyError(name)
