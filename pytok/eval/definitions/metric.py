"""What a definition consists of."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["SHARE", "Metric", "on_text", "on_words"]

SHARE = "share 0..1"


@dataclass(frozen=True)
class Metric:
    """One metric.

    Parameters
    ----------
    name
        Name in code and JSON.
    label
        Heading in the table; empty where the table leaves the metric out.
    unit
        Unit of the value.
    better
        ``"low"``, ``"high"`` or ``""``.
    on_words
        Whether it is measured on the text whose words are known (gold where
        there is gold).
    definition
        What the value is.
    numerator, denominator
        Columns of the per-document sums; empty for a metric that is not a
        ratio of such sums.

    """

    name: str
    label: str
    unit: str
    better: str
    on_words: bool
    definition: str
    numerator: str = ""
    denominator: str = ""


def on_text(
    name: str, label: str, unit: str, better: str, definition: str, *columns: str
) -> Metric:
    """Define a metric of the text."""
    return Metric(name, label, unit, better, False, definition, *columns)


def on_words(
    name: str, label: str, unit: str, better: str, definition: str, *columns: str
) -> Metric:
    """Define a metric of the text whose words are known."""
    return Metric(name, label, unit, better, True, definition, *columns)
