"""Boundaries: whether token edges are word edges.

Positions between two characters of one sentence are compared; the edges of the
text and of its sentences (after 。！？ and closers, and at line breaks), where
everybody cuts, and cuts inside a character are not positions. A tokenizer that cuts
everywhere has perfect recall, so precision and compression belong beside it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pytok.eval.layout import Segmentation
from pytok.eval.ratio import ratio
from pytok.eval.text_batch import BoolArray
from pytok.eval.units import sentence_units
from pytok.eval.words import Words

__all__ = ["Boundaries", "Positions", "boundaries", "positions"]


@dataclass(frozen=True)
class Boundaries:
    """Precision, recall and their harmonic mean, 0 to 1."""

    precision: float
    recall: float
    f1: float
    hits: int
    token_boundaries: int
    word_boundaries: int


@dataclass(frozen=True)
class Positions:
    """Flags per position before a character, each of shape (n_characters,).

    Parameters
    ----------
    inner
        The position is inside a text, and no sentence ends there.
    token
        No piece reaches over the position.
    word
        A word starts here.
    multi
        The position is inside or at the edge of a word of two or more
        characters.

    """

    inner: BoolArray
    token: BoolArray
    word: BoolArray
    multi: BoolArray


def positions(pieces: Segmentation, words: Words) -> Positions:
    """Mark token and word boundaries of a batch."""
    batch = pieces.batch
    n_characters = batch.n_characters
    inner = np.ones(n_characters, dtype=np.bool_)
    inner[batch.text_starts[batch.text_starts < n_characters]] = False
    touching = pieces.end > pieces.first
    # A piece over [first, end) reaches over the positions first + 1 .. end - 1.
    edges = np.bincount(pieces.first[touching] + 1, minlength=n_characters + 1)
    edges = edges - np.bincount(pieces.end[touching], minlength=n_characters + 1)
    token = np.cumsum(edges)[:n_characters] == 0
    word = np.zeros(n_characters, dtype=np.bool_)
    word[words.units.starts] = True
    several = words.units.counts & (words.units.lengths > 1)
    starts, ends = words.units.starts[several], words.units.ends[several]
    multi = np.bincount(starts, minlength=n_characters + 2)
    multi = multi - np.bincount(ends + 1, minlength=n_characters + 2)
    edges_of_sentences = np.zeros(n_characters, dtype=np.bool_)
    edges_of_sentences[sentence_units(batch).starts] = True
    # Inside a word (Yahoo！奇摩) a mark ends no sentence.
    inner &= ~(edges_of_sentences & word)
    return Positions(inner, token, word, np.cumsum(multi)[:n_characters] > 0)


def boundaries(pieces: Segmentation, words: Words, *, multi_only: bool = False) -> Boundaries:
    """Compare inner token boundaries with inner word boundaries.

    Parameters
    ----------
    pieces
        The pieces.
    words
        Gold words.
    multi_only
        Count only positions inside or at the edge of words of two or more
        characters (for classical text, where most words have one).

    Examples
    --------
    >>> pieces = Segmentation.of_words(["中国人民"], [["中国", "人", "民"]])
    >>> result = boundaries(pieces, Words.of(pieces.batch, [["中国", "人民"]]))
    >>> result.precision, result.recall, round(result.f1, 4)
    (0.5, 1.0, 0.6667)

    """
    at = positions(pieces, words)
    chosen = at.inner & at.multi if multi_only else at.inner
    hits = int((at.token & at.word & chosen).sum())
    tokens = int((at.token & chosen).sum())
    gold = int((at.word & chosen).sum())
    return Boundaries(
        precision=ratio(hits, tokens),
        recall=ratio(hits, gold),
        f1=ratio(2 * hits, tokens + gold),
        hits=hits,
        token_boundaries=tokens,
        word_boundaries=gold,
    )
