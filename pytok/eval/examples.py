"""Where the worst characters and words stand: one place in the text for each.

The first place of an item is kept while its count is among the highest, so
that memory stays bounded; the same text gives the same places.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from pytok.eval.cells import Cell, CutStates, cells_of, cut_states, text_between
from pytok.eval.layout import Segmentation
from pytok.eval.text_batch import IntArray, TextBatch

__all__ = ["Context", "Places"]

_AROUND = 14
_LONGEST_ITEM = 40
_NEW_PER_BATCH = 256
_LINE_ENDS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"


@dataclass(frozen=True)
class Context:
    """A character or word that was cut badly, and one place where it stands.

    Parameters
    ----------
    item
        The character or word.
    count
        How often it was cut badly.
    cells
        The text around the place, as the system cut it; empty when no place
        was kept.
    start, end
        Characters of the joined cells that are the item, half open.

    """

    item: str
    count: int
    cells: tuple[Cell, ...] = ()
    start: int = 0
    end: int = 0


@dataclass
class _Place:
    text: str
    states: CutStates
    start: int
    end: int
    seen: int


class Places:
    """First places of the most frequent items, in bounded memory.

    Parameters
    ----------
    limit
        Largest number of items with a place, above 0, default 2,048.

    Examples
    --------
    >>> pieces = Segmentation.of_words(["我见龘也"], [["我", "见", "龘", "也"]])
    >>> places = Places()
    >>> places.add(pieces, np.array([ord("龘")]), np.array([2]), np.array([1]))
    >>> context = places.context(ord("龘"), "龘", 5)
    >>> context.count, context.start, [cell.text for cell in context.cells]
    (5, 2, ['我', '见', '龘', '也'])

    """

    def __init__(self, *, limit: int = 2_048) -> None:
        self._limit = limit
        self._places: dict[int, _Place] = {}

    def add(
        self, pieces: Segmentation, keys: IntArray, starts: IntArray, lengths: IntArray
    ) -> None:
        """Note occurrences; all have shape (n_occurrences,), in order of the text.

        `keys` are numbers of the items, `starts` and `lengths` their first
        characters in the batch and their lengths.
        """
        found, first, counts = np.unique(keys, return_index=True, return_counts=True)
        fresh = []
        for key, at, count in zip(found.tolist(), first.tolist(), counts.tolist(), strict=True):
            if key in self._places:
                self._places[key].seen += count
            else:
                fresh.append((-count, at, key))
        if fresh:
            states = cut_states(pieces)
            for negative, at, key in sorted(fresh)[:_NEW_PER_BATCH]:
                start = int(starts[at])
                end = start + min(int(lengths[at]), _LONGEST_ITEM)
                self._places[key] = _place(pieces.batch, states, start, end, -negative)
        if len(self._places) > self._limit:
            ranked = sorted(self._places.items(), key=lambda item: (-item[1].seen, item[0]))
            self._places = dict(ranked[: max(self._limit // 2, 1)])

    def context(self, key: int, item: str, count: int) -> Context:
        """Show an item in its place; without cells when there is none."""
        place = self._places.get(key)
        if place is None:
            return Context(item, count)
        return Context(item, count, cells_of(place.text, place.states), place.start, place.end)

    def contexts(self, worst: Iterable[tuple[int, str, int]]) -> tuple[Context, ...]:
        """Show several items, each a key, an item and a count."""
        return tuple(self.context(*item) for item in worst)


def _place(batch: TextBatch, states: CutStates, start: int, end: int, seen: int) -> _Place:
    """Keep the line around an item, `_AROUND` characters on both sides at most."""
    number = int(np.searchsorted(batch.text_starts, start, side="right")) - 1
    low = max(int(batch.text_starts[number]), start - _AROUND)
    high = min(int(batch.text_starts[number + 1]), end + _AROUND)
    before = text_between(batch, low, start)
    after = text_between(batch, end, high)
    low = start - _line_edge(before[::-1])
    high = end + _line_edge(after)
    text = text_between(batch, low, high)
    return _Place(text, states[low:high].copy(), start - low, end - low, seen)


def _line_edge(text: str) -> int:
    return next((at for at, mark in enumerate(text) if mark in _LINE_ENDS), len(text))
