"""From the rows of all kinds to who is better: the comparisons of a report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pytok.eval.comparisons import Compared, compare_systems, with_holm
from pytok.eval.kept import KeptSums
from pytok.eval.numbers import Resampled
from pytok.eval.report import KindReport
from pytok.eval.rows import Row

__all__ = ["decided", "with_comparisons"]


def with_comparisons(
    report: KindReport,
    rows: Sequence[Row],
    *,
    rounds: int,
    seed: int,
    text_draws: Resampled,
    word_draws: Resampled,
) -> KindReport:
    """Add the sums per document and the comparison of every two systems, not yet decided."""
    pairs = [
        (row, system)
        for row, system in zip(rows, report.systems, strict=True)
        if row.failure is None
    ]
    compared = [
        Compared(
            name=system.system,
            has_vocabulary=system.vocab_size is not None,
            text=row.text,
            word=row.word,
            values={name: number.value for name, number in system.numbers.items()},
        )
        for row, system in pairs
    ]
    kept = {
        id(system): replace(
            system,
            text_sums=KeptSums.of(row.text),
            word_sums=KeptSums.of(row.word) if report.words_from else None,
        )
        for row, system in pairs
    }
    return replace(
        report,
        systems=tuple(kept.get(id(system), system) for system in report.systems),
        comparisons=compare_systems(
            compared, rounds=rounds, seed=seed, text_draws=text_draws, word_draws=word_draws
        ),
    )


def decided(kinds: Sequence[KindReport]) -> tuple[KindReport, ...]:
    """Say which system is better where all kinds together allow it."""
    found = with_holm([kind.comparisons for kind in kinds])
    return tuple(
        replace(kind, comparisons=comparisons)
        for kind, comparisons in zip(kinds, found, strict=True)
    )
