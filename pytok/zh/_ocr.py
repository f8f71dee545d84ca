"""Characters that recognition takes for one another."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from math import inf
from typing import Any

from pytok._segmenter import jieba_dictionary
from pytok.errors import ConfigError
from pytok.zh._tables import chosen, rows

__all__ = ["ocr_report"]

LONGEST = 8
"""Longer words are not looked at."""

MOST = 1_000_000
"""The count of words that the caller gives."""


def ocr_report(
    *,
    mode: str,
    words: Iterable[str] | None = None,
    dictionary: bool = True,
    min_count: int = 20,
    margin: float = 4.0,
) -> dict[str, Any]:
    """Report characters that may be misread ones; nothing is changed.

    A character of a group like ``己已巳`` is reported where another one of the
    group is likelier: the nine characters around it are cut into words in the
    likeliest way, as they are and with the other character, by the counts of
    jieba's dictionary in both scripts. Signs that look like numerals (``○ l — ー``)
    are reported by the numerals around them. Every report is an edit of status
    ``"kept"`` whose candidates are the other reading and the one that is there.

    The dictionary is one of modern Chinese: in classical text most reports are no
    errors, and words of the text's own are the better list.

    Parameters
    ----------
    mode
        That of the pipeline; it makes no difference here.
    words
        Words that make a reading likely, two to eight characters each, besides
        those of the dictionary.
    dictionary
        Whether the words of jieba's dictionary are looked at.
    min_count
        How often a word must be in jieba's counts to make another reading likely;
        at least 1.
    margin
        By how much another reading must be likelier, in nats: at least 0.

    Raises
    ------
    ConfigError
        When a word has fewer than two characters or more than eight.

    Examples
    --------
    >>> from pytok import zh
    >>> normalized = zh.normalize("自已的事，二○○五年", steps=["ocr-report"])
    >>> normalized.text
    '自已的事，二○○五年'
    >>> [(edit.before, edit.candidates) for edit in normalized.edits]
    [('已', ('己', '已')), ('○', ('〇', '○')), ('○', ('〇', '○'))]

    References
    ----------
    See ``data/ocr-confusions.tsv`` and ``data/ocr-signs.tsv``.

    """
    del mode
    chosen("ocr-report", "dictionary", dictionary, [False, True])
    if isinstance(min_count, bool) or not isinstance(min_count, int) or min_count < 1:
        raise ConfigError(f"steps: ocr-report: min_count: {min_count!r}, expected at least 1")
    if isinstance(margin, bool) or not isinstance(margin, (int, float)) or not 0 <= margin < inf:
        raise ConfigError(f"steps: ocr-report: margin: {margin!r}, expected at least 0")
    groups = [group for group, _ in rows("ocr-confusions.tsv")]
    counts = dict(_counts(frozenset("".join(groups)))) if dictionary else {}
    counts.update(dict.fromkeys(_own(words), MOST))
    return {
        "type": "ocr-report",
        "groups": groups,
        "words": "\n".join(f"{word} {count}" for word, count in counts.items()),
        "min_count": min_count,
        "margin": float(margin),
        "signs": rows("ocr-signs.tsv"),
    }


def _own(words: Iterable[str] | None) -> list[str]:
    if isinstance(words, str):
        raise ConfigError(f"steps: ocr-report: words: one str {words!r}, expected a list of words")
    own = list(words or [])
    for word in own:
        if not isinstance(word, str) or not 2 <= len(word) <= LONGEST or word.split() != [word]:
            raise ConfigError(
                f"steps: ocr-report: words: {word!r}, expected words of 2 to {LONGEST} characters"
            )
    return own


@lru_cache(maxsize=1)
def _counts(characters: frozenset[str]) -> dict[str, int]:
    """Return the words that have one of these characters, and single characters."""
    counts: dict[str, int] = {}
    for line in jieba_dictionary().splitlines():
        word, count, *_ = line.split(" ")
        if len(word) == 1 or (len(word) <= LONGEST and not characters.isdisjoint(word)):
            counts[word] = int(count)
    return counts
