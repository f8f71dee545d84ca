"""What systems lose under a perturbation, with paired intervals.

A loss is the change of a metric for the worse: positive where the perturbed
text measures worse. Clean and perturbed text are the same documents, so a
resample draws both together and the interval is that of the difference. What is
no ratio of sums has the interval of the jackknife over groups of these documents.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np

from pytok.eval.definitions import METRICS, Metric
from pytok.eval.group_intervals import jackknifed_change
from pytok.eval.jackknife import jackknife_interval
from pytok.eval.numbers import Resampled, single_values
from pytok.eval.ratio import ratio

if TYPE_CHECKING:
    from pytok.eval.bootstrap import DocumentSums
    from pytok.eval.json_text import JsonValue
    from pytok.eval.perturb.perturbation import Perturbation
    from pytok.eval.rows import Row
    from pytok.eval.text_batch import FloatArray

__all__ = ["Loss", "PerturbedReport", "SystemLosses", "losses_of", "measured_metrics"]

_OF_THE_VOCABULARY = ("unreachable_ids", "straddling_tokens", "megabytes_per_second")
_NOTHING = 1e-12
_UNIT_METRICS = ("_sentence", "_clause")


@dataclass(frozen=True)
class Loss:
    """One metric before and after.

    Parameters
    ----------
    metric
        Name, see `pytok.eval.definitions.METRICS`.
    clean, perturbed
        Values on the text as it is and as it was changed.
    loss
        The change for the worse, in the unit of the metric.
    low, high
        95 % interval of the loss, or None.

    """

    metric: str
    clean: float
    perturbed: float
    loss: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class SystemLosses:
    """The losses of one system, by metric; `failure` says why there are none."""

    system: str
    losses: dict[str, Loss]
    failure: str | None


@dataclass(frozen=True)
class PerturbedReport:
    """One perturbation of one kind.

    Parameters
    ----------
    perturbation, definition, rate, seed
        What was done.
    characters, changed
        Characters of the text, and how many were changed or taken out.
    unmeasured
        Which metrics are left out, and why; empty where none are.
    interval
        How the intervals were made, or why there are none.
    systems
        One entry per system.

    """

    perturbation: str
    definition: str
    rate: float
    seed: int
    characters: int
    changed: int
    unmeasured: str
    interval: str
    systems: tuple[SystemLosses, ...]

    def to_json(self) -> dict[str, JsonValue]:
        """Plain data for JSON."""
        return asdict(self)


def measured_metrics(perturbation: Perturbation) -> list[Metric]:
    """Metrics that clean and perturbed text can be compared by.

    Left out are those without a better direction, those of the vocabulary
    alone, and speed; where characters are taken out also those of gold words,
    which no longer fit, and of sentences and clauses, whose ends are marks.
    """
    metrics = [m for m in METRICS.values() if m.better and m.name not in _OF_THE_VOCABULARY]
    if perturbation.keeps_length:
        return metrics
    return [m for m in metrics if not m.on_words and not m.name.endswith(_UNIT_METRICS)]


def losses_of(
    before: Row, after: Row, metrics: list[Metric], draws: Resampled, references: Mapping[Row, Row]
) -> dict[str, Loss]:
    """Compare two rows of one system metric by metric.

    Parameters
    ----------
    before, after
        The system on clean and on perturbed text.
    metrics
        What to compare.
    draws
        Resampled sums of both rows over the same documents.
    references
        For ``nsl``: the reference's row for each of the two, or nothing.

    """
    single = single_values(before), single_values(after)
    changes = jackknifed_change(before, after)
    found = {}
    for metric in metrics:
        sides = [_columns(metric, row, references.get(row)) for row in (before, after)]
        if metric.name in single[0]:
            values = [part[metric.name] for part in single]
        else:
            values = [ratio(_total(above), _total(below)) for above, below in sides]
        if np.isnan(values).any():
            continue
        sign = 1 if metric.better == "low" else -1
        loss = sign * (values[1] - values[0]) + 0.0
        if metric.name not in single[0]:
            low, high = _interval(draws, sides, sign)
        else:
            low, high = _jackknife_interval(loss, changes.get(metric.name), sign)
        found[metric.name] = Loss(metric.name, values[0], values[1], loss, low, high)
    return found


_Column = tuple["DocumentSums", str]


def _columns(metric: Metric, row: Row, reference: Row | None) -> tuple[_Column, _Column | None]:
    sums = row.word if metric.on_words else row.text
    if metric.name == "nsl":
        return (sums, "tokens"), None if reference is None else (reference.text, "tokens")
    return (sums, metric.numerator), (sums, metric.denominator)


def _total(column: _Column | None) -> float:
    return 0.0 if column is None else column[0].total()[column[1]]


def _jackknife_interval(
    loss: float, change: FloatArray | None, sign: int
) -> tuple[float | None, float | None]:
    found = None
    if change is not None:
        found = jackknife_interval(loss, sign * change, lowest=-math.inf)
    return (None, None) if found is None else found


def _interval(
    draws: Resampled, sides: list[tuple[_Column, _Column | None]], sign: int
) -> tuple[float | None, float | None]:
    ratios = [None if below is None else draws.ratios(above, below) for above, below in sides]
    if ratios[0] is None or ratios[1] is None:
        return None, None
    differences = sign * (ratios[1] - ratios[0])
    differences = differences[~np.isnan(differences)]
    if not differences.size:
        return None, None
    # Equal texts may differ in the last bit of a sum.
    differences[np.abs(differences) < _NOTHING] = 0.0
    low, high = np.percentile(differences, [2.5, 97.5])
    return float(low), float(high)
