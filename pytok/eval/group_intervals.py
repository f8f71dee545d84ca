"""Intervals of the numbers of a row that are not ratios of sums over documents."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from pytok.eval.jackknife import (
    consistency_without,
    distribution_without,
    jackknife_interval,
    types_without,
)

if TYPE_CHECKING:
    from pytok.eval.rows import Row
    from pytok.eval.text_batch import FloatArray

__all__ = ["FEW", "JACKKNIFED", "jackknife_note", "jackknifed", "jackknifed_change"]

# Intervals over fewer units hold the value in fewer than 95 of 100 cases.
FEW = 30
_SHARES = ("renyi_efficiency", "oov_word_type")
JACKKNIFED = (*_SHARES, "ids_used", "rare_ids", "consistency_entropy")


def _without(row: Row, ids: int, words: int) -> dict[str, FloatArray]:
    """Values without each group of at least so many documents, by metric."""
    without: dict[str, FloatArray] = {}
    tokenizer = row.system.tokenizer
    if tokenizer is not None and row.grouped_ids.documents:
        without |= distribution_without(row.grouped_ids.entries(ids), tokenizer.vocab_size)
    if row.grouped_types.documents:
        types, patterns = row.grouped_types.entries(words), row.grouped_patterns.entries(words)
        without["oov_word_type"] = types_without(types)
        without["consistency_entropy"] = consistency_without(types, patterns)
    return without


def _group_sizes(rows: Sequence[Row]) -> tuple[int, int]:
    """Documents per group of ids and of words; more entries make larger groups."""
    return (
        max(row.grouped_ids.documents_per_group for row in rows),
        max(
            counts.documents_per_group
            for row in rows
            for counts in (row.grouped_types, row.grouped_patterns)
        ),
    )


def jackknifed(row: Row, values: Mapping[str, float]) -> dict[str, tuple[float, float]]:
    """95 % intervals by metric, where there are at least two documents.

    Parameters
    ----------
    row
        The counts of a system.
    values
        Its values by metric.

    """
    tokenizer = row.system.tokenizer
    highest = dict.fromkeys(_SHARES, 1.0)
    if tokenizer is not None:
        highest |= dict.fromkeys(("ids_used", "rare_ids"), float(tokenizer.vocab_size))
    intervals = {
        name: jackknife_interval(values[name], found, highest=highest.get(name, math.inf))
        for name, found in _without(row, *_group_sizes([row])).items()
    }
    return {name: found for name, found in intervals.items() if found is not None}


def jackknifed_change(before: Row, after: Row) -> dict[str, FloatArray]:
    """Change of every metric without each group of documents, the same in both rows.

    Parameters
    ----------
    before, after
        Counts of one system on two versions of the same documents.

    """
    sizes = _group_sizes([before, after])
    old, new = _without(before, *sizes), _without(after, *sizes)
    return {
        name: new[name] - old[name]
        for name in old
        if name in new and len(new[name]) == len(old[name])
    }


def jackknife_note(row: Row, on_words: bool) -> str:
    """How the intervals were made, or why there are none."""
    counts = row.grouped_types if on_words else row.grouped_ids
    size = counts.documents_per_group
    groups = -(-counts.documents // size)
    if groups < 2:
        return "none: fewer than two documents"
    units = "documents" if size == 1 else f"groups of {size} documents"
    note = f"95 %, delete-a-group jackknife over {groups} {units}, Student's t"
    return note if groups >= FEW else f"{note}; fewer than {FEW} documents, so it is too narrow"
