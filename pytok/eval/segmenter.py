"""A function that cuts a text into words, as a system."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from pytok.errors import EncodeError
from pytok.eval.layout import spans_of_words
from pytok.eval.system import Pieces

__all__ = ["Segmenter", "tile"]


@dataclass(frozen=True)
class Segmenter:
    """A word segmenter as a system.

    Parameters
    ----------
    name
        Name to print.
    cut
        Cuts one text into words, in order; white space may be left out.
    knows
        Whether the segmenter's dictionary has a word, or None.
    sha256
        SHA-256 of what defines the segmenter (its dictionary), or None.
    dictionary
        What `knows` asks, as words for the report; empty where it is not said.

    Examples
    --------
    >>> Segmenter("spaces", cut=str.split).pieces(["a bc"]).spans.tolist()
    [[0, 1], [1, 2], [2, 4]]

    """

    name: str
    cut: Callable[[str], Iterable[str]]
    knows: Callable[[str], bool] | None = None
    sha256: str | None = None
    dictionary: str = ""
    tokenizer: None = field(default=None, init=False)

    def pieces(self, texts: list[str]) -> Pieces:
        """Cut texts; ``seconds`` is the wall time of `cut` alone."""
        start = time.perf_counter()
        words = [list(self.cut(text)) for text in texts]
        seconds = time.perf_counter() - start
        spans, bounds = spans_of_words(texts, list(map(tile, texts, words)))
        return Pieces(spans, bounds, None, seconds)


def tile(text: str, words: Iterable[str]) -> list[str]:
    """Put back what a segmenter left out, as pieces of their own.

    Parameters
    ----------
    text
        The text.
    words
        Its words in order; white space of the text may be missing.

    Raises
    ------
    EncodeError
        If a word does not occur in the rest of the text, or the words leave
        out other characters than white space.

    Examples
    --------
    >>> tile("中国 人 ", ["中国", "人"])
    ['中国', ' ', '人', ' ']

    """
    tiled: list[str] = []
    at = 0
    for word in words:
        if not word:
            continue
        found = at if text.startswith(word, at) else text.find(word, at)
        if found < 0:
            raise EncodeError(f"the segmenter returned {word!r}, which the text does not contain")
        tiled += _left_out(text, at, found)
        tiled.append(word)
        at = found + len(word)
    return tiled + _left_out(text, at, len(text))


def _left_out(text: str, start: int, end: int) -> list[str]:
    """Give what stands between two words, which must be white space."""
    gap = text[start:end]
    if gap and not gap.isspace():
        lost = gap.strip()
        raise EncodeError(
            f"the segmenter left out {lost[:20]!r} at character {start + gap.index(lost)} of a "
            "text; expected words that hold all but white space"
        )
    return [gap] if gap else []
