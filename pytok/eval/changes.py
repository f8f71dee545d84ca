"""What changed between two reports, and whether it is more than chance.

Where both reports measured the same documents, known by the SHA-256 of their
files, old and new are tested as pairs, as two systems of one report are. Where
they did not, a change counts only if the two 95 % intervals do not meet, which
is stricter than a test.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace

import numpy as np

from pytok.eval.bootstrap import difference, resampled_sums
from pytok.eval.comparisons import name_of_test, paired
from pytok.eval.definitions import METRICS
from pytok.eval.json_text import JsonValue
from pytok.eval.kept import KeptSums
from pytok.eval.partners import Partner, lost_results, partners
from pytok.eval.report import Number, Report
from pytok.eval.saved import SavedReport
from pytok.eval.significance import ALPHA, Exchanged, holm, p_value

__all__ = ["Change", "Changes", "compare_reports"]

_INTERVALS = "95 % intervals: no sums of the same documents, so these must not meet"


@dataclass(frozen=True)
class Change:
    """One number in both reports.

    Parameters
    ----------
    kind
        Kind of text, or set of parallel texts.
    system
        Name of the system in the new report.
    metric
        Name of the metric.
    old, new
        The values; None where there was nothing to measure.
    low, high
        95 % interval of ``new - old``, paired bootstrap over documents; None
        where the documents are not the same.
    p, p_holm
        Two-sided p-value of the paired test, and after Holm's correction over
        the kinds; None where there is no paired test.
    verdict
        ``"better"``, ``"worse"``, ``"changed"`` (neither direction is better,
        or it is a count), ``"unclear"`` (may be chance, or cannot be told) or
        ``"same"``.
    how
        How it was decided.

    """

    kind: str
    system: str
    metric: str
    old: float | None
    new: float | None
    low: float | None
    high: float | None
    p: float | None
    p_holm: float | None
    verdict: str
    how: str

    def to_json(self) -> dict[str, JsonValue]:
        """All fields."""
        return asdict(self)


@dataclass(frozen=True)
class Changes:
    """All numbers that both reports have, and what only one of them has.

    Parameters
    ----------
    changes
        The numbers, in the order of the new report.
    notes
        What could not be compared, or is compared under another name.
    lost
        What the old report has and the new one lacks, a sentence each.

    """

    changes: tuple[Change, ...]
    notes: tuple[str, ...]
    lost: tuple[str, ...] = ()

    def to_json(self) -> dict[str, JsonValue]:
        """Plain data for JSON."""
        return {
            "changes": [change.to_json() for change in self.changes],
            "notes": list(self.notes),
            "lost": list(self.lost),
        }


def compare_reports(old: SavedReport, new: SavedReport) -> Changes:
    """Compare every number that two reports have in common.

    Parameters
    ----------
    old, new
        The reports. Rounds and seed of the tests are those of the new one.

    """
    found, notes = partners(old.report, new.report)
    same_reference = _reference(old.report) == _reference(new.report)
    changes = [
        change
        for partner in found
        for change in _PartnerChanges(
            partner, old.metrics, new, same_reference=same_reference
        ).changes()
    ]
    redefined = sorted(
        name
        for name in old.metrics.keys() & new.metrics.keys()
        if old.metrics[name] != new.metrics[name]
    )
    notes += [f"{name} has another definition in the new report" for name in redefined]
    lost = lost_results(old.report, new.report)
    return Changes(tuple(_corrected(changes)), tuple(notes), lost)


def _reference(report: Report) -> str | None:
    """SHA-256 of the tokenizer that `nsl` divides by."""
    digests = (
        system.sha256
        for kind in report.kinds
        for system in kind.systems
        if system.system == report.reference
    )
    return next(digests, None)


class _PartnerChanges:
    """The changes of one system on one kind."""

    def __init__(
        self,
        partner: Partner,
        old_metrics: Mapping[str, object],
        new: SavedReport,
        *,
        same_reference: bool,
    ) -> None:
        self._same_reference = same_reference
        self._partner = partner
        self._old_metrics = old_metrics
        self._new_metrics = new.metrics
        self._rounds, self._seed = new.report.resamples, new.report.seed
        self._tables: dict[bool, _Pairs | None] = {}

    def changes(self) -> Iterator[Change]:
        """One per metric that both have, unless neither has a value."""
        partner = self._partner
        for name, new in partner.new.numbers.items():
            old = partner.old.numbers.get(name)
            if old is None or (old.value is None and new.value is None):
                continue
            verdict, how, pairs = self._verdict(name, old, new)
            p = None if pairs is None else pairs.p(name)
            low, high = (None, None) if pairs is None else pairs.interval(name)
            yield Change(
                kind=partner.kind,
                system=partner.new.system,
                metric=name,
                old=old.value,
                new=new.value,
                low=low,
                high=high,
                p=p,
                p_holm=p,
                verdict=verdict,
                how=how,
            )

    def _verdict(self, name: str, old: Number, new: Number) -> tuple[str, str, _Pairs | None]:
        """Verdict, how it was decided, and the pairs, whose test gives a verdict later."""
        if reason := self._incomparable(name, old, new):
            return "unclear", f"none: {reason}", None
        if old.value is None or new.value is None or old.value == new.value:
            return "same", "equal values", None
        pairs = self._pairs(name)
        if pairs is not None:
            return "", pairs.how, pairs
        if old.low is None or old.high is None or new.low is None or new.high is None:
            counts = new.interval.startswith("none: a count")
            return "changed" if counts else "unclear", "none: no interval", None
        apart = old.high < new.low or new.high < old.low
        better = self._new_metrics[name].better
        return _named(old.value, new.value, better) if apart else "unclear", _INTERVALS, None

    def _incomparable(self, name: str, old: Number, new: Number) -> str:
        if self._old_metrics[name] != self._new_metrics[name]:
            return "the definition changed"
        if (old.value is None) != (new.value is None):
            return "only one report has a value"
        if name == "nsl" and not self._same_reference:
            return "another reference tokenizer"
        return ""

    def _pairs(self, name: str) -> _Pairs | None:
        metric = METRICS.get(name)
        if metric is None or not paired(metric):
            return None
        if metric.on_words not in self._tables:
            self._tables[metric.on_words] = self._table(metric.on_words)
        return self._tables[metric.on_words]

    def _table(self, on_words: bool) -> _Pairs | None:
        partner = self._partner
        if not (partner.same_words if on_words else partner.same_text):
            return None
        old, new = (
            system.word_sums if on_words else system.text_sums
            for system in (partner.old, partner.new)
        )
        if old is None or new is None:
            return None
        if (old.documents, old.documents_per_row) != (new.documents, new.documents_per_row):
            return None
        if new.documents <= new.documents_per_row:
            return None
        return _Pairs(old, new, rounds=self._rounds, seed=self._seed)


class _Pairs:
    """Sums of the same documents, old and new, exchanged."""

    def __init__(self, old: KeptSums, new: KeptSums, *, rounds: int, seed: int) -> None:
        names = sorted({*old.columns, *new.columns})
        n_rows = -(-new.documents // new.documents_per_row)
        nothing = (0.0,) * n_rows
        rows = np.array(
            [nothing, *(part.columns.get(name, nothing) for part in (old, new) for name in names)]
        ).T
        self._at = {name: at for at, name in enumerate(names, start=1)}
        self._names = len(names)
        self._sums = Exchanged.of(rows, rounds=rounds, seed=seed)
        self._drawn = resampled_sums(rows, resamples=rounds, seed=seed)
        self.how = name_of_test(
            n_rows, new.documents_per_row, len(self._sums.moved), seed, self._sums.exact
        )

    def p(self, name: str) -> float:
        """P-value of the change of a metric."""
        return p_value(self._sums, *self._columns(name))

    def interval(self, name: str) -> tuple[float | None, float | None]:
        """95 % interval of the change, new - old."""
        with np.errstate(divide="ignore", invalid="ignore"):
            old, new = (
                np.where(self._drawn[:, below] != 0, self._drawn[:, above], np.nan)
                / self._drawn[:, below]
                for above, below in self._columns(name)
            )
        return difference(new, old) or (None, None)

    def _columns(self, name: str) -> tuple[tuple[int, int], tuple[int, int]]:
        """Numerator and denominator in the old sums and in the new ones."""
        metric = METRICS[name]
        above, below = (
            self._at.get(column, 0) for column in (metric.numerator, metric.denominator)
        )
        moved = self._names
        return (above, below), (above + moved if above else 0, below + moved if below else 0)


def _named(old: float, new: float, better: str) -> str:
    if not better:
        return "changed"
    return "better" if (new < old) == (better == "low") else "worse"


def _corrected(changes: list[Change]) -> list[Change]:
    """Correct over the kinds of one system and metric, and decide."""
    families: dict[tuple[str, str], list[int]] = defaultdict(list)
    for at, change in enumerate(changes):
        if change.p is not None:
            families[change.system, change.metric].append(at)
    decided = list(changes)
    for family in families.values():
        adjusted = holm([changes[at].p or 0.0 for at in family])
        for at, p_holm in zip(family, adjusted, strict=True):
            change = changes[at]
            better = METRICS[change.metric].better
            sure = p_holm < ALPHA and change.old is not None and change.new is not None
            verdict = _named(change.old or 0.0, change.new or 0.0, better) if sure else "unclear"
            decided[at] = replace(change, p_holm=p_holm, verdict=verdict)
    return decided
