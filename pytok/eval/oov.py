"""Out of vocabulary, in four readings that must not be mixed up.

`oov_unk` counts unknown ids, `oov_char` characters that no single token
covers, `oov_word` words that fall to pieces, and `oov_lex` words that a word
segmenter's dictionary lacks: only the last is comparable with the figures
that are published for word segmenters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from pytok.eval.layout import Segmentation
from pytok.eval.ratio import ratio
from pytok.eval.text_batch import BoolArray
from pytok.eval.units import white_space
from pytok.eval.words import WordCuts, Words, cut_words

__all__ = [
    "OovChar",
    "OovLex",
    "OovUnk",
    "OovWord",
    "characters_by_count",
    "missing_characters",
    "missing_words",
    "oov_char",
    "oov_lex",
    "oov_unk",
    "oov_word",
]


@dataclass(frozen=True)
class OovUnk:
    """Share of ids that are the unknown token, 0 to 1."""

    share: float
    unknown: int
    tokens: int


@dataclass(frozen=True)
class OovChar:
    """Share of characters that no single token covers, 0 to 1, and which."""

    share: float
    missing: int
    characters: int
    worst: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class OovWord:
    """Share of words that fall to pieces, by token and by type, 0 to 1."""

    share: float
    missing: int
    words: int
    type_share: float
    types: int


@dataclass(frozen=True)
class OovLex:
    """Share of word tokens that a dictionary lacks, 0 to 1."""

    share: float
    missing: int
    words: int


def oov_unk(pieces: Segmentation) -> OovUnk:
    """Share of ids that are the unknown token.

    Examples
    --------
    >>> oov_unk(Segmentation.of_words(["中国"], [["中国"]])).share
    0.0

    """
    unknown = int(pieces.unknown.sum())
    return OovUnk(ratio(unknown, pieces.n_pieces), unknown, pieces.n_pieces)


def missing_characters(pieces: Segmentation) -> BoolArray:
    """Whether no single known token covers the character, shape (n_characters,).

    White space that no piece touches was dropped by design (trimmed offsets,
    a tokenizer that splits at spaces) and is not counted as missing.
    """
    missing: BoolArray = pieces.pieces_per_character != 1
    missing &= (pieces.pieces_per_character > 0) | ~white_space(pieces.batch)
    if pieces.unknown.any():
        n_characters = pieces.batch.n_characters
        edges = np.bincount(pieces.first[pieces.unknown], minlength=n_characters + 1)
        edges -= np.bincount(pieces.end[pieces.unknown], minlength=n_characters + 1)
        missing |= np.cumsum(edges)[:n_characters] > 0
    return missing


def characters_by_count(pieces: Segmentation, flags: BoolArray) -> Counter[str]:
    """Count the flagged characters, by character."""
    codes, counts = np.unique(pieces.batch.code_points[flags], return_counts=True)
    return Counter({chr(code): int(count) for code, count in zip(codes, counts, strict=True)})


def oov_char(pieces: Segmentation) -> OovChar:
    """Share of characters that no single token covers in context.

    Examples
    --------
    >>> spans = np.array([[0, 1], [1, 3], [3, 6]])
    >>> from pytok.eval.text_batch import TextBatch
    >>> pieces = Segmentation.of_spans(TextBatch.of(["龘中"]), spans, np.array([0, 3]))
    >>> oov_char(pieces)
    OovChar(share=0.5, missing=1, characters=2, worst=(('龘', 1),))

    """
    missing = missing_characters(pieces)
    worst = characters_by_count(pieces, missing)
    return OovChar(
        share=ratio(int(missing.sum()), len(missing)),
        missing=int(missing.sum()),
        characters=len(missing),
        worst=tuple(sorted(worst.items(), key=lambda item: (-item[1], item[0]))),
    )


def missing_words(pieces: Segmentation, cuts: WordCuts) -> BoolArray:
    """Whether each word is out of vocabulary, shape (n_words,).

    A word is out of vocabulary if it is not inside one known piece and either
    contains a character that no single token covers, or every piece in it
    covers at most one character; words of one character only by the first.
    """
    missing = missing_characters(pieces)
    before = np.concatenate(([0], np.cumsum(missing)))
    parts = cuts.parts
    n_segments = int(cuts.index[-1]) + 1 if len(cuts.index) else 0
    long_part = pieces.whole[parts.end] - pieces.whole[parts.first] > 1
    long_parts = np.bincount(parts.unit[long_part], minlength=n_segments)[cuts.index]
    holds_missing = before[cuts.starts + cuts.lengths] > before[cuts.starts]
    shattered = (long_parts == 0) & (cuts.pieces > 1) & (cuts.lengths > 1)
    missing_word: BoolArray = holds_missing | shattered
    return missing_word


def oov_word(pieces: Segmentation, words: Words) -> OovWord:
    """Share of words that fall to pieces, by token and by type.

    By type each distinct word weighs 1 and counts with the share of its
    occurrences that are out of vocabulary, since the cut depends on context.

    Examples
    --------
    >>> pieces = Segmentation.of_words(["中国人民"], [["中国", "人", "民"]])
    >>> oov_word(pieces, Words.of(pieces.batch, [["中国", "人民"]]))
    OovWord(share=0.5, missing=1, words=2, type_share=0.5, types=2)

    """
    cuts = cut_words(pieces, words)
    missing = missing_words(pieces, cuts)
    counts = np.bincount(cuts.types)
    shares = np.bincount(cuts.types, weights=missing)[counts > 0] / counts[counts > 0]
    return OovWord(
        share=ratio(int(missing.sum()), len(missing)),
        missing=int(missing.sum()),
        words=len(missing),
        type_share=ratio(float(shares.sum()), len(shares)),
        types=len(shares),
    )


def oov_lex(words: Sequence[str], known: Callable[[str], bool]) -> OovLex:
    """Share of word tokens that a dictionary lacks.

    Parameters
    ----------
    words
        Gold word tokens.
    known
        Whether the dictionary has a word.

    Examples
    --------
    >>> oov_lex(["中国", "人民", "中国", "龘"], {"中国", "人民"}.__contains__)
    OovLex(share=0.25, missing=1, words=4)

    """
    missing = sum(not known(word) for word in words)
    return OovLex(ratio(missing, len(words)), missing, len(words))
