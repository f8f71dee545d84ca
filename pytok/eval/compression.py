"""Compression: how much text one token carries."""

from __future__ import annotations

import math
from dataclasses import dataclass

from pytok.eval.ratio import ratio

__all__ = ["Compression", "bits_per_bit", "compression", "nsl"]


@dataclass(frozen=True)
class Compression:
    """Characters and bytes per token (high is better), and the sizes."""

    characters: int
    bytes: int
    tokens: int

    @property
    def chars_per_token(self) -> float:
        """Code points per token."""
        return ratio(self.characters, self.tokens)

    @property
    def bytes_per_token(self) -> float:
        """UTF-8 bytes per token."""
        return ratio(self.bytes, self.tokens)

    @property
    def tokens_per_char(self) -> float:
        """Tokens per code point."""
        return ratio(self.tokens, self.characters)


def compression(texts: list[str], tokens: int) -> Compression:
    """Sizes of `texts` beside their number of tokens.

    Examples
    --------
    >>> result = compression(["中国人民a"], 3)
    >>> round(result.chars_per_token, 3), round(result.bytes_per_token, 3)
    (1.667, 4.333)

    """
    return Compression(
        characters=sum(map(len, texts)),
        bytes=sum(len(text.encode()) for text in texts),
        tokens=tokens,
    )


def nsl(tokens: int, reference_tokens: int) -> float:
    """Sum of lengths over the sum under a reference tokenizer (low is better).

    Reference: normalized sequence length, Dagan, Synnaeve and Rozière (2024).

    Examples
    --------
    >>> nsl(80, 100)
    0.8

    """
    return ratio(tokens, reference_tokens)


def bits_per_bit(n_bytes: int, tokens: int, vocab_size: int) -> float:
    """Bits of text per bit of token ids, 8 B / (T log2 V) (high is better).

    Examples
    --------
    >>> bits_per_bit(n_bytes=300, tokens=100, vocab_size=256)
    3.0

    """
    return ratio(8 * n_bytes, tokens * math.log2(vocab_size) if vocab_size > 0 else 0)
