"""From the span counts of a row to numbers with intervals."""

from __future__ import annotations

from pytok.eval.bootstrap import DocumentSums
from pytok.eval.numbers import Resampled
from pytok.eval.ratio import ratio
from pytok.eval.report import Number
from pytok.eval.rows import Row

__all__ = ["integrity_numbers"]


def integrity_numbers(row: Row, *, kind: str, drawn: Resampled) -> tuple[Number, ...]:
    """Two numbers per list or pattern that has spans in the text.

    Parameters
    ----------
    row
        The counts of a system.
    kind
        Name of the kind.
    drawn
        Resampled sums that hold those of the row.

    """
    if row.spans is None:
        return ()
    total = row.spans.total()
    names = [column.removesuffix(" spans") for column in row.spans.columns[::3]]
    return tuple(
        _number(row, row.spans, f"{prefix}_{name}", f"{name} {part}", kind=kind, drawn=drawn)
        for name in names
        if total[f"{name} spans"]
        for prefix, part in (("integrity", "whole"), ("integrity_edges", "edges"))
    )


def _number(
    row: Row, sums: DocumentSums, metric: str, column: str, *, kind: str, drawn: Resampled
) -> Number:
    name = column.rpartition(" ")[0]
    spans = f"{name} spans"
    total = sums.total()
    found = drawn.interval((sums, column), (sums, spans))
    count = round(total[spans])
    return Number(
        metric=metric,
        value=ratio(total[column], total[spans]),
        low=None if found is None else found[0],
        high=None if found is None else found[1],
        interval=drawn.note,
        corpus=f"{kind}, {count:,} spans: {name}",
        documents=sums.documents,
        characters=round(row.text.total()["characters"]),
        tokenizer=row.system.name,
        sha256=row.system.sha256,
    )
