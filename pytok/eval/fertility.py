"""Fertility: tokens per word, and how many words are cut at all."""

from __future__ import annotations

from dataclasses import dataclass

from pytok.eval.layout import Segmentation
from pytok.eval.ratio import ratio
from pytok.eval.words import Words, cut_words

__all__ = ["Fertility", "fertility"]


@dataclass(frozen=True)
class Fertility:
    """Tokens per word (low is better) and the share of words that are cut, 0 to 1."""

    tokens_per_word: float
    continued_word_share: float
    tokens: int
    words: int


def fertility(pieces: Segmentation, words: Words) -> Fertility:
    """Tokens per word, and the share of words in two or more pieces.

    Examples
    --------
    >>> pieces = Segmentation.of_words(["中国人民"], [["中国", "人", "民"]])
    >>> result = fertility(pieces, Words.of(pieces.batch, [["中国", "人民"]]))
    >>> result.tokens_per_word, result.continued_word_share
    (1.5, 0.5)

    """
    cuts = cut_words(pieces, words)
    n_words = len(cuts.index)
    return Fertility(
        tokens_per_word=ratio(pieces.n_pieces, n_words),
        continued_word_share=ratio(int((cuts.pieces > 1).sum()), n_words),
        tokens=pieces.n_pieces,
        words=n_words,
    )
