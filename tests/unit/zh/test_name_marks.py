"""The step ``name-marks``: lines beside names, wavy lines, brackets of titles."""

from __future__ import annotations

import pytest

from pytok import zh
from pytok.errors import ConfigError


def folded(text: str, **options: object) -> zh.Normalized:
    normalized = zh.normalize(text, steps=[zh.Step("name-marks", options)])
    assert normalized.denormalize() == text
    return normalized


@pytest.mark.parametrize(
    ("text", "options", "expected"),
    [
        ("孔\u0332子\u0332曰", {}, "孔子曰"),
        ("史\u0330記\u0330曰", {}, "《史記》曰"),
        ("孔\u0332子\u0332史\u0330記\u0330", {}, "孔子《史記》"),
        ("史\u0330記\u0330", {"titles": "remove"}, "史記"),
        ("史\u0330記\u0330孔\u0332", {"titles": "keep"}, "史\u0330記\u0330孔"),
        ("孔\u0332", {"names": "keep"}, "孔\u0332"),
        ("a\u0332b\u0332", {}, "a\u0332b\u0332"),
        ("＿孔子＿作﹏春秋﹏", {}, "孔子作《春秋》"),
        ("＿孔子＿＿孟子＿", {}, "孔子孟子"),
        ("﹏﹏春秋﹏﹏和﹏﹏﹏﹏詩﹏﹏﹏﹏", {}, "《春秋》和《詩》"),
        ("＿卡爾·馬克思＿", {}, "卡爾·馬克思"),
        # A name in a title, and the other way round.
        ("﹏＿孔子＿家語﹏", {}, "《孔子家語》"),
        ("孔\u0332\u0330子\u0332\u0330家\u0330語\u0330", {}, "《孔子家語》"),
        ("史\u0330\u0332記\u0330\u0332", {"names": "keep"}, "《史\u0332記\u0332》"),
        ("＿孔\u0332子\u0332＿", {}, "孔子"),
        ("＿葛\U000e0100城＿葛\U000e0100\u0332", {}, "葛\U000e0100城葛\U000e0100"),
        ("《論﹏學而﹏語》", {}, "《論《學而》語》"),
        ("﹏論語﹏", {"books": "【】"}, "【論語】"),
        ("≪⟪論語⟫≫", {}, "《〈論語〉》"),
        ("≪論語≫ ⟪詩⟫ «書» \u2329學而\u232a ＜關雎＞", {}, "《論語》 《詩》 《書》 〈學而〉 〈關雎〉"),
        ("1≪2 3≫2 ａ＜ｂ＞ｃ «bon»", {}, "1≪2 3≫2 ａ＜ｂ＞ｃ «bon»"),
        ("《論語〈學而〉》", {"books": "【】"}, "【論語〖學而〗】"),
        ("【論語〖學而〗】", {}, "【論語〖學而〗】"),
        ("【論語〖學而〗】", {"lenticular": True}, "《論語〈學而〉》"),
        ("≪論語≫", {"books": "keep"}, "≪論語≫"),
    ],
)  # fmt: skip
def test_marks_are_folded(text: str, options: dict[str, object], expected: str) -> None:
    assert folded(text, **options).text == expected


@pytest.mark.parametrize(
    ("text", "kept", "reason"),
    [
        ("＿＿＿＿是好人", "＿＿＿＿", "a row of marks: a blank or a line"),
        ("＿孔子曰，學", "＿", "mark of a name or title without its partner"),
        ("＿孔子﹏", "＿", "mark of a name or title without its partner"),
        ("﹏春秋", "﹏", "mark of a name or title without its partner"),
        ("＿" + "甲" * 21 + "＿", "＿", "mark of a name or title without its partner"),
        ("《論語", "《", "opening mark without its closing mark"),
    ],
)
def test_marks_without_a_partner_stay_and_are_reported(text: str, kept: str, reason: str) -> None:
    normalized = folded(text)
    assert normalized.text == text
    assert (normalized.edits[0].before, normalized.edits[0].reason) == (kept, reason)
    assert {edit.status for edit in normalized.edits} == {"kept"}


def test_offsets_of_names_point_at_their_characters() -> None:
    normalized = folded("＿孔子＿，史\u0330記\u0330")
    assert normalized.text == "孔子，《史記》"
    assert normalized.alignment.to_original((0, 2)) == (1, 3)
    assert normalized.alignment.to_original((4, 5)) == (5, 6)
    assert normalized.alignment.to_original((5, 6)) == (7, 8)


@pytest.mark.parametrize(
    "options",
    [{"names": "drop"}, {"titles": "「」"}, {"books": "«»"}, {"lenticular": None}, {"within": ""}],
)
def test_wrong_options_are_named(options: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match=f"name-marks: {next(iter(options))}: .*expected one of"):
        zh.Pipeline([zh.Step("name-marks", options)])
