"""Broken characters: tokens whose bytes are not whole code points."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from pytok.eval.layout import Segmentation
from pytok.eval.ratio import ratio
from pytok.eval.text_batch import BoolArray, IntArray

__all__ = [
    "Broken",
    "broken_char_share",
    "is_broken",
    "is_straddling",
    "single_char_token_share",
    "single_character_pieces",
    "straddling_tokens",
    "without_leading_space",
]

_SPACE = ord(" ")


@dataclass(frozen=True)
class Broken:
    """Share of tokens whose bytes are not whole code points, 0 to 1."""

    share: float
    broken: int
    tokens: int


def is_broken(token: bytes) -> bool:
    r"""Whether the bytes of a token are not whole code points.

    Examples
    --------
    >>> [is_broken(token) for token in ("中".encode(), b"\xe4\xb8", b"a", b"")]
    [False, True, False, False]

    """
    try:
        token.decode("utf-8")
    except UnicodeDecodeError:
        return True
    return False


def is_straddling(token: bytes) -> bool:
    r"""Whether a broken token also crosses the edge of a character.

    Part of one character (a byte token) does not; the end of one character
    followed by anything, or anything followed by the start of one, does.

    Examples
    --------
    >>> [is_straddling(token) for token in (b"\xe4\xb8", b"\xb8\xad\xe5", "中国".encode())]
    [False, True, False]

    """
    inner_start = any(byte & 0xC0 != 0x80 for byte in token[1:])
    return inner_start and is_broken(token)


def straddling_tokens(vocabulary: Iterable[bytes]) -> int:
    r"""Count the vocabulary entries that cross the edge of a character.

    Examples
    --------
    >>> straddling_tokens([b"a", b"\xe4", b"a\xe4"])
    1

    """
    return sum(map(is_straddling, vocabulary))


def broken_char_share(tokens: Iterable[bytes]) -> Broken:
    r"""Share of tokens whose bytes are not whole code points.

    Examples
    --------
    >>> broken_char_share([b"\xe9\xbe", b"\x98", "中国".encode(), b"a"]).share
    0.5

    """
    flags = [is_broken(token) for token in tokens]
    return Broken(ratio(sum(flags), len(flags)), sum(flags), len(flags))


def without_leading_space(pieces: Segmentation) -> IntArray:
    """First character of each piece, without a space in front of others, shape (n_pieces,)."""
    first, n_characters = pieces.first, pieces.batch.n_characters
    if not n_characters:
        return first
    code = pieces.batch.code_points[np.minimum(first, n_characters - 1)]
    skip: BoolArray = (pieces.end - first > 1) & (code == _SPACE)
    return first + skip


def single_character_pieces(pieces: Segmentation) -> BoolArray:
    """Whether the piece is one whole character, shape (n_pieces,).

    A leading space belongs to no character: " 中" is one character.
    """
    first, end = without_leading_space(pieces), pieces.end
    single: BoolArray = (end - first == 1) & (pieces.whole[end] - pieces.whole[first] == 1)
    return single


def single_char_token_share(pieces: Segmentation) -> float:
    """Share of tokens that are one character, 0 to 1.

    Examples
    --------
    >>> single_char_token_share(Segmentation.of_words(["中国 人"], [["中国", " 人"]]))
    0.5

    """
    return ratio(int(single_character_pieces(pieces).sum()), pieces.n_pieces)
