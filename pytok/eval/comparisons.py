"""Every two systems of a kind, metric by metric: which one is better, if any.

Only metrics that are ratios of per-document sums are compared. Speed is not:
its sums are of batches. `nsl` is not either: it is `tokens_per_char` with
another denominator.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from pytok.eval.bootstrap import DocumentSums, difference, grouped
from pytok.eval.definitions import METRICS, Metric
from pytok.eval.json_text import JsonValue
from pytok.eval.significance import ALPHA, Exchanged, holm, p_value

if TYPE_CHECKING:
    from pytok.eval.numbers import Resampled

__all__ = ["Compared", "Comparison", "compare_systems", "name_of_test", "paired", "with_holm"]

_NOT_PAIRED = ("megabytes_per_second", "nsl")
# More units than this make no test finer that anyone reads.
_ROWS = 2048
# 0 for a word segmenter, which has no vocabulary, whatever it does.
_OF_VOCABULARIES = ("oov_char", "oov_unk", "broken_char_share", "bits_per_bit")


@dataclass(frozen=True)
class Comparison:
    """Two systems on one metric of one kind.

    Parameters
    ----------
    metric
        Name of the metric, see `METRICS`.
    a, b
        Names of the systems, in the order of the report.
    a_value, b_value
        Their values.
    low, high
        95 % interval of ``a_value - b_value``, paired percentile bootstrap over
        documents; None when there is none.
    p
        Two-sided p-value; None when there is no test.
    p_holm
        The same after Holm's correction over the kinds.
    better
        The system that is better, or "" where `p_holm` is not below 0.05.
    test
        How it was tested, or why not.

    """

    metric: str
    a: str
    b: str
    a_value: float
    b_value: float
    low: float | None
    high: float | None
    p: float | None
    p_holm: float | None
    better: str
    test: str

    def to_json(self) -> dict[str, JsonValue]:
        """All fields."""
        return asdict(self)


@dataclass(frozen=True)
class Compared:
    """What is needed of a system to compare it.

    Parameters
    ----------
    name
        Name of the system.
    has_vocabulary
        Whether it is a tokenizer.
    text, word
        Sums per document of the text, and of the text whose words are known.
    values
        Its values by metric; None when there was nothing to measure.

    """

    name: str
    has_vocabulary: bool
    text: DocumentSums
    word: DocumentSums
    values: dict[str, float | None]


def paired(metric: Metric) -> bool:
    """Whether a metric is a ratio of sums that two systems have of the same documents."""
    return bool(metric.denominator) and metric.name not in _NOT_PAIRED


def name_of_test(rows: int, documents_per_row: int, rounds: int, seed: int, exact: bool) -> str:
    """Say how a paired test was made.

    Examples
    --------
    >>> name_of_test(3, 1, 8, 7, exact=True)
    'paired randomisation over 3 documents, all 8 exchanges'

    """
    units = "documents" if documents_per_row == 1 else f"groups of {documents_per_row} documents"
    if exact:
        return f"paired randomisation over {rows} {units}, all {rounds} exchanges"
    return f"paired approximate randomisation over {rows} {units}, {rounds} exchanges, seed {seed}"


class _Table:
    """The per-document sums of several systems, exchanged once for all of them."""

    def __init__(self, sums: Sequence[DocumentSums], *, rounds: int, seed: int) -> None:
        self.test = "none: fewer than two documents"
        self._exchanged: Exchanged | None = None
        self._width = len(sums[0].columns)
        self._at = {name: at for at, name in enumerate(sums[0].columns)}
        if len(sums[0].rows) > 1:
            rows, group = grouped(np.concatenate([part.rows for part in sums], axis=1), _ROWS)
            self._exchanged = Exchanged.of(rows, rounds=rounds, seed=seed)
            self.test = name_of_test(
                len(rows),
                sums[0].documents_per_row * group,
                len(self._exchanged.moved),
                seed,
                self._exchanged.exact,
            )

    def p(self, metric: Metric, a: int, b: int) -> float | None:
        """P-value of the systems number `a` and `b`."""
        if self._exchanged is None:
            return None
        above, below = self._at[metric.numerator], self._at[metric.denominator]
        columns = ((n * self._width + above, n * self._width + below) for n in (a, b))
        return p_value(self._exchanged, *columns)


def compare_systems(
    systems: Sequence[Compared],
    *,
    rounds: int,
    seed: int,
    text_draws: Resampled | None = None,
    word_draws: Resampled | None = None,
) -> tuple[Comparison, ...]:
    """Compare every two systems on every metric that both have.

    Parameters
    ----------
    systems
        The systems of one kind that did not fail.
    rounds, seed
        Of the randomisation.
    text_draws, word_draws
        The systems' resampled sums, for the intervals of the differences.

    """
    if len(systems) < 2:
        return ()
    text = _Table([system.text for system in systems], rounds=rounds, seed=seed)
    word = _Table([system.word for system in systems], rounds=rounds, seed=seed)
    found = []
    for metric in filter(paired, METRICS.values()):
        table, draws = (word, word_draws) if metric.on_words else (text, text_draws)
        comparable = [
            (number, system, value)
            for number, system in enumerate(systems)
            if (value := system.values.get(metric.name)) is not None
            and (system.has_vocabulary or metric.name not in _OF_VOCABULARIES)
        ]
        for (a, of_a, a_value), (b, of_b, b_value) in combinations(comparable, 2):
            p = table.p(metric, a, b)
            low, high = _interval(metric, of_a, of_b, draws)
            found.append(
                Comparison(
                    metric=metric.name,
                    a=of_a.name,
                    b=of_b.name,
                    a_value=a_value,
                    b_value=b_value,
                    low=low,
                    high=high,
                    p=p,
                    p_holm=p,
                    better="",
                    test=table.test,
                )
            )
    return tuple(found)


def _interval(
    metric: Metric, a: Compared, b: Compared, draws: Resampled | None
) -> tuple[float | None, float | None]:
    """95 % interval of the difference over the same resamples."""
    if draws is None:
        return None, None
    values = []
    for system in (a, b):
        sums = system.word if metric.on_words else system.text
        ratios = draws.ratios((sums, metric.numerator), (sums, metric.denominator))
        if ratios is None:
            return None, None
        values.append(ratios)
    return difference(values[0], values[1]) or (None, None)


def with_holm(kinds: Sequence[tuple[Comparison, ...]]) -> list[tuple[Comparison, ...]]:
    """Correct the p-values of the same two systems and metric over the kinds, and decide."""
    families: dict[tuple[str, str, str], list[tuple[int, int, float]]] = defaultdict(list)
    for kind, comparisons in enumerate(kinds):
        for at, found in enumerate(comparisons):
            if found.p is not None:
                families[found.metric, found.a, found.b].append((kind, at, found.p))
    decided = [list(comparisons) for comparisons in kinds]
    for family in families.values():
        adjusted = holm([p for _, _, p in family])
        for (kind, at, _), p_holm in zip(family, adjusted, strict=True):
            decided[kind][at] = _decided(kinds[kind][at], p_holm)
    return list(map(tuple, decided))


def _decided(found: Comparison, p_holm: float) -> Comparison:
    better = ""
    if p_holm < ALPHA:
        low = METRICS[found.metric].better == "low"
        better = found.a if (found.a_value < found.b_value) == low else found.b
    return replace(found, p_holm=p_holm, better=better)
