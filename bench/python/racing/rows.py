"""One row of the table, and the settings that every family is given."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from . import figures


@dataclass(frozen=True)
class Settings:
    """What the command line asked for."""

    shared: Path
    cache: Path
    rounds: int = 7
    slice_bytes: int = 500_000
    quick: bool = False

    def choose(self, names: Sequence[str], few: Sequence[str]) -> Sequence[str]:
        """Take the few of a quick run."""
        return few if self.quick else names


@dataclass
class Row:
    """A measured row.

    `measured` has the median of each library in `unit`, `samples` every round.
    `value` is what `least` and `aim` judge: a ratio to `rival`, or the figure of
    pytok itself when there is no rival.
    """

    family: str
    what: str
    vocabulary: str
    text: str
    unit: str
    measured: dict[str, float]
    samples: dict[str, list[float]] = field(default_factory=dict)
    rival: str | None = None
    value: float | None = None
    least: float | None = None
    aim: float | None = None
    verdict: str = figures.BESIDE
    smaller_is_better: bool = False
    note: str = ""


@dataclass(frozen=True)
class Target:
    """What a row must reach at least, and what it aims at."""

    least: float | None = None
    aim: float | None = None


def against_rival(
    row: Row, target: Target, *, inexact: Sequence[str] = (), rival: str | None = None
) -> Row:
    """Fill in rival, ratio of medians and verdict.

    The rival is the best library whose ids were equal, or the one that is named.
    """
    others = [*inexact, "pytok"]
    smaller = row.smaller_is_better
    row.rival = rival or figures.fastest(row.measured, but=others, smaller_is_better=smaller)
    row.least, row.aim = target.least, target.aim
    if row.rival is None or row.rival not in row.measured or "pytok" not in row.measured:
        row.verdict = "not measured"
        return row
    row.value = figures.ratio(
        row.measured["pytok"], row.measured[row.rival], smaller_is_better=smaller
    )
    row.verdict = figures.verdict(row.value, target.least, target.aim)
    if inexact:
        row.note = "; ".join(filter(None, [row.note, f"other ids: {', '.join(inexact)}"]))
    return row


def medians(samples: dict[str, list[float]]) -> dict[str, float]:
    return {name: statistics.median(values) for name, values in samples.items() if values}
