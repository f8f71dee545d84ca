"""Steps that put characters in the place of others: known answers."""

from __future__ import annotations

import pytest

from pytok import zh
from pytok.errors import ConfigError

# The unified ideographs in the block of compatibility ideographs.
TWELVE = "﨎﨏﨑﨓﨔﨟﨡﨣﨤﨧﨨﨩"


def apply(text: str, *steps: str, **options: object) -> str:
    return zh.normalize(text, steps=[zh.Step(step, options) for step in steps]).text


@pytest.mark.parametrize(
    ("step", "text", "expected"),
    [
        ("width", "Ａ股Ｂ超２０２６年", "A股B超2026年"),
        ("width", "他說：「１２．５％，（￥３）！」　～", "他說：「12．5％，（￥3）！」　～"),
        ("width", "ｶﾞｷﾞｸﾞﾊﾟｱﾞ｡｢ｦ｣､･ﾞ", "ガギグパア゛。「ヲ」、・゛"),
        ("width", "ﾡﾢ", "ㄱㄲ"),
        ("compatibility", "\uf900\U0002f800\u2329〸﹐﹖", "豈丽〈十，？"),
        ("compatibility", "㈱㊣㎏①", "㈱㊣㎏①"),
        ("compatibility", TWELVE, TWELVE),
        ("radicals", "⼀⼆⾯⻅⻔⺟⻳", "一二面见门母龟"),
        ("radicals", "⺀一", "⺀一"),
        ("vertical-forms", "︐︑︒︓︔︕︖︗︘︙", "，、。：；！？〖〗…"),
        (
            "vertical-forms",
            "︵︶︷︸︹︺︻︼︽︾︿﹀﹁﹂﹃﹄﹇﹈",
            "（）｛｝〔〕【】《》〈〉「」『』［］",
        ),
        ("vertical-forms", "︰︱︲︳︴﹅", "‥—–＿﹏﹅"),
        ("variation-sequences", "葛\U000e0100城市芦\U000e0101屋", "葛城市芦屋"),
        ("variation-sequences", "，\ufe01。\ufe00", "，。"),
        ("variation-sequences", "❤\ufe0f㊗\ufe0f#\ufe0f\u20e3", "❤\ufe0f㊗\ufe0f#\ufe0f\u20e3"),
    ],
)
def test_known_answers(step: str, text: str, expected: str) -> None:
    assert apply(text, step) == expected


def test_options_fold_what_they_name() -> None:
    assert apply("，．！？：；（）［］｛｝～－。、「", "width", punctuation=True) == (
        ",.!?:;()[]{}~-。、「"
    )
    assert apply("＋％＄＠￥￡＃，", "width", symbols=True) == "+%$@¥£#，"
    assert apply("一　二", "width", space=True) == "一 二"
    assert apply("㈱㊣㎏㋿㍿", "compatibility", enclosed=True) == "（株）正kg令和株式会社"


@pytest.mark.parametrize(
    ("step", "options", "message"),
    [
        ("width", {"punctuation": 1}, "width: punctuation: 1, expected one of False, True"),
        ("compatibility", {"enclosed": "yes"}, "enclosed: 'yes'"),
        ("z-variants", {"script": "simplified"}, "script: 'simplified'"),
        ("z-variants", {"keep": ["澂"]}, "z-variants: keep: .*as one str"),
        ("radicals", {"keep": "x"}, "radicals: .*keep"),
    ],
)
def test_options_that_are_not_known_are_named(
    step: str, options: dict[str, object], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        zh.Pipeline([zh.Step(step, options)])


def test_reasons_say_what_a_character_was() -> None:
    (edit,) = zh.normalize("\uf900", steps=["compatibility"]).edits
    assert (edit.reason, edit.status) == ("compatibility ideograph", "sure")
    (edit,) = zh.normalize("ｶﾞ", steps=["width"]).edits
    assert (edit.original, edit.normalized, edit.before) == ((0, 2), (0, 1), "ｶﾞ")


@pytest.mark.parametrize("preset", ["modern", "classical"])
def test_presets_keep_chinese_punctuation(preset: str) -> None:
    marks = "，。、；：？！「」『』《》〈〉（）【】〔〕［］…—～·　"
    assert zh.normalize(marks, preset=preset).text == marks
    assert zh.normalize("\uf900⾯葛\U000e0100", preset=preset).text == "豈面葛"
