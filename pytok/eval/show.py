"""Figures and characters as people read them, in tables and on pages."""

from __future__ import annotations

import math
import unicodedata

__all__ = ["figure", "printable", "signed", "visible", "visible_text"]

_DECIMALS = 4
_MOST_DECIMALS = 7
_SIGNS = {"\t": "⇥", "\n": "↵"}


def figure(value: float) -> str:
    """Three significant digits, or all of a whole number; fewer far below 1.

    Examples
    --------
    >>> figure(12345.0), figure(1.23456), figure(0.000012), figure(123.4)
    ('12,345', '1.23', '0.00001', '123')

    """
    if value == 0 or (value.is_integer() and abs(value) >= 100):
        return f"{value:,.0f}"
    decimals = 2 - math.floor(math.log10(abs(value)))
    if decimals > _DECIMALS:
        if abs(value) < 10**-_MOST_DECIMALS:
            return f"{value:.0e}"
        return f"{value:.{max(_DECIMALS, decimals - 2)}f}"
    return f"{value:,.{max(decimals, 0)}f}"


def signed(value: float) -> str:
    """Two significant digits with a sign, for differences.

    Examples
    --------
    >>> signed(0.01234), signed(-2.0), signed(0.0)
    ('+0.012', '−2', '0')

    """
    return f"{value:+.2g}".replace("-", "−") if value else "0"


def visible(character: str) -> str:
    r"""Name a character, with its code point where it may not show.

    Examples
    --------
    >>> visible("龘"), visible("\t"), visible("𠮷")
    ('龘', 'U+0009', '𠮷 (U+20BB7)')

    """
    code = f"U+{ord(character):04X}"
    if unicodedata.category(character)[0] in "CZM":
        return code
    return character if ord(character) < 0x10000 else f"{character} ({code})"


def visible_text(text: str) -> str:
    r"""Show what has no shape of its own, or would move the text around it.

    Examples
    --------
    >>> visible_text("a\tb\u202e\n"), visible_text("中 国")
    ('a⇥b⟨U+202E⟩↵', '中 国')

    """
    return "".join(
        character
        if unicodedata.category(character)[0] != "C"
        else _SIGNS.get(character, f"⟨U+{ord(character):04X}⟩")
        for character in text
    )


def printable(text: str) -> str:
    r"""Show what a terminal would obey, or what would move the text around it.

    Line ends stay; the names of files and systems come from others.

    Examples
    --------
    >>> printable("a\x1b[31m\u202e"), printable("中 国\n")
    ('a⟨U+001B⟩[31m⟨U+202E⟩', '中 国\n')

    """
    return "\n".join(map(visible_text, text.split("\n")))
