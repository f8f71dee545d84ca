"""How evenly and how completely a vocabulary is used."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pytok.eval.text_batch import IntArray

if TYPE_CHECKING:
    from pytok.eval.systems import TokenizerLike

__all__ = ["Utilisation", "renyi_efficiency", "renyi_entropy", "unreachable_ids", "utilisation"]


def renyi_entropy(counts: Sequence[int] | IntArray, *, alpha: float = 2.5) -> float:
    """Rényi entropy of the unigram distribution, in bits.

    Parameters
    ----------
    counts
        Count of each id.
    alpha
        Order, above 0; at 1 the Shannon entropy.

    Examples
    --------
    >>> renyi_entropy([1, 1, 1, 1])
    2.0

    """
    numbers = np.asarray(counts, dtype=np.float64)
    numbers = numbers[numbers > 0]
    if not len(numbers):
        return float("nan")
    share = numbers / numbers.sum()
    if alpha == 1.0:
        return abs(float(-(share * np.log2(share)).sum()))
    return abs(float(np.log2((share**alpha).sum()) / (1.0 - alpha)))


def renyi_efficiency(
    counts: Sequence[int] | IntArray, vocab_size: int, *, alpha: float = 2.5
) -> float:
    """Rényi entropy over its maximum for the vocabulary, log2 V, 0 to 1.

    Never the only criterion: Cognetta et al. (2024) give counter-examples.

    Reference: Zouhar et al. (2023), Tokenization and the noiseless channel.

    Examples
    --------
    >>> renyi_efficiency([1, 1, 1, 1], vocab_size=16)
    0.5

    """
    if vocab_size < 2:
        return float("nan")
    return renyi_entropy(counts, alpha=alpha) / math.log2(vocab_size)


@dataclass(frozen=True)
class Utilisation:
    """Which ids a corpus uses.

    Parameters
    ----------
    used
        Ids that occur.
    rare
        Ids with fewer than 5 occurrences per million tokens, unused ones
        included.
    vocab_size
        Ids in all.

    """

    used: int
    rare: int
    vocab_size: int


def utilisation(counts: Sequence[int] | IntArray, vocab_size: int) -> Utilisation:
    """Count used and rare ids.

    Examples
    --------
    >>> utilisation([999_997, 3, 0], vocab_size=4)
    Utilisation(used=2, rare=3, vocab_size=4)

    """
    numbers = np.asarray(counts, dtype=np.int64)
    common = int((numbers * 1_000_000 >= 5 * numbers.sum()).sum()) if numbers.sum() else 0
    return Utilisation(int((numbers > 0).sum()), vocab_size - common, vocab_size)


def id_limit(tokenizer: TokenizerLike) -> int:
    """One more than the largest id; more than the number of ids where there are holes."""
    vocab = getattr(tokenizer, "vocab", None)
    return max(vocab.values(), default=-1) + 1 if vocab else tokenizer.vocab_size


def unreachable_ids(tokenizer: TokenizerLike) -> list[int]:
    """Ids that encoding their own text does not give back.

    Ids whose bytes are not whole characters have no text and are not listed.
    Special tokens are allowed to match their own text, since that is how they
    are meant to be reached. A leading space counts as reached with or without
    it, since some tokenizers add one themselves.

    Reference: Land and Bartolo (2024), Fishing for Magikarp.
    """
    ids: list[int] = []
    texts: list[str] = []
    for number in range(id_limit(tokenizer)):
        try:
            text = tokenizer.token_bytes(number).decode("utf-8")
        except (UnicodeDecodeError, ValueError, LookupError):
            continue
        if text:
            ids.append(number)
            texts.append(text)
    reached = _encodes_to(tokenizer, texts, ids)
    again = [at for at, text in enumerate(texts) if not reached[at] and text[0] == " " and text[1:]]
    for at, found in zip(
        again,
        _encodes_to(tokenizer, [texts[at][1:] for at in again], [ids[at] for at in again]),
        strict=True,
    ):
        reached[at] = found
    return [number for number, found in zip(ids, reached, strict=True) if not found]


def _encodes_to(tokenizer: TokenizerLike, texts: list[str], ids: list[int]) -> list[bool]:
    if not texts:
        return []
    flat, bounds = tokenizer.encode_batch_ids(texts, special="special")
    lone = np.diff(bounds) == 1
    first = np.zeros(len(texts), dtype=np.int64)
    first[lone] = flat[bounds[:-1][lone]]
    return [bool(one) and int(got) == want for one, got, want in zip(lone, first, ids, strict=True)]
