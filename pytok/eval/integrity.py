"""Integrity: whether spans that mean one thing stay whole.

A span is whole if exactly one piece makes it, and nothing else: a piece that
goes over its edge is another thing. A space at the front of a piece belongs
to no span. Its edges are kept if no piece goes over either of them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pytok.eval.broken import without_leading_space
from pytok.eval.layout import Segmentation
from pytok.eval.ratio import ratio
from pytok.eval.spans import Spans
from pytok.eval.text_batch import BoolArray, FloatArray, IntArray

__all__ = ["Integrity", "integrity", "integrity_columns", "integrity_sums", "kept"]


@dataclass(frozen=True)
class Integrity:
    """Share of spans that are one piece, and whose edges are kept, 0 to 1."""

    whole: float
    edges: float
    spans: int


def _edges(pieces: Segmentation) -> BoolArray:
    """Whether no piece goes over a position, shape (n_characters + 1,)."""
    n_characters = pieces.batch.n_characters
    first = without_leading_space(pieces)
    touching = pieces.end > first
    over = np.bincount(first[touching] + 1, minlength=n_characters + 2)
    over = over - np.bincount(pieces.end[touching], minlength=n_characters + 2)
    free: BoolArray = np.cumsum(over)[: n_characters + 1] == 0
    return free


def kept(pieces: Segmentation, spans: Spans) -> tuple[BoolArray, BoolArray]:
    """Whether each span is one piece, and whether both its edges are kept.

    Returns
    -------
    whole, edges
        Shape (n_spans,).

    """
    free = _edges(pieces)
    before: IntArray = np.concatenate(([0], np.cumsum(free)))
    starts, ends = spans.starts, spans.ends
    edges: BoolArray = free[starts] & free[ends]
    inside = before[ends] - before[starts + 1]
    covered = pieces.whole[ends] - pieces.whole[starts] == ends - starts
    return edges & (inside == 0) & covered, edges


def integrity(pieces: Segmentation, spans: Spans) -> Integrity:
    """Share of spans that are one piece, and share with both edges kept.

    Examples
    --------
    >>> pieces = Segmentation.of_words(["画蛇添足用12%"], [["画蛇添足", "用", "12", "%"]])
    >>> integrity(pieces, Spans.of([(0, 4), (5, 8)]))
    Integrity(whole=0.5, edges=1.0, spans=2)

    """
    whole, edges = kept(pieces, spans)
    return Integrity(
        ratio(int(whole.sum()), len(whole)), ratio(int(edges.sum()), len(edges)), len(whole)
    )


def integrity_columns(names: tuple[str, ...]) -> list[str]:
    """Names of the per-document sums of some lists and patterns."""
    return [f"{name} {column}" for name in names for column in ("spans", "whole", "edges")]


def integrity_sums(pieces: Segmentation, found: dict[str, Spans]) -> dict[str, FloatArray]:
    """Sum `integrity_columns` per document; each has shape (n_documents,)."""
    batch = pieces.batch
    sums: dict[str, FloatArray] = {}
    for name, spans in found.items():
        owners = batch.character_documents[spans.starts]
        whole, edges = kept(pieces, spans)
        sums[f"{name} spans"] = batch.per_document(owners, np.ones(len(owners)))
        sums[f"{name} whole"] = batch.per_document(owners, whole)
        sums[f"{name} edges"] = batch.per_document(owners, edges)
    return sums
