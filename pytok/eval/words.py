"""Words of a batch, their types, and how the pieces of a system cut them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from pytok.eval.layout import Segmentation
from pytok.eval.parts import Parts, Units, cut_at_units
from pytok.eval.text_batch import BoolArray, IntArray, TextBatch
from pytok.eval.units import word_units

__all__ = ["TypeFlags", "WordCuts", "WordTypes", "Words", "cut_words"]


@dataclass
class WordTypes:
    """Distinct words, numbered in order of first occurrence.

    Examples
    --------
    >>> types = WordTypes()
    >>> types.number(["中国", "人", "中国"]).tolist(), types.words
    ([0, 1, 0], ['中国', '人'])

    """

    _numbers: dict[str, int] = field(default_factory=dict)

    def number(self, words: Sequence[str]) -> IntArray:
        """Give the number of each word's type, shape (n_words,)."""
        numbers = self._numbers
        return np.fromiter(
            (numbers.setdefault(word, len(numbers)) for word in words),
            dtype=np.int64,
            count=len(words),
        )

    @property
    def words(self) -> list[str]:
        """The distinct words, by number."""
        return list(self._numbers)


@dataclass
class TypeFlags:
    """A yes or no per word type, asked once for each.

    Parameters
    ----------
    test
        The question.

    Examples
    --------
    >>> flags = TypeFlags(str.isdigit)
    >>> flags.of(WordTypes({"12": 0, "人": 1})).tolist()
    [True, False]

    """

    test: Callable[[str], bool]
    _answers: list[bool] = field(default_factory=list)

    def of(self, types: WordTypes) -> BoolArray:
        """Answers by type number, shape (n_types,); `types` may only grow between calls."""
        self._answers.extend(map(self.test, types.words[len(self._answers) :]))
        return np.array(self._answers, dtype=np.bool_)


@dataclass(frozen=True)
class Words:
    """The words of a batch.

    Parameters
    ----------
    units
        One segment per word; words of white space only do not count.
    types
        Type of each word, shape (n_words,).

    """

    units: Units
    types: IntArray

    @classmethod
    def of(
        cls, batch: TextBatch, words: Sequence[Sequence[str]], types: WordTypes | None = None
    ) -> Words:
        """Lay the words of each text of `batch` over it; they tile the text."""
        flat = [word for line in words for word in line if word]
        lengths = np.fromiter(map(len, flat), dtype=np.int64, count=len(flat))
        return cls(word_units(batch, lengths), (types or WordTypes()).number(flat))


@dataclass(frozen=True)
class WordCuts:
    """How pieces cut the words that count.

    Parameters
    ----------
    parts
        The part of every piece inside every segment.
    index
        Segment of each word that counts, shape (n_words,).
    documents
        Document of each word, shape (n_words,).
    types
        Type of each word, shape (n_words,).
    starts
        First character of each word, shape (n_words,).
    lengths
        Characters of each word, shape (n_words,).
    pieces
        Parts of pieces inside each word, shape (n_words,).

    """

    parts: Parts
    index: IntArray
    documents: IntArray
    types: IntArray
    starts: IntArray
    lengths: IntArray
    pieces: IntArray

    @property
    def one_piece(self) -> BoolArray:
        """Whether the word lies inside one piece, shape (n_words,)."""
        inside: BoolArray = self.pieces == 1
        return inside


def cut_words(pieces: Segmentation, words: Words) -> WordCuts:
    """Cut pieces at the edges of words and count the parts per word.

    Examples
    --------
    >>> pieces = Segmentation.of_words(["中国人民"], [["中国", "人", "民"]])
    >>> cut_words(pieces, Words.of(pieces.batch, [["中国", "人民"]])).pieces.tolist()
    [1, 2]

    """
    parts = cut_at_units(pieces, words.units)
    index = np.flatnonzero(words.units.counts)
    counted = np.bincount(parts.unit, minlength=len(words.units.starts))
    return WordCuts(
        parts=parts,
        index=index,
        documents=pieces.batch.character_documents[words.units.starts[index]],
        types=words.types[index],
        starts=words.units.starts[index],
        lengths=words.units.lengths[index],
        pieces=counted[index],
    )
