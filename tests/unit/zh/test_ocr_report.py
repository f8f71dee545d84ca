"""The step ``ocr-report``: what is reported, and that nothing is changed."""

from __future__ import annotations

import pytest

from pytok import zh
from pytok.errors import ConfigError


def reported(text: str, **options: object) -> list[tuple[str, tuple[str, ...]]]:
    normalized = zh.normalize(text, steps=[zh.Step("ocr-report", options)])
    assert normalized.text == text
    assert all(edit.status == "kept" for edit in normalized.edits)
    return [(edit.before, edit.candidates) for edit in normalized.edits]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("他自已做", [("已", ("己", "已"))]),
        ("他自己做", []),
        ("巳經到了", [("巳", ("已", "巳"))]),
        ("大平洋上", [("大", ("太", "大"))]),
        ("末來的事", [("末", ("未", "末"))]),
        ("週末來", []),
        ("護土來了", [("土", ("士", "土"))]),
        ("二○○五年", [("○", ("〇", "○"))] * 2),
        ("二OO五年", [("O", ("〇", "O"))] * 2),
        ("一九l五", [("l", ("一", "l"))]),
        ("第—章", [("—", ("一", "—"))]),
        ("北京—上海", []),
        ("カ一ド", [("一", ("ー", "一"))]),
        ("百ー人", [("ー", ("一", "ー"))]),
        ("O型血和WTO", []),
        ("子曰〇學而", [("〇", ("○", "〇"))]),
    ],
)
def test_likely_other_readings_are_reported(
    text: str, expected: list[tuple[str, tuple[str, ...]]]
) -> None:
    assert reported(text) == expected


def test_words_of_the_caller_count() -> None:
    options = {"words": ["戍卒"], "dictionary": False}
    assert reported("戌卒叫", **options) == [("戌", ("戍", "戌"))]
    assert reported("戍卒叫", **options) == []
    assert reported("自已", **options) == []


@pytest.mark.parametrize(
    "options",
    [{"words": "戍卒"}, {"words": ["戍"]}, {"words": ["一二三四五六七八九"]}, {"min_count": 0},
     {"min_count": True}, {"margin": -1}, {"margin": float("nan")}, {"dictionary": "jieba"}],
)  # fmt: skip
def test_wrong_options_are_named(options: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match=f"ocr-report: {next(iter(options))}: .*expected"):
        zh.Pipeline([zh.Step("ocr-report", options)])
