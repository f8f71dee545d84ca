"""Conversions of scripts: what holds for every text."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from opencc_cases import CONFIGURATIONS, cases

from pytok import zh

MODES = ("opencc-exact", "careful")
CHARACTERS = sorted({character for _, _, text, _ in cases() for character in text})
TEXTS = st.one_of(
    st.text(st.sampled_from(CHARACTERS), max_size=60),
    st.lists(st.sampled_from([text for _, _, text, _ in cases()]), max_size=4).map("".join),
    st.text(max_size=30),
)


@cache
def pipeline(name: str, mode: str) -> zh.Pipeline:
    return zh.Pipeline([name], mode=mode)  # type: ignore[arg-type]


@pytest.mark.parametrize("mode", MODES)
@given(text=TEXTS, name=st.sampled_from(CONFIGURATIONS))
def test_the_way_back_is_exact(mode: str, text: str, name: str) -> None:
    normalized = pipeline(name, mode).normalize(text)
    assert normalized.denormalize() == text
    assert normalized.text == pipeline(name, mode).text(text)


@pytest.mark.parametrize("mode", MODES)
@given(text=TEXTS, name=st.sampled_from(CONFIGURATIONS))
def test_every_change_is_reported_where_it_is(mode: str, text: str, name: str) -> None:
    normalized = pipeline(name, mode).normalize(text)
    told = set()
    last = 0
    for edit in normalized.edits:
        start, end = edit.original
        assert last <= start < end
        last = end
        told |= set(range(start, end))
        assert text[start:end] == edit.before
        assert normalized.text[slice(*edit.normalized)] == edit.after
        assert (edit.status == "kept") == (edit.before == edit.after)
        assert not edit.candidates or edit.candidates[0] == edit.after
        assert (edit.status == "ambiguous") <= (len(edit.candidates) > 1)
        assert edit.status != "sure" or not edit.candidates
    for start, end, *_ in normalized.alignment.blocks():
        assert set(range(start, end)) <= told


@pytest.mark.parametrize("mode", MODES)
@given(text=TEXTS, name=st.sampled_from(CONFIGURATIONS), data=st.data())
def test_spans_map_monotonously(mode: str, text: str, name: str, data: st.DataObject) -> None:
    normalized = pipeline(name, mode).normalize(text)
    size = len(normalized.text)
    cuts = sorted(data.draw(st.lists(st.integers(0, size), min_size=3, max_size=3)))
    spans = [normalized.alignment.to_original((cuts[n], cuts[n + 1])) for n in (0, 1)]
    assert spans[0][0] <= spans[1][0] and spans[0][1] <= spans[1][1]
    assert normalized.alignment.to_original((0, size)) == (0, len(text))


@given(text=TEXTS, name=st.sampled_from(CONFIGURATIONS), data=st.data())
def test_what_is_listed_stays(text: str, name: str, data: st.DataObject) -> None:
    if not text:
        return
    start = data.draw(st.integers(0, len(text) - 1))
    kept = text[start : data.draw(st.integers(start + 1, min(start + 3, len(text))))]
    for mode in MODES:
        step = zh.Step(name, {"keep": [kept]})
        normalized = zh.Pipeline([step], mode=mode).normalize(text)  # type: ignore[arg-type]
        assert normalized.text.count(kept) >= text.count(kept)
