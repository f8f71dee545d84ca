"""Properties of the steps of punctuation: nothing is lost, offsets are right."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pytok import zh

MARKS = (
    "「」『』“”‘’﹁﹂﹃﹄｢｣〝〞\"'《》〈〉≪≫＜＞【】〖〗﹏＿\u0332\u0330○◦．。，、！？…?!｡\ufe01﹅"
)
TEXTS = st.text(st.sampled_from(MARKS + "甲乙一二己已日曰ab1 \n😀〇—ーカ"), max_size=40)

STEPS = [
    zh.Step("quotes"),
    zh.Step("quotes", {"to": "curly", "straight": True, "within": "text"}),
    zh.Step("quotes", {"levels": "depth"}),
    zh.Step("sentence-marks"),
    zh.Step("sentence-marks", {"reading_mark": "，"}),
    zh.Step("name-marks"),
    zh.Step("name-marks", {"books": "【】", "titles": "remove"}),
    zh.Step("sentence-breaks", {"newline": True}),
    zh.Step("ocr-report", {"dictionary": False, "words": ["甲已", "日一"]}),
]
PIPELINES = [zh.Pipeline([step]) for step in STEPS]
IDS = [f"{number}-{step.name}" for number, step in enumerate(STEPS)]


@pytest.mark.parametrize("pipeline", PIPELINES, ids=IDS)
@given(text=TEXTS)
def test_the_original_comes_back(pipeline: zh.Pipeline, text: str) -> None:
    normalized = pipeline.normalize(text)
    assert normalized.denormalize() == text
    assert pipeline.text(text) == normalized.text


@pytest.mark.parametrize("pipeline", PIPELINES, ids=IDS)
@given(text=TEXTS)
def test_spans_are_monotone_and_edits_point_at_the_text(pipeline: zh.Pipeline, text: str) -> None:
    normalized = pipeline.normalize(text)
    spans = [normalized.alignment.to_original((i, i + 1)) for i in range(len(normalized.text))]
    assert spans == sorted(spans)
    for edit in normalized.edits:
        assert text[slice(*edit.original)] == edit.before
        assert normalized.text[slice(*edit.normalized)] == edit.after
    places = normalized.breaks
    assert list(places) == sorted(set(places))
    assert all(0 < place <= len(normalized.text) for place in places)


# A selector behind a mark that is folded goes at once.
@pytest.mark.parametrize("pipeline", PIPELINES, ids=IDS)
@given(text=TEXTS)
@example(text="’○\ufe01")
@example(text="〇｡\ufe01")
def test_a_second_time_changes_nothing(pipeline: zh.Pipeline, text: str) -> None:
    once = pipeline.text(text)
    assert pipeline.text(once) == once


def nested(outer: str, inner: str) -> st.SearchStrategy[str]:
    """Balanced text whose marks are those of one kind."""
    leaf = st.text(st.sampled_from("甲乙，。 "), max_size=4)

    def wrap(inside: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        pair = st.sampled_from([outer, inner])
        part = st.builds(lambda marks, text: marks[0] + text + marks[1], pair, inside)
        return st.lists(st.one_of(part, leaf), max_size=4).map("".join)

    return st.recursive(leaf, wrap, max_leaves=12)


CORNER = zh.Pipeline([zh.Step("quotes", {"to": "corner"})])
CURLY = zh.Pipeline([zh.Step("quotes", {"to": "curly"})])
VERTICAL = zh.Pipeline([zh.Step("quotes", {"to": "vertical"})])


@given(text=nested("「」", "『』"))
def test_balanced_marks_come_back_from_curly_and_vertical(text: str) -> None:
    for other in (CURLY, VERTICAL):
        there = other.text(text)
        assert not set(there) & set("「」『』")
        assert CORNER.text(there) == text


@given(text=nested("“”", "‘’"))
def test_balanced_curly_marks_come_back_from_corner(text: str) -> None:
    there = CORNER.text(text)
    assert not set(there) & set("“”‘’")
    assert CURLY.text(there) == text


@given(text=TEXTS)
def test_a_mark_is_changed_only_together_with_its_partner(text: str) -> None:
    normalized = CORNER.normalize(text)
    changed = [edit.after for edit in normalized.edits if edit.status == "sure"]
    assert changed.count("「") == changed.count("」")
    assert changed.count("『") == changed.count("』")


@pytest.mark.parametrize(
    "mark", ["「", "」", "“", '"', "﹏", "＿", "《", "○", "。", "…", "甲\u0332"]
)
def test_a_megabyte_of_one_mark_is_no_harder(mark: str) -> None:
    text = mark * (1_000_000 // len(mark.encode()))
    for pipeline in PIPELINES:
        once = pipeline.text(text)
        assert once == text or len(once) <= len(text) + 2
