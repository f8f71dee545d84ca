"""The tables of characters against the Unicode database, on every code point."""

from __future__ import annotations

import itertools
import sys
from pathlib import Path

import pytest

from pytok import zh
from pytok.zh._tables import rows

unicodedata2 = pytest.importorskip("unicodedata2")

GENERATOR = Path(__file__).resolve().parents[3] / "rust/pytok-core/tables/chinese"
EVERYTHING = "".join(chr(c) for c in range(0x110000) if not 0xD800 <= c <= 0xDFFF)


def apply(text: str, *steps: str, **options: object) -> str:
    return zh.normalize(text, steps=[zh.Step(step, options) for step in steps]).text


def one_by_one(step: str, **options: object) -> dict[str, str]:
    """What becomes of each code point on its own."""
    joined = apply("\n".join(EVERYTHING.replace("\n", "")), step, **options)
    return dict(zip(EVERYTHING.replace("\n", ""), joined.split("\n"), strict=True))


def decomposition(character: str) -> tuple[str, str]:
    fields = unicodedata2.decomposition(character).split()
    tag = fields.pop(0) if fields and fields[0].startswith("<") else ""
    return tag, "".join(chr(int(code, 16)) for code in fields)


def test_the_generator_makes_the_tables_that_ship() -> None:
    sys.path.insert(0, str(GENERATOR))
    try:
        import forms
    finally:
        sys.path.remove(str(GENERATOR))
    assert rows("width.tsv") == [list(row) for row in forms.width()]
    assert rows("compatibility.tsv") == [list(row) for row in forms.compatibility()]
    assert rows("vertical-forms.tsv") == [list(row) for row in forms.vertical_forms()]
    assert rows("han.tsv") == [list(row) for row in forms.han()]
    radicals = rows("radicals.tsv")
    same = {key: put for key, put, _ in radicals}
    assert radicals == [list(row) for row in forms.radicals(same)]


def test_compatibility_ideographs_agree_with_unicode_on_every_code_point() -> None:
    made = one_by_one("compatibility")
    for character, put in made.items():
        name = unicodedata2.name(character, "")
        if name.startswith("CJK COMPATIBILITY IDEOGRAPH-"):
            assert put == unicodedata2.normalize("NFC", character), name
        elif name.startswith("CJK UNIFIED IDEOGRAPH-"):
            assert put == character, name
    blocks = [*range(0xF900, 0xFB00), *range(0x2F800, 0x2FA20)]
    changed = [code for code in blocks if made[chr(code)] != chr(code)]
    assert len(changed) == 460 + 542


def test_enclosed_forms_agree_with_unicode() -> None:
    made = one_by_one("compatibility", enclosed=True)
    for code in (*range(0x3200, 0x3400), *range(0x1F200, 0x1F270)):
        character = chr(code)
        expected = unicodedata2.normalize("NFKC", character)
        assert made[character].replace("（", "(").replace("）", ")") == expected


def test_width_agrees_with_unicode_on_every_code_point() -> None:
    everything = {"punctuation": True, "symbols": True, "space": True}
    narrowed, kept = one_by_one("width", **everything), one_by_one("width")
    for character, put in narrowed.items():
        tag, plain = decomposition(character)
        if tag in ("<wide>", "<narrow>") and character not in "ﾞﾟ":
            assert put == plain, hex(ord(character))
        elif character not in "ﾞﾟ":
            assert put == character, hex(ord(character))
    for character, put in kept.items():
        assert put == character or not put.isascii() or put.isalnum(), character


def test_voiced_kana_agree_with_unicode() -> None:
    for base in map(chr, range(0xFF66, 0xFF9E)):
        for mark in "ﾞﾟ":
            expected = unicodedata2.normalize("NFKC", base + mark)
            if len(expected) == 1:
                assert apply(base + mark, "width") == expected


def test_radicals_agree_with_unicode_on_every_code_point() -> None:
    for character, put in one_by_one("radicals").items():
        code = ord(character)
        if 0x2E80 <= code <= 0x2FD5 and unicodedata2.name(character, ""):
            _, plain = decomposition(character)
            assert put == (plain or put), character
            assert unicodedata2.name(put).startswith("CJK UNIFIED IDEOGRAPH-") or put == "⺀"
        else:
            assert put == character


def test_vertical_forms_agree_with_unicode_but_for_ascii() -> None:
    for character, put in one_by_one("vertical-forms").items():
        tag, plain = decomposition(character)
        if tag != "<vertical>" or not unicodedata2.name(character).startswith("PRESENTATION"):
            assert put == character
        elif plain.isascii():
            assert unicodedata2.normalize("NFKC", put) == plain
            assert not put.isascii()
        else:
            assert put == plain


@pytest.mark.parametrize(
    "step", ["compatibility", "radicals", "vertical-forms", "variation-sequences", "z-variants"]
)
def test_no_step_but_width_makes_ascii(step: str) -> None:
    for character, put in one_by_one(step).items():
        assert put == character or not put.isascii(), hex(ord(character))


def test_a_standardized_variant_becomes_what_its_compatibility_ideograph_becomes() -> None:
    # StandardizedVariants.txt has <decomposition, selector> for every one of them.
    for code in (*range(0xF900, 0xFB00), *range(0x2F800, 0x2FA20)):
        ideograph = chr(code)
        if not unicodedata2.decomposition(ideograph):
            continue
        base = unicodedata2.normalize("NFC", ideograph)
        for selector in "\ufe00\ufe01\ufe02\U000e0100":
            assert apply(base + selector, "variation-sequences") == apply(
                ideograph, "compatibility"
            )
            assert apply(ideograph + selector, "variation-sequences", "compatibility") == base


def test_selectors_go_behind_every_ideograph_and_nothing_else() -> None:
    text = "".join(character + "\ufe00" for character in EVERYTHING)
    made = apply(text, "variation-sequences")
    without = set(EVERYTHING)
    for character, follower in itertools.pairwise(made):
        if follower == "\ufe00":
            without.discard(character)
    without.discard("\ufe00")
    for character in EVERYTHING:
        name = unicodedata2.name(character, "")
        ideograph = name.startswith(("CJK UNIFIED IDEOGRAPH-", "CJK COMPATIBILITY IDEOGRAPH-"))
        radical = name.startswith(("CJK RADICAL ", "KANGXI RADICAL "))
        expected = ideograph or radical or character in "〇、。！，．：；？｡､"
        assert (character in without) == expected, hex(ord(character))


def test_the_newest_plane_is_known() -> None:
    # The last extension, in Unicode 17.0: CJK Unified Ideographs Extension J.
    assert unicodedata2.name("\U000323b0") == "CJK UNIFIED IDEOGRAPH-323B0"
    assert apply("\U000323b0\U000e0100", "variation-sequences") == "\U000323b0"
    assert apply("\U0002ebf0\U000e0100", "variation-sequences") == "\U0002ebf0"
