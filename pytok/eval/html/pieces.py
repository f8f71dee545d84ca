"""Cuts of text as a page shows them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from pytok.eval.cells import Cell
from pytok.eval.differences import Difference
from pytok.eval.report import KindReport

__all__ = ["Shown", "grouped_differences", "parts_of"]


@dataclass(frozen=True)
class Shown:
    """A cell, with its text divided where a marked stretch begins or ends.

    Parameters
    ----------
    tokens
        Tokens in the cell.
    parts
        Text, and whether it is marked.
    same
        Whether the other cut has the same cell.

    """

    tokens: int
    parts: tuple[tuple[str, bool], ...]
    same: bool = False


def _placed(cells: Sequence[Cell]) -> Iterator[tuple[int, Cell]]:
    """Cells with their first character in the joined text."""
    return zip(accumulate((len(cell.text) for cell in cells), initial=0), cells, strict=False)


def parts_of(
    cells: Sequence[Cell], start: int = 0, end: int = 0, other: Sequence[Cell] = ()
) -> list[Shown]:
    """Mark the characters `start` to `end` of the joined cells, and what `other` has too.

    Examples
    --------
    >>> parts_of([Cell("很好", 1), Cell("的", 1)], 1, 3)[0].parts
    (('很', False), ('好', True))

    """
    shown = []
    others = set(_placed(other))
    for at, cell in _placed(cells):
        low, high = (min(max(edge - at, 0), len(cell.text)) for edge in (start, end))
        pieces = (
            (cell.text[:low], False),
            (cell.text[low:high], True),
            (cell.text[high:], False),
        )
        parts = tuple(piece for piece in pieces if piece[0])
        shown.append(Shown(cell.tokens, parts, same=(at, cell) in others))
    return shown


def grouped_differences(kind: KindReport) -> list[tuple[tuple[str, str], list[Difference]]]:
    """Sentences by pair of systems; two tokenizers before a tokenizer and a segmenter."""
    pairs: dict[tuple[str, str], list[Difference]] = {}
    for found in kind.differences:
        pairs.setdefault((found.first, found.second), []).append(found)
    tokenizers = {system.system for system in kind.systems if system.vocab_size is not None}
    return sorted(pairs.items(), key=lambda pair: not set(pair[0]) <= tokenizers)
