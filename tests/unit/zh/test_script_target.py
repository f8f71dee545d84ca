"""What is in the target script already stays, sentence by sentence."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytok import zh
from pytok.errors import ConfigError


def told(text: str, step: str | zh.Step = "s2t") -> list[tuple[str, str, str, tuple[str, ...]]]:
    edits = zh.normalize(text, steps=[step]).edits
    return [(edit.before, edit.after, edit.status, edit.candidates) for edit in edits]


@pytest.mark.parametrize(
    ("step", "text"),
    [
        ("s2t", "台灣的面積比這裡大，余先生說。"),
        ("s2tw", "這群人在床上吃飯，干涉內政。"),
        ("s2hk", "這裏的后羿與台灣無關。"),
        ("s2twp", "這個比賽于是結束了。"),
        ("t2s", "这里的乾坤与著作。"),
        ("tw2sp", "这里的乾坤与著作。"),
    ],
)
def test_a_sentence_of_the_target_script_stays(step: str, text: str) -> None:
    normalized = zh.normalize(text, steps=[step])
    assert normalized.text == text == zh.Pipeline([step]).text(text)
    assert {edit.status for edit in normalized.edits} <= {"kept"}


def test_what_stays_is_reported_with_what_would_have_been_put() -> None:
    assert told("台灣") == [("台", "台", "kept", ("台", "臺", "檯", "颱"))]
    (edit,) = zh.normalize("台灣", steps=["s2t"]).edits
    assert edit.reason == "in the target script"


def test_each_sentence_is_taken_on_its_own() -> None:
    text = "這里的台灣後面。这里的台湾后面。"
    assert zh.normalize(text, steps=["s2t"]).text == "這里的台灣後面。這裏的臺灣後面。"


def test_characters_of_the_source_script_alone_are_converted_anywhere() -> None:
    assert (
        zh.normalize("這群人進了故宫，說台語。", steps=["s2t"]).text == "這群人進了故宮，說台語。"
    )


@pytest.mark.parametrize(
    ("text", "converted"),
    [
        ("皇后在后面", "皇后在後面"),
        ("皇后在后面。這裡", "皇后在后面。這裡"),
        ("皇后在后面。\n這裡", "皇后在后面。\n這裡"),
        ("皇后在后面。这里。\n這個這個這個", "皇后在後面。這裏。\n這個這個這個"),
    ],
)
def test_where_a_sentence_tells_nothing_its_line_does_and_then_the_text(
    text: str, converted: str
) -> None:
    assert zh.normalize(text, steps=["s2t"]).text == converted


def test_words_of_a_region_are_put_into_text_of_its_script() -> None:
    assert zh.normalize("這個程序于是結束了。", steps=["s2twp"]).text == "這個程式于是結束了。"


def test_detection_is_an_option_and_none_of_opencc_exact() -> None:
    text = "台灣的面積"
    assert zh.Pipeline([zh.Step("s2t", {"detect": False})]).text(text) == "臺灣的面積"
    assert zh.Pipeline(["s2t"], mode="opencc-exact").text(text) == "臺灣的面積"
    exact = zh.Pipeline([zh.Step("s2t", {"detect": True})], mode="opencc-exact")
    assert exact.text(text) == text
    with pytest.raises(ConfigError, match="detect: 'yes', expected True or False"):
        zh.Pipeline([zh.Step("s2t", {"detect": "yes"})])


def test_names_and_rare_glyphs_stay_in_careful_mode_too() -> None:
    step = zh.Step("s2t", {"keep": ["后浪", "余文乐"]})
    assert zh.normalize("余文乐和后浪在后面", steps=[step]).text == "余文乐和后浪在後面"
    assert told("齾齒", "t2s")[0] == ("齾", "齾", "kept", ("齾", "𫜰"))
    assert zh.normalize("齾齒", steps=[zh.Step("t2s", {"glyphs": "any"})]).text == "𫜰齿"


def test_the_dictionary_is_made_once_and_without_opencc() -> None:
    code = (
        "import sys; from pytok import zh; zh.Pipeline(['t2s']); assert 'opencc' not in sys.modules"
        "; from pytok.zh._script import shared_words; assert shared_words() is shared_words()"
    )
    subprocess.run([sys.executable, "-P", "-c", code], check=True)


MIXED = st.text(st.sampled_from("台灣湾的后後面里裡这這干群宫。！\n，a"), max_size=30)


@given(MIXED)
def test_only_what_is_reported_changes_and_both_ways_give_the_same(text: str) -> None:
    pipeline = zh.Pipeline(["s2t"])
    normalized = pipeline.normalize(text)
    assert normalized.text == pipeline.text(text)
    assert normalized.denormalize() == text
    spans = [edit.original for edit in normalized.edits if edit.status != "kept"]
    changed = {place for span in spans for place in range(*span)}
    for start, end, *_ in normalized.alignment.blocks():
        assert set(range(start, end)) <= changed


@given(st.text(st.sampled_from("台灣的後面里這干群。！\n，a"), min_size=1, max_size=30))
def test_text_with_signs_of_the_target_alone_never_changes(text: str) -> None:
    text = "這" + text
    assert zh.Pipeline(["s2t"]).text(text) == text
