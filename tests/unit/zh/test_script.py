"""Conversions between scripts and regional standards."""

from __future__ import annotations

import pytest
from opencc_cases import CONFIGURATIONS, cases

from pytok import zh
from pytok.errors import ConfigError


def exact(name: str, **options: object) -> zh.Pipeline:
    return zh.Pipeline([zh.Step(name, options)], mode="opencc-exact")


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_all_published_cases_of_opencc(name: str) -> None:
    pipeline = exact(name)
    own = [case for case in cases() if case[1] == name]
    assert own
    for case, _, text, expected in own:
        normalized = pipeline.normalize(text)
        assert normalized.text == pipeline.text(text) == expected, case
        assert normalized.denormalize() == text, case


def test_there_are_as_many_cases_as_opencc_says() -> None:
    assert len({case for case, *_ in cases()}) >= 232


def test_a_phrase_is_aligned_as_a_whole_where_its_length_changes() -> None:
    normalized = exact("s2twp").normalize("用互联网查")
    assert normalized.text == "用網際網路查"
    assert normalized.alignment.to_original((2, 3)) == (1, 4)
    assert normalized.alignment.to_original((5, 6)) == (4, 5)
    assert normalized.alignment.to_normalized((1, 4)) == (1, 5)


def test_changes_are_reported_with_all_that_could_stand_there() -> None:
    edits = exact("s2tw").normalize("这里的里").edits
    told = [(edit.before, edit.after, edit.status, edit.candidates, edit.reason) for edit in edits]
    assert told == [
        ("这里", "這裡", "sure", (), "phrase"),
        ("里", "裡", "ambiguous", ("裡", "里", "哩"), "character"),
    ]


def test_what_few_fonts_have_is_passed_over_where_it_is_asked_for() -> None:
    text = "齾齒"
    assert exact("t2s").text(text) == "𫜰齿"
    for glyphs in ("opencc", "bmp"):
        normalized = exact("t2s", glyphs=glyphs).normalize(text)
        assert normalized.text == "齾齿"
        (kept, _) = normalized.edits
        assert (kept.status, kept.candidates, kept.reason) == ("kept", ("齾", "𫜰"), "rare glyph")


def test_what_is_listed_stays() -> None:
    normalized = exact("s2t", keep=["后浪", "后"]).normalize("后浪和后来")
    assert normalized.text == "后浪和后來"
    assert [(edit.before, edit.status, edit.reason) for edit in normalized.edits] == [
        ("后浪", "kept", "keep list"),
        ("后", "kept", "keep list"),
        ("来", "sure", "character"),
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"glyphs": "few"}, "glyphs: 'few', expected one of 'any', 'opencc', 'bmp'"),
        ({"keep": "后"}, "keep: '后', expected a list"),
        ({"keep": [""]}, "keep: .*expected a list"),
        ({"keeps": []}, "s2t: .*'keeps'"),
    ],
)
def test_options_that_are_wrong_are_named(options: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        exact("s2t", **options)


def test_several_conversions_keep_the_way_back() -> None:
    pipeline = zh.Pipeline(["s2twp", "tw2sp"], mode="opencc-exact")
    normalized = pipeline.normalize("用互联网看头发")
    assert normalized.text == "用互联网看头发"
    assert normalized.alignment.to_original((1, 2)) == (1, 4)
    assert normalized.denormalize() == "用互联网看头发"
