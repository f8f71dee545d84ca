"""Steps that put one character in the place of another that is the same but in form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pytok.zh._tables import chosen, rows

__all__ = [
    "CHARACTER_STEPS",
    "compatibility",
    "radicals",
    "variation_sequences",
    "vertical_forms",
    "width",
]

SWITCH = (False, True)


def _of_kinds(table: str, reasons: dict[str, str]) -> dict[str, Any]:
    """Return a step with the rows of a table whose kind has a reason."""
    wanted = [(key, put, reasons[kind]) for key, put, kind in rows(table) if kind in reasons]
    return {"type": "characters", "rows": wanted}


def width(
    *, mode: str, punctuation: bool = False, symbols: bool = False, space: bool = False
) -> dict[str, Any]:
    """Full-width letters and digits become ASCII, half-width kana and hangul full.

    Half-width marks become the marks of Chinese and Japanese text (``｡`` is ``。``).
    No mark becomes ASCII unless an option says so.

    Parameters
    ----------
    mode
        Not used.
    punctuation
        Whether ``！（），－．：；？［］｛｝～`` and full-width quotation marks become
        ASCII too. ``。、「」《》`` have no ASCII form and stay.
    symbols
        Whether signs such as ``＋％＄＠￥`` become narrow too.
    space
        Whether the ideographic space becomes a space.

    Examples
    --------
    >>> from pytok import zh
    >>> zh.normalize("Ａ股，￥１２．３！ ｶﾞ", steps=["width"]).text
    'A股，￥12．3！ ガ'
    >>> step = zh.Step("width", {"punctuation": True, "symbols": True})
    >>> zh.normalize("Ａ股，￥１２．３！", steps=[step]).text
    'A股,¥12.3!'

    Notes
    -----
    From the decompositions ``<wide>`` and ``<narrow>`` of Unicode 18.0.

    """
    del mode
    reasons = {
        "letter": "full-width",
        "digit": "full-width",
        "kana": "half-width kana or mark",
        "hangul": "half-width hangul",
    }
    if chosen("width", "punctuation", punctuation, SWITCH):
        reasons["punctuation"] = "full-width punctuation"
    if chosen("width", "symbols", symbols, SWITCH):
        reasons["symbol"] = "symbol of another width"
    if chosen("width", "space", space, SWITCH):
        reasons["space"] = "ideographic space"
    return _of_kinds("width.tsv", reasons)


def compatibility(*, mode: str, enclosed: bool = False) -> dict[str, Any]:
    """Compatibility ideographs become unified ones, small marks Chinese marks.

    Both blocks of CJK compatibility ideographs; the twelve unified ideographs in the
    first of them stay. Small forms (``﹐``) become full-width (``，``), never ASCII.

    Parameters
    ----------
    mode
        Not used.
    enclosed
        Whether enclosed and squared forms such as ``㈱``, ``㊣``, ``㎏`` and ``㋿`` are
        spelled out too. Parentheses become full-width ones. Circled numbers of
        other scripts (``①``) stay.

    Examples
    --------
    >>> from pytok import zh
    >>> zh.normalize("金﹐㈱", steps=["compatibility"]).text
    '金，㈱'
    >>> zh.normalize("㈱", steps=[zh.Step("compatibility", {"enclosed": True})]).text
    '（株）'

    Notes
    -----
    From the decompositions of Unicode 18.0.

    """
    del mode
    reasons = {
        "ideograph": "compatibility ideograph",
        "numeral": "Hangzhou numeral",
        "bracket": "compatibility bracket",
        "small": "small form",
    }
    if chosen("compatibility", "enclosed", enclosed, SWITCH):
        reasons["enclosed"] = "enclosed or squared form"
    return _of_kinds("compatibility.tsv", reasons)


def radicals(*, mode: str) -> dict[str, Any]:
    """Radicals become the ideographs that look like them.

    All 214 Kangxi radicals, and the radicals of the supplement that have an
    equivalent ideograph: text that was taken out of PDF files has them in the place
    of ordinary characters.

    Parameters
    ----------
    mode
        Not used.

    Examples
    --------
    >>> from pytok import zh
    >>> zh.normalize("⼀⾯⻅⻔", steps=["radicals"]).text
    '一面见门'

    Notes
    -----
    From the decompositions of Unicode 18.0 and EquivalentUnifiedIdeograph.txt of
    Unicode 17.0.

    """
    del mode
    reasons = {"kangxi": "Kangxi radical", "supplement": "radical of the supplement"}
    return _of_kinds("radicals.tsv", reasons)


def vertical_forms(*, mode: str) -> dict[str, Any]:
    """Vertical presentation forms become the marks of horizontal Chinese text.

    They become full-width marks, never ASCII: ``︐`` is ``，``.

    Parameters
    ----------
    mode
        Not used.

    Examples
    --------
    >>> from pytok import zh
    >>> zh.normalize("子曰﹁學而時習之︐不亦說乎︒﹂", steps=["vertical-forms"]).text
    '子曰「學而時習之，不亦說乎。」'

    Notes
    -----
    From the decompositions ``<vertical>`` of Unicode 18.0, with full-width marks
    where these have ASCII.

    """
    del mode
    return _of_kinds("vertical-forms.tsv", {"vertical": "vertical form"})


def variation_sequences(*, mode: str) -> dict[str, Any]:
    """Variation selectors go where they follow an ideograph, a radical or a mark.

    There they choose a shape of the same character (or the place of a Chinese mark
    in its square). All 256 selectors go, those of standardized variants of
    compatibility ideographs as well: what is left is what `compatibility` makes of
    the compatibility ideograph. Elsewhere they stay, above all behind emoji.

    Parameters
    ----------
    mode
        Not used.

    Examples
    --------
    >>> from pytok import zh
    >>> text = "葛\U000e0100城，\ufe00❤\ufe0f"
    >>> zh.normalize(text, steps=["variation-sequences"]).text == "葛城，❤\ufe0f"
    True

    Notes
    -----
    Ideographs and radicals of Unicode 18.0.

    """
    del mode
    ranges = ((chr(int(first, 16)), chr(int(last, 16))) for first, last, _ in rows("han.tsv"))
    return {"type": "variation-sequences", "bases": list(ranges)}


CHARACTER_STEPS: dict[str, Callable[..., dict[str, Any]]] = {
    "width": width,
    "compatibility": compatibility,
    "radicals": radicals,
    "vertical-forms": vertical_forms,
    "variation-sequences": variation_sequences,
}
"""The steps of this module by name."""
