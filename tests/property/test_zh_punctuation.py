"""Properties of the steps of punctuation: nothing is lost, offsets are right."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pytok import zh

MARKS = (
    "「」『』“”‘’﹁﹂﹃﹄｢｣〝〞\"'《》〈〉≪≫＜＞【】〖〗﹏＿\u0332\u0330○◦．。，、！？…?!｡\ufe01﹅"
)
CHARACTERS = MARKS + "\u1ab6﹍︳︴⟪⟫､﹐·\ufe0f\U000e0100甲乙一二己已日曰ab1 \n😀〇—ーカ"
# Of few characters, so that marks of one kind meet.
FEW = st.lists(st.sampled_from(CHARACTERS), min_size=2, max_size=6)
TEXTS = st.one_of(
    st.text(st.sampled_from(CHARACTERS), max_size=40),
    FEW.flatmap(lambda few: st.text(st.sampled_from(few), max_size=14)),
)

STEPS = [
    zh.Step("quotes"),
    zh.Step("quotes", {"to": "curly"}),
    zh.Step("quotes", {"to": "curly", "straight": True, "within": "text"}),
    zh.Step("quotes", {"levels": "depth"}),
    zh.Step("sentence-marks"),
    zh.Step("sentence-marks", {"reading_mark": "，"}),
    zh.Step("name-marks"),
    zh.Step("name-marks", {"books": "【】", "titles": "remove"}),
    zh.Step("name-marks", {"books": "【】", "lenticular": True}),
    zh.Step("name-marks", {"names": "keep"}),
    zh.Step("name-marks", {"titles": "keep", "books": "keep"}),
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


IDEMPOTENT = {**dict(zip(IDS, PIPELINES, strict=True)), "preset": zh.Pipeline(preset="classical")}


@pytest.mark.parametrize("pipeline", IDEMPOTENT.values(), ids=IDEMPOTENT)
@given(text=TEXTS)
# A selector behind a mark that is folded goes at once.
@example(text="’○\ufe01")
@example(text="〇｡\ufe01")
@example(text="甲．\ufe00")
@example(text="日､\ufe0f")
# Several marks on one character; marks on both sides of a character that bears some,
# or behind a mark that does; one pair inside another, and titles inside titles.
@example(text="一\u0332\u0330")
@example(text="甲\u0332\u0332")
@example(text="︴甲\u0332︴")
@example(text="甲＿\u0330＿甲甲＿\u1ab6＿")
@example(text="﹏＿甲＿乙﹏")
@example(text="《甲﹏乙﹏》")
@example(text="甲\u0332｡")
@example(text="甲﹍乙﹍\ufe01")
# A pair around a single mark of the kind that it would get, and an apostrophe.
@example(text="“‘「”’")
@example(text="‘‘‘”’’")
@example(text="a「b『a』b」")
@example(text="a『a『a』』a")
@example(text="≪⟪甲⟫≫")
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
