"""The step ``segment`` beside a slow reading of its models."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.clauses import BreakModel

from pytok import zh

RUNS = st.text(st.sampled_from("之也矣天地玄黃𠀀々〇"), min_size=1, max_size=9)


def model_of(seed: int, bytes_of: int, lengths: list[int], bias: int) -> BreakModel:
    generator = random.Random(seed)
    slots = [(generator.randrange(bytes_of), generator.randint(-9, 9)) for _ in range(99)]
    return BreakModel(slots, bias, lengths, folds={"黃": "黄", "玄": "天"})


MODELS = st.builds(
    model_of,
    st.integers(0, 10_000),
    st.sampled_from([1, 256]),
    st.lists(st.integers(-30, 30), min_size=1, max_size=5),
    st.integers(-40, 10),
)


@given(model=MODELS, text=RUNS)
def test_the_way_that_is_found_has_the_best_score(
    tmp_path_factory: pytest.TempPathFactory, model: BreakModel, text: str
) -> None:
    path = tmp_path_factory.mktemp("model") / "breaks.bin"
    path.write_bytes(model.file())
    normalized = zh.normalize(text, steps=[zh.Step("segment", {"model": path})])
    assert normalized.text == text
    places = [place for place in normalized.breaks if place < len(text)]
    assert places == list(normalized.breaks)
    assert model.total(text, places) == model.best(text)


TEXTS = st.text(st.sampled_from("之也矣天地玄黃𠀀 \na，()「」😀"), max_size=60)


@given(model=MODELS, text=TEXTS)
def test_breaks_are_inside_runs_of_lines_without_marks(
    tmp_path_factory: pytest.TempPathFactory, model: BreakModel, text: str
) -> None:
    path = tmp_path_factory.mktemp("model") / "breaks.bin"
    path.write_bytes(model.file())
    normalized = zh.normalize(text, steps=[zh.Step("segment", {"model": path})])
    assert (normalized.text, normalized.edits) == (text, ())
    assert list(normalized.breaks) == sorted(set(normalized.breaks))
    for place in normalized.breaks:
        assert {text[place - 1], text[place]} <= set("之也矣天地玄黃𠀀")
        assert "，" not in text[:place].rsplit("\n", 1)[-1] + text[place:].split("\n", 1)[0]
