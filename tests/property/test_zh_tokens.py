"""Offsets of tokens after any pipeline: of the text that was given, whatever changed length."""

from __future__ import annotations

from functools import lru_cache

from hypothesis import given
from hypothesis import strategies as st

import pytok
from pytok import zh

PLAIN = pytok.Tokenizer.from_pretrained("zh-32k")

STEPS = (
    *("width", "radicals", "vertical-forms", "variation-sequences", "z-variants"),
    *("quotes", "sentence-marks", "name-marks", "sentence-breaks", "cantonese", "s2twp", "tw2sp"),
    zh.Step("compatibility", {"enclosed": True}),
    zh.Step("quotes", {"to": "curly"}),
)
"""Steps that take characters out, put several for one, and one for several."""

PARTS = st.sampled_from(
    [
        "ｶﾞ",
        "㈱",
        "㎏",
        "Ａ",
        "⼀",
        "葛\U000e0100",
        "＿孔子＿",
        "﹏論語﹏",
        "「",
        "」",
        "“",
        "”",
        "。",
        "佢哋",
        "唔該晒",
        "返嚟",
        "嘅",
        "喺度",
        "鼠标",
        "软件",
        "軟體",
        "滑鼠",
        "里",
        "ab",
        "龘",
        "𠀀",
        "\n",
    ]
)


@lru_cache(maxsize=8)
def made(places: tuple[int, ...]) -> tuple[zh.Pipeline, pytok.Tokenizer]:
    pipeline = zh.Pipeline([STEPS[place] for place in places])
    return pipeline, PLAIN.with_normalizer(pipeline)


@given(
    st.lists(st.integers(0, len(STEPS) - 1), max_size=5).map(tuple),
    st.lists(PARTS, max_size=12).map("".join),
)
def test_offsets_of_tokens_are_of_the_text_that_was_given(
    places: tuple[int, ...], text: str
) -> None:
    pipeline, tokenizer = made(places)
    normalized = pipeline.normalize(text)
    encoded, inner = tokenizer.encode(text), PLAIN.encode(normalized.text)
    assert encoded.ids == inner.ids == tokenizer.encode_ids(text)
    blocks = normalized.alignment.blocks()
    flat = zh.Alignment(blocks, len(text))
    kept = [place for place in range(len(normalized.text)) if not is_in(blocks, place)]
    reached: set[int] = set()
    for span, (start, end) in zip(inner.offsets, encoded.offsets, strict=True):
        assert 0 <= start <= end <= len(text)
        assert flat.to_original(span) == (start, end)
        reached.update(range(start, end))
        if all(place in kept for place in range(*span)):
            assert text[start:end] == normalized.text[span[0] : span[1]]
    gone = {i for a, b, c, d in blocks if c == d for i in range(a, b)}
    assert set(range(len(text))) - gone <= reached


def is_in(blocks: list[tuple[int, int, int, int]], place: int) -> bool:
    return any(start <= place < end for _, _, start, end in blocks)
