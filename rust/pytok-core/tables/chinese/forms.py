"""Characters that stand for others by their width, shape or place in Unicode.

What a character stands for is its decomposition in the Unicode database, with one
change: where that has an ASCII mark, these tables have the full-width mark of
Chinese text, because a vertical or small comma is a Chinese comma. Only `width`
has ASCII, under kinds of their own.
"""

from __future__ import annotations

from collections.abc import Iterator

import unicodedata2

__all__ = ["compatibility", "han", "radicals", "vertical_forms", "width"]

# Full-width marks of Chinese text that are not signs: everything else that has an
# ASCII form is a letter, a digit or a sign.
PUNCTUATION = set("！＂＇（），－．：；？［］｛｝～｟｠")
CIRCLED_AND_SQUARED = (range(0x3200, 0x3400), range(0x1F200, 0x1F270))
# Marks whose variation sequences choose a place in the em square, not a character,
# and the half-width forms of two of them.
PLACED_MARKS = "、。！，．：；？｡､"
# The low lines have one decomposition to ASCII; as vertical forms they are a line
# and a wave beside the text, which horizontal text has below it.
LOW_LINES = {"︳": "＿", "︴": "﹏"}

Row = tuple[str, str, str]


def decomposition(character: str) -> tuple[str, str]:
    """Return the tag of a decomposition, without brackets, and the characters."""
    fields = unicodedata2.decomposition(character).split()
    tag = fields.pop(0).strip("<>") if fields and fields[0].startswith("<") else ""
    return tag, "".join(chr(int(code, 16)) for code in fields)


def full_width(text: str) -> str:
    """Return a text with full-width marks instead of ASCII marks."""
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" and not c.isalnum() else c for c in text)


def all_characters() -> Iterator[str]:
    """Yield all code points that are not surrogates."""
    return (chr(code) for code in range(0x110000) if not 0xD800 <= code <= 0xDFFF)


def width() -> Iterator[Row]:
    """Yield full-width characters and their ASCII, half-width ones and their kana."""
    for character in map(chr, range(0xFF01, 0xFFEF)):
        tag, plain = decomposition(character)
        if tag == "wide":
            yield character, plain, kind_of_wide(character, plain)
        elif tag == "narrow":
            yield from narrow(character, plain)
    yield "\u3000", " ", "space"


def kind_of_wide(character: str, plain: str) -> str:
    """Return the kind of a full-width character."""
    if plain.isascii() and plain.isalnum():
        return "digit" if plain.isdigit() else "letter"
    return "punctuation" if character in PUNCTUATION else "symbol"


def narrow(character: str, plain: str) -> Iterator[Row]:
    """Yield the rows of a half-width character, with its marks of voice."""
    # A mark of voice on its own is a character, not a combining mark.
    alone = {"\u3099": "\u309b", "\u309a": "\u309c"}
    if character >= "\uffe8":
        yield character, plain, "symbol"
        return
    if character >= "\uffa0":
        yield character, plain, "hangul"
        return
    yield character, alone.get(plain, plain), "kana"
    for mark, combining in (("\uff9e", "\u3099"), ("\uff9f", "\u309a")):
        composed = unicodedata2.normalize("NFC", plain + combining)
        if len(composed) == 1 and plain not in alone:
            yield character + mark, composed, "kana"


def compatibility() -> Iterator[Row]:
    """Yield compatibility ideographs, small forms, and enclosed forms."""
    for character in all_characters():
        tag, plain = decomposition(character)
        name = unicodedata2.name(character, "")
        if name.startswith("CJK COMPATIBILITY IDEOGRAPH-") and plain:
            yield character, unicodedata2.normalize("NFC", character), "ideograph"
        elif name.startswith("HANGZHOU NUMERAL ") and plain:
            yield character, plain, "numeral"
        elif character in "\u2329\u232a":
            yield character, plain, "bracket"
        elif tag == "small":
            yield character, full_width(plain), "small"
        elif plain and any(ord(character) in block for block in CIRCLED_AND_SQUARED):
            text = unicodedata2.normalize("NFKC", character)
            yield character, text.replace("(", "（").replace(")", "）"), "enclosed"


def radicals(equivalents: dict[str, str]) -> Iterator[Row]:
    """Yield radicals and the ideographs that look the same."""
    for character in map(chr, range(0x2E80, 0x2FD6)):
        _, plain = decomposition(character)
        kind = "kangxi" if character >= "\u2f00" else "supplement"
        ideograph = plain or equivalents.get(character)
        if ideograph is not None:
            yield character, ideograph, kind


def vertical_forms() -> Iterator[Row]:
    """Yield vertical presentation forms and the marks of horizontal text."""
    for character in map(chr, [*range(0xFE10, 0xFE20), *range(0xFE30, 0xFE50)]):
        tag, plain = decomposition(character)
        if tag == "vertical":
            yield character, LOW_LINES.get(character, full_width(plain)), "vertical"


def han() -> Iterator[tuple[str, str, str]]:
    """Yield ranges of what a variation selector may follow, in hexadecimal."""
    kinds = {ord(mark): "mark" for mark in PLACED_MARKS}
    kinds.update({0x3007: "ideograph"})
    for character in all_characters():
        name = unicodedata2.name(character, "")
        if name.startswith(("CJK UNIFIED IDEOGRAPH-", "CJK COMPATIBILITY IDEOGRAPH-")):
            kinds[ord(character)] = "ideograph"
        elif name.startswith(("CJK RADICAL ", "KANGXI RADICAL ")):
            kinds[ord(character)] = "radical"
    start = last = -1
    for code in sorted(kinds):
        if code != last + 1 or kinds[code] != kinds[last]:
            if start >= 0:
                yield f"{start:04X}", f"{last:04X}", kinds[last]
            start = code
        last = code
    yield f"{start:04X}", f"{last:04X}", kinds[last]
