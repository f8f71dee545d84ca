"""Old marks of sentences, and the places where sentences end."""

from __future__ import annotations

from typing import Any

from pytok.errors import ConfigError
from pytok.zh._tables import chosen, rows

__all__ = ["sentence_breaks", "sentence_marks"]

ENDS = "。！？!?｡︒︕︖﹗﹖"


def sentence_marks(*, mode: str, reading_mark: str = "、") -> dict[str, Any]:
    """Old marks of sentences and clauses (句讀) become ``。``, ``、`` and ``，``.

    Half-width, small and vertical forms become the usual ones, and variation
    selectors that place a mark in its cell go. A circle (``○ ◯ ◦``) or a point
    (``． ﹒``) becomes ``。`` where it stands alone between Chinese characters, in a
    line that has no ``。`` of its own, and is neither part of a number nor inside
    a title. The only circle of a line is ambiguous unless it is at the end; the
    only point stays. What is not taken for a mark stays and is reported as kept.

    Parameters
    ----------
    mode
        That of the pipeline; it makes no difference here.
    reading_mark
        What ``、`` between Chinese characters becomes in lines that have no
        ``，``: ``"、"`` leaves it, ``"，"`` takes it for a comma (ambiguous: it may
        be between the items of a list).

    Examples
    --------
    >>> from pytok import zh
    >>> zh.normalize("學而時習之○不亦說乎○", steps=["sentence-marks"]).text
    '學而時習之。不亦說乎。'
    >>> zh.normalize("一九○五年○○先生", steps=["sentence-marks"]).text
    '一九○五年○○先生'

    References
    ----------
    The Unicode Standard, StandardizedVariants.txt; W3C, Requirements for Chinese
    Text Layout; 教育部 重訂標點符號手冊 (2008). See ``data/sentence-marks.tsv``.

    """
    del mode
    chosen("sentence-marks", "reading_mark", reading_mark, ["、", "，"])
    return {
        "type": "sentence-marks",
        "rows": rows("sentence-marks.tsv"),
        "reading_mark": reading_mark,
    }


def sentence_breaks(
    *, mode: str, ends: str = ENDS, ellipsis: str = "closed", newline: bool = False
) -> dict[str, Any]:
    """Mark where sentences end, without putting anything in.

    A sentence ends behind ``。！？!?`` and the closing quotation marks and brackets
    that follow, unless a mark like ``，`` follows. Behind ``!?`` a letter, digit or
    sign means an address or a formula, and no end. The places are in
    `Normalized.breaks`; there are no edits.

    Parameters
    ----------
    mode
        That of the pipeline; it makes no difference here.
    ends
        The marks that end a sentence: at least one character.
    ellipsis
        ``"closed"``: an ellipsis ends a sentence before a closing mark or the end
        of a line; ``"always"``; ``"never"``, unless another mark ends it.
    newline
        Whether a sentence also ends before the end of a line.

    Examples
    --------
    >>> from pytok import zh
    >>> zh.normalize("「來！」他說。我……不去。", steps=["sentence-breaks"]).breaks
    (4, 7, 13)

    References
    ----------
    GB/T 15834-2011, 4.1 to 4.3 and 4.11.

    """
    del mode
    if not isinstance(ends, str) or not ends:
        raise ConfigError(f"steps: sentence-breaks: ends: {ends!r}, expected at least one mark")
    chosen("sentence-breaks", "ellipsis", ellipsis, ["closed", "always", "never"])
    chosen("sentence-breaks", "newline", newline, [False, True])
    return {"type": "sentence-breaks", "ends": ends, "ellipsis": ellipsis, "newline": newline}
