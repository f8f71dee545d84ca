"""The sentences that two systems cut most differently.

The difference of two cuts of a sentence is the share of its characters that
are cut differently: a token edge in front of the character in one cut only,
or another number of pieces inside the character.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from pytok.eval.cells import Cell, CutStates, cells_of, text_between
from pytok.eval.parts import Units
from pytok.eval.text_batch import IntArray, TextBatch

__all__ = ["Difference", "Differences"]

KEPT = 3
SHORTEST = 10
LONGEST = 60
MOST_SYSTEMS = 8


@dataclass(frozen=True)
class Difference:
    """A sentence as two systems cut it.

    Parameters
    ----------
    first, second
        Names of the systems.
    share
        Share of its characters that are cut differently, 0 to 1.
    first_cells, second_cells
        The sentence as each of them cut it.

    """

    first: str
    second: str
    share: float
    first_cells: tuple[Cell, ...]
    second_cells: tuple[Cell, ...]


@dataclass(frozen=True)
class _Kept:
    share: float
    text: str
    first: CutStates
    second: CutStates


class Differences:
    """The most different sentences of every pair of systems, distinct in text.

    Sentences of 10 to 60 characters compete; of equals the first in the text
    wins. Memory is three sentences for each pair of the first eight systems.

    Parameters
    ----------
    names
        Names of the systems.

    Examples
    --------
    >>> from pytok.eval.cells import cut_states
    >>> from pytok.eval.layout import Segmentation
    >>> from pytok.eval.units import sentence_units
    >>> text = "北京大学的学生都很好。"
    >>> cuts = [["北京大学", "的学生都很好", "。"], ["北京大学", "的", "学生都很好", "。"]]
    >>> pieces = [Segmentation.of_words([text], [cut]) for cut in cuts]
    >>> differences = Differences(["a", "b"])
    >>> batch = pieces[0].batch
    >>> differences.add(batch, sentence_units(batch), [cut_states(cut) for cut in pieces])
    >>> [(found.first, found.second, round(found.share, 3)) for found in differences.found()]
    [('a', 'b', 0.091)]

    """

    def __init__(self, names: Sequence[str]) -> None:
        self._names = list(names)
        places = range(min(len(names), MOST_SYSTEMS))
        self._kept: dict[tuple[int, int], list[_Kept]] = {
            pair: [] for pair in combinations(places, 2)
        }

    def add(self, batch: TextBatch, sentences: Units, states: Sequence[CutStates | None]) -> None:
        """Compare the systems on a batch.

        Parameters
        ----------
        batch
            The texts.
        sentences
            Its sentences.
        states
            Cut states of each system, None for one that failed.

        """
        lengths = sentences.lengths
        fitting = sentences.counts & (lengths >= SHORTEST) & (lengths <= LONGEST)
        starts, ends = sentences.starts[fitting], sentences.ends[fitting]
        if not len(starts):
            return
        # The edge in front of a sentence is no position inside it.
        always = np.zeros(batch.n_characters, dtype=np.uint8)
        always[starts] = 1
        marked = [None if state is None else state | always for state in states]
        for (left, right), kept in self._kept.items():
            one, other = marked[left], marked[right]
            if one is not None and other is not None:
                self._kept[left, right] = _merged(kept, batch, (starts, ends), one, other)

    def found(self) -> tuple[Difference, ...]:
        """All that was kept, pair by pair, the most different first."""
        return tuple(
            Difference(
                self._names[left],
                self._names[right],
                kept.share,
                cells_of(kept.text, kept.first),
                cells_of(kept.text, kept.second),
            )
            for (left, right), found in self._kept.items()
            for kept in found
        )


def _merged(
    kept: list[_Kept],
    batch: TextBatch,
    edges: tuple[IntArray, IntArray],
    one: CutStates,
    other: CutStates,
) -> list[_Kept]:
    starts, ends = edges
    before = np.concatenate(([0], np.cumsum(one != other)))
    shares = (before[ends] - before[starts]) / (ends - starts)
    lowest = kept[-1].share if len(kept) == KEPT else 0.0
    fresh: dict[str, _Kept] = {}
    for at in np.argsort(-shares, kind="stable").tolist():
        if shares[at] <= lowest or len(fresh) == KEPT:
            break
        start, end = int(starts[at]), int(ends[at])
        text = text_between(batch, start, end)
        cuts = one[start:end].copy(), other[start:end].copy()
        fresh.setdefault(text, _Kept(float(shares[at]), text, *cuts))
    # Sorting is stable, so that the earlier sentence stays in front of its equal.
    best: dict[str, _Kept] = {}
    for sentence in sorted([*kept, *fresh.values()], key=lambda sentence: -sentence.share):
        best.setdefault(sentence.text, sentence)
    return list(best.values())[:KEPT]
