"""Sentence, clause and word units of a text.

A line break always ends a sentence and a clause and belongs to neither; a
unit of white space only does not count. A sentence ends after a run of
。！？ and the closing quotes and brackets in and after it; a clause ends after
a run of punctuation marks (any Unicode category P) and keeps them.
"""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Sequence
from functools import cache

import numpy as np

from pytok.eval.parts import Units
from pytok.eval.text_batch import BoolArray, IntArray, TextBatch

__all__ = [
    "CLOSERS",
    "SENTENCE_MARKS",
    "clause_units",
    "punctuation",
    "sentence_units",
    "white_space",
    "word_units",
]

SENTENCE_MARKS = "。！？"
CLOSERS = "”’」』）》〉】〕］｝〗〙﹂﹄＂\"')]}"
_LINE_BREAKS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"


@cache
def punctuation() -> BoolArray:
    """Whether each code point is a punctuation mark, shape (0x110000,)."""
    return np.fromiter(
        (unicodedata.category(chr(code))[0] == "P" for code in range(sys.maxunicode + 1)),
        dtype=np.bool_,
    )


@cache
def _white_space() -> BoolArray:
    table = np.zeros(sys.maxunicode + 1, dtype=np.bool_)
    table[[code for code in range(0x3001) if chr(code).isspace()]] = True
    return table


def white_space(batch: TextBatch) -> BoolArray:
    """Whether each character is white space, shape (n_characters,)."""
    return _white_space()[batch.code_points]


def _members(batch: TextBatch, characters: str) -> BoolArray:
    return np.isin(batch.code_points, np.array([ord(mark) for mark in characters]))


def _segments(batch: TextBatch, starts_here: BoolArray, fillers: BoolArray) -> Units:
    starts_here[batch.text_starts[:-1][np.diff(batch.text_starts) > 0]] = True
    starts = np.flatnonzero(starts_here)
    ends = np.append(starts[1:], batch.n_characters)[: len(starts)]
    solid = np.concatenate(([0], np.cumsum(~white_space(batch))))
    counts = (solid[ends] > solid[starts]) & ~fillers[starts]
    return Units(starts, ends, counts)


def _after_runs(ends_run: BoolArray, batch: TextBatch) -> Units:
    """Segments that end after the marked characters and around line breaks."""
    breaks = _members(batch, _LINE_BREAKS)
    starts_here = np.zeros(batch.n_characters, dtype=np.bool_)
    starts_here[1:] = ends_run[:-1] | (breaks[1:] != breaks[:-1])
    return _segments(batch, starts_here, breaks)


def sentence_units(batch: TextBatch) -> Units:
    """Split after 。！？ and the closers that follow, and at line breaks.

    Examples
    --------
    >>> batch = TextBatch.of(["他说：“来！”走了。好"])
    >>> units = sentence_units(batch)
    >>> units.starts.tolist(), units.ends.tolist()
    ([0, 7, 10], [7, 10, 11])

    """
    marks = _members(batch, SENTENCE_MARKS)
    runs = marks | _members(batch, CLOSERS)
    # Number of the run of marks and closers that each character is in; a run
    # ends a sentence if it holds at least one mark, and never crosses a text.
    opens = runs.copy()
    opens[1:] &= ~runs[:-1]
    text_starts = batch.text_starts[:-1][np.diff(batch.text_starts) > 0]
    opens[text_starts] = runs[text_starts]
    number = np.cumsum(opens)
    seen = np.bincount(number, weights=marks & runs, minlength=1) > 0
    last = runs.copy()
    last[:-1] &= ~runs[1:] | opens[1:]
    return _after_runs(last & seen[number], batch)


def clause_units(batch: TextBatch) -> Units:
    """Split after every run of punctuation marks, and at line breaks.

    Examples
    --------
    >>> units = clause_units(TextBatch.of(["学而时习之，不亦说乎？"]))
    >>> units.starts.tolist(), units.ends.tolist()
    ([0, 6], [6, 11])

    """
    marks = punctuation()[batch.code_points]
    last = marks.copy()
    last[:-1] &= ~marks[1:]
    return _after_runs(last, batch)


def word_units(batch: TextBatch, word_lengths: Sequence[int] | IntArray) -> Units:
    """Words that tile the batch; words of white space only do not count.

    Parameters
    ----------
    batch
        The texts.
    word_lengths
        Characters of each word, shape (n_words,), all above 0.

    Examples
    --------
    >>> word_units(TextBatch.of(["中国 人"]), [2, 1, 1]).counts.tolist()
    [True, False, True]

    """
    ends = np.cumsum(np.asarray(word_lengths, dtype=np.int64))
    starts_here = np.zeros(batch.n_characters, dtype=np.bool_)
    starts_here[ends[:-1]] = True
    return _segments(batch, starts_here, np.zeros(batch.n_characters, dtype=np.bool_))
