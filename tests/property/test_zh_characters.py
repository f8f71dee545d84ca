"""What holds for every text and each step that works on single characters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytok import zh

STEPS = [
    zh.Step("width"),
    zh.Step("width", {"punctuation": True, "symbols": True, "space": True}),
    zh.Step("compatibility"),
    zh.Step("compatibility", {"enclosed": True}),
    zh.Step("radicals"),
    zh.Step("vertical-forms"),
    zh.Step("variation-sequences"),
    zh.Step("z-variants"),
    zh.Step("z-variants", {"script": "traditional"}),
    zh.Step("semantic-variants"),
]
PIPELINES = [zh.Pipeline([step]) for step in STEPS] + [
    zh.Pipeline(preset=preset) for preset in ("modern", "classical")
]
TEXTS = st.text(
    st.one_of(
        st.sampled_from("Ａ３，！ｶﾊﾞﾟ｡￥豈﨑㈱㊣⼀⻅︒﹁﹐爲澂幷岀説内❤a \n"),
        st.sampled_from("\ufe00\ufe0f\U000e0100\u3000\U0002f800"),
        st.characters(exclude_categories=["Cs"]),
    ),
    max_size=30,
)


@pytest.mark.parametrize("pipeline", PIPELINES, ids=repr)
@given(TEXTS)
def test_the_way_back_is_exact(pipeline: zh.Pipeline, text: str) -> None:
    normalized = pipeline.normalize(text)
    assert normalized.denormalize() == text
    assert pipeline.text(text) == normalized.text
    last = (0, 0)
    for place in range(len(normalized.text)):
        span = normalized.alignment.to_original((place, place + 1))
        assert last <= span <= (len(text), len(text))
        last = span
    for edit in normalized.edits:
        assert edit.status == "sure" or edit.before == edit.after
        assert edit.before != edit.after or edit.status == "kept"
        start, end = edit.normalized
        assert len(pipeline.steps) > 1 or normalized.text[start:end] == edit.after


@pytest.mark.parametrize("pipeline", PIPELINES, ids=repr)
@given(TEXTS)
def test_a_second_time_changes_nothing(pipeline: zh.Pipeline, text: str) -> None:
    once = pipeline.text(text)
    assert pipeline.text(once) == once
