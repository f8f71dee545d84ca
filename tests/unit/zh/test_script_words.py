"""Conversion of scripts by words: no phrase reaches over the edge of a word."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytok import zh

CAREFUL = zh.Pipeline(["s2t"])
EXACT = zh.Pipeline(["s2t"], mode="opencc-exact")


@pytest.mark.parametrize(
    ("text", "careful", "longest_match"),
    [
        ("被发明", "被發明", "被髮明"),
        ("参与制造", "參與製造", "參與制造"),
        ("改变量子", "改變量子", "改變量子"),
        ("本国历史", "本國歷史", "本國曆史"),
        ("包括发动机", "包括發動機", "包括髮動機"),
        ("演员有余文乐", "演員有余文樂", "演員有餘文樂"),
        ("皇后在后面", "皇后在後面", "皇后在後面"),
        ("头发发展", "頭髮發展", "頭髮發展"),
    ],
)
def test_a_phrase_over_the_edge_of_a_word_is_not_taken(
    text: str, careful: str, longest_match: str
) -> None:
    assert CAREFUL.text(text) == careful
    assert EXACT.text(text) == longest_match


@given(st.text(st.sampled_from("被发明参与制造改变量子后面里干皇头展a，"), max_size=16))
def test_what_is_told_is_what_is_done(text: str) -> None:
    normalized = CAREFUL.normalize(text)
    assert normalized.text == CAREFUL.text(text)
    assert normalized.denormalize() == text
    for edit in normalized.edits:
        start, end = edit.original
        assert text[start:end] == edit.before
        assert normalized.text[slice(*edit.normalized)] == edit.after
